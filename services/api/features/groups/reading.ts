import { type PageQuery, pageWindow } from "#contract/http.ts";
import { entityClasses, entityTypes } from "#contract/entities.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import { staleDays } from "#services/api/stale.ts";
import { foundJson, listJson } from "#services/api/list-json.ts";

type Deps = Pick<Context, "db" | "config">;

const isGroup = `NOT g.hollow AND ${entityClasses.DATA_ENTITY_GROUP} = ANY(g.class_ids)`;

const domainList = statement<JsonRow>("group-domains")`
  SELECT json_build_object('items', coalesce(json_agg(json_build_object(
           'domain', json_entity_ref(e, $1),
           'children_count', (SELECT count(*) FROM group_members(e.id)))
           ORDER BY coalesce(e.internal_name, e.external_name), e.id), '[]'))::text AS json
    FROM data_entity e WHERE e.type_id = ${entityTypes.DOMAIN.id} AND is_listed(e)`;

/** Every listed domain with the number of its live members: `DataEntityDomainList`, JSON text. */
export async function domains(context: Deps): Promise<string> {
  return (await context.db.reads.query(domainList, [staleDays(context)]))[0]!.json;
}

const childList = statement<JsonRow>("group-children")`
  WITH child AS MATERIALIZED (
    SELECT m.id FROM group_members($1) m
     WHERE ${entityClasses.DATA_ENTITY_GROUP} = ANY(m.class_ids)
  ), counted AS (SELECT count(*) AS total FROM child)
  SELECT text_data_entity_list(
           ARRAY(SELECT id FROM child ORDER BY id LIMIT $2 OFFSET $3),
           total, $3::bigint + $2 < total, $4) AS json
    FROM data_entity g, counted WHERE g.id = $1 AND ${isGroup}`;

/** A page of the groups directly inside a group: `DataEntityList`, JSON text. Throws 404 if it is not a group. */
export async function children(context: Deps, id: number, query: PageQuery): Promise<string> {
  const { limit, offset } = pageWindow(query);
  const rows = await context.db.reads.query(childList, [id, limit, offset, staleDays(context)]);
  return foundJson(rows, "Data entity group", id);
}

const itemList = statement<JsonRow>("group-items")`
  WITH item AS (
    SELECT u.id, true AS upper, u.internal_name, u.external_name FROM data_entity u
     WHERE u.id IN (SELECT group_id FROM group_member WHERE member_id = $1)
       AND NOT u.hollow AND is_live(u.status)
    UNION ALL
    SELECT m.id, false, m.internal_name, m.external_name FROM group_members($1) m
  ), matched AS MATERIALIZED (
    SELECT id, upper FROM item
     WHERE $2::text = ''
        OR strpos(search_lower(concat_ws(E'\\n', internal_name, external_name)), search_lower($2)) > 0
  ), counted AS (
    SELECT count(*) AS total, count(*) FILTER (WHERE upper) AS uppers FROM matched
  ), page AS (
    SELECT id, upper FROM matched ORDER BY upper DESC, id LIMIT $3 OFFSET $4
  )
  SELECT ${
  listJson({
    each: `json_build_object(
      'is_upper_group', p.upper, 'data_entity', json_entity_base(e, ownership, source, groups, lookup_table_id, $5))`,
    by: "p.upper DESC, p.id",
    from: "page p JOIN data_entity e ON e.id = p.id, entity_shown(e.id, e.data_source_id, $5)",
    more: ["'entities_count', c.total - c.uppers", "'upper_groups_count', c.uppers"],
    total: "c.total",
    window: ["$3", "$4"],
  })
}::text AS json
    FROM data_entity g, counted c WHERE g.id = $1 AND ${isGroup}`;

/**
 * A page of the groups directly above a group, then of its members, whose name contains `query` in any case:
 * `DataEntityGroupItemList`, JSON text. Counts include only matches. Throws 404 if it is not a group.
 */
export async function items(
  context: Deps,
  id: number,
  query: PageQuery & { query?: string },
): Promise<string> {
  const { limit, offset } = pageWindow(query);
  const values = [id, query.query ?? "", limit, offset, staleDays(context)];
  return foundJson(await context.db.reads.query(itemList, values), "Data entity group", id);
}
