import { type PageQuery, type PageWindow, pageWindow } from "#contract/http.ts";
import { entityClasses, entityTypes } from "#contract/entities.ts";
import { notFound } from "#kit/errors.ts";
import type { Queryable } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import { staleDays } from "#services/api/stale.ts";
import { listJson } from "#services/api/list-json.ts";

type Deps = Pick<Context, "db" | "config">;

/** Every listed domain with the number of its live members: `DataEntityDomainList`, JSON text. */
export function domains(context: Deps): Promise<string> {
  return domainList(context.db.reads, staleDays(context));
}

/**
 * A page of the groups directly inside a group: `DataEntityList`, JSON text. 404 if it is not a
 * group.
 */
export async function children(context: Deps, id: number, query: PageQuery): Promise<string> {
  const list = await childList(context.db.reads, id, pageWindow(query), staleDays(context));
  if (list === undefined) throw notFound("Data entity group", id);
  return list;
}

/**
 * A page of the groups directly above a group and of its members, filtered by name if `query` is
 * given: `DataEntityGroupItemList`, JSON text. Counts include only matches. 404 if it is not a
 * group.
 */
export async function items(
  context: Deps,
  id: number,
  query: PageQuery & { query?: string },
): Promise<string> {
  const { db } = context;
  const page = pageWindow(query);
  const list = await itemList(db.reads, id, query.query ?? "", page, staleDays(context));
  if (list === undefined) throw notFound("Data entity group", id);
  return list;
}

const isGroup = `NOT g.hollow AND ${entityClasses.DATA_ENTITY_GROUP} = ANY(g.class_ids)`;

const domainsStatement = statement<{ list: string }>("group-domains")`
  SELECT json_build_object('items', coalesce(json_agg(json_build_object(
           'domain', json_entity_ref(e, $1),
           'children_count', (SELECT count(*) FROM group_members(e.id)))
           ORDER BY coalesce(e.internal_name, e.external_name), e.id), '[]'))::text AS list
    FROM data_entity e WHERE e.type_id = ${entityTypes.DOMAIN.id} AND is_listed(e)`;

/** `DataEntityDomainList` as JSON text. */
async function domainList(db: Queryable, staleDays: number): Promise<string> {
  const rows = await db.query(domainsStatement, [staleDays]);
  return rows[0]!.list;
}

const childrenStatement = statement<{ list: string }>("group-children")`
  WITH child AS MATERIALIZED (
    SELECT m.id FROM group_members($1) m
     WHERE ${entityClasses.DATA_ENTITY_GROUP} = ANY(m.class_ids)
  ), counted AS (SELECT count(*) AS total FROM child)
  SELECT text_data_entity_list(
           ARRAY(SELECT id FROM child ORDER BY id LIMIT $2 OFFSET $3),
           total, $3::bigint + $2 < total, $4) AS list
    FROM data_entity g, counted WHERE g.id = $1 AND ${isGroup}`;

/** `DataEntityList` of the groups inside a group as JSON text; undefined when the id is not a group. */
async function childList(
  db: Queryable,
  id: number,
  page: PageWindow,
  staleDays: number,
): Promise<string | undefined> {
  const values = [id, page.limit, page.offset, staleDays];
  const rows = await db.query(childrenStatement, values);
  return rows[0]?.list;
}

const itemsStatement = statement<{ list: string }>("group-items")`
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
}::text AS list
    FROM data_entity g, counted c WHERE g.id = $1 AND ${isGroup}`;

/**
 * `DataEntityGroupItemList` as JSON text: the groups above a group, then its members, whose name
 * contains `text` in any case. Undefined when the id is not a group.
 */
async function itemList(
  db: Queryable,
  id: number,
  text: string,
  page: PageWindow,
  staleDays: number,
): Promise<string | undefined> {
  const values = [id, text, page.limit, page.offset, staleDays];
  const rows = await db.query(itemsStatement, values);
  return rows[0]?.list;
}
