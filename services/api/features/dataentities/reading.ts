import { entityClasses } from "#contract/entities.ts";
import { type PageQuery, pageWindow } from "#contract/http.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import { briefDescription } from "#services/api/features/dataentities/limits.ts";
import { itemsJson } from "#services/api/list-json.ts";
import { staleDays } from "#services/api/stale.ts";

// Neither question about the length unpacks more of a stored text than it needs.
const briefs = statement<JsonRow>("entity-briefs")`
  WITH asked AS (
    SELECT id, min(place) AS place
      FROM unnest($1::bigint[]) WITH ORDINALITY AS given (id, place) GROUP BY id),
  known AS (
    SELECT a.place, e AS entity, e.id, e.type_id, e.data_source_id, e.last_ingested_at,
           coalesce(e.internal_description, e.external_description) AS description
      FROM asked a JOIN data_entity e ON e.id = a.id AND NOT e.hollow)
  SELECT json_build_object(
    'items', ${
  itemsJson({
    each: `json_join(json_entity_ref(k.entity, $2), json_build_object(
      'type', json_type(k.type_id), 'data_source', json_data_source_safe(k.data_source_id),
      'ownership', json_ownership(k.id), 'last_ingested_at', iso(k.last_ingested_at),
      'description', CASE WHEN char_length(left(k.description, ${
      briefDescription + 1
    })) <= ${briefDescription}
        THEN k.description ELSE left(k.description, ${briefDescription - 1}) || '…' END))`,
    by: "k.place",
    from: "known k",
  })
},
    'missing', (SELECT coalesce(json_agg(a.id ORDER BY a.place), '[]') FROM asked a
                 WHERE NOT EXISTS (SELECT FROM known k WHERE k.id = a.id)))::text AS json`;

/** What is shown of these entities at a glance; DataEntityBriefList as JSON text. Counts no view. */
export async function readBriefs(context: Context, ids: number[]): Promise<string> {
  return (await context.db.query(briefs, [ids, staleDays(context)]))[0]!.json;
}

interface ListFilter {
  catrn?: string;
  /** Words, or beginnings of words, of the entity's names. */
  query?: string;
}

const listed = "NOT e.hollow AND NOT e.excluded_from_search AND is_live(e.status)";
const byCatrn = " AND e.catrn = $4";
// The index is of all words; of names there are their own, in the row. A query without searchable words finds nothing.
const byName = (parameter: string) =>
  ` AND e.id IN (
  SELECT d.entity_id FROM search_document d, (SELECT search_query_inside(${parameter}) AS query OFFSET 0) typed
   WHERE d.vector @@ typed.query AND d.names @@ typed.query)`;

const listing = (kind: string, condition: string) =>
  statement<JsonRow>(`entity-list-${kind}`)`
  SELECT text_data_entity_list(
           ARRAY(SELECT e.id FROM data_entity e WHERE ${condition}
                  ORDER BY e.id LIMIT $1 OFFSET $2),
           t.total, $1::bigint + $2 < t.total, $3) AS json
    FROM (SELECT count(*) AS total FROM data_entity e WHERE ${condition}) t`;

const lists = {
  all: listing("all", listed),
  catrn: listing("catrn", listed + byCatrn),
  query: listing("query", listed + byName("$4")),
  both: listing("both", listed + byCatrn + byName("$5")),
};

/** One page of the entities that lists show, in order of id; DataEntityList as JSON text. */
export async function listEntities(
  context: Context,
  filter: ListFilter,
  page: PageQuery,
): Promise<string> {
  const { limit, offset } = pageWindow(page);
  const wanted = [filter.catrn, filter.query].filter((value) => value !== undefined);
  const values = [limit, offset, staleDays(context), ...wanted];
  return (await context.db.reads.query(listFor(filter), values))[0]!.json;
}

function listFor({ catrn, query }: ListFilter) {
  if (catrn === undefined) return query === undefined ? lists.all : lists.query;
  return query === undefined ? lists.catrn : lists.both;
}

/** Of how many of the most viewed, and of the most read, popularity is compared at least. */
const compared = 200;

// Foreign keys are viewed with the tables that they belong to, and groups on the way to their members.
const popularOf = "NOT e.class_ids && $4::smallint[]";

// Views here and reads in the source are of other orders of magnitude, so that what counts is how many times more.
const popular = statement<JsonRow>("entity-popular")`
  WITH likely AS (
    (SELECT e.id FROM data_entity e WHERE ${listed} AND e.view_count > 0 AND ${popularOf}
      ORDER BY e.view_count DESC, e.id LIMIT greatest($1::bigint + $2::bigint, ${compared}))
    UNION
    (SELECT e.id FROM entity_usage u JOIN data_entity e ON e.id = u.entity_id
      WHERE ${listed} AND ${popularOf}
      ORDER BY u.reads DESC, u.entity_id LIMIT greatest($1::bigint + $2::bigint, ${compared})))
  SELECT coalesce(json_agg(json_entity_ref(e, $3) ORDER BY p.score DESC, p.id), '[]')::text AS json
    FROM (SELECT e.id, ln(1 + e.view_count) + ln(1 + coalesce(u.reads, 0)) AS score
            FROM likely JOIN data_entity e USING (id) LEFT JOIN entity_usage u ON u.entity_id = e.id
           ORDER BY score DESC, e.id LIMIT $1 OFFSET $2) p
    JOIN data_entity e ON e.id = p.id`;

/** One page of the most viewed and read entities, without relationships and groups; DataEntityRefList as JSON text. */
export async function listPopular(context: Context, page: PageQuery): Promise<string> {
  const { limit, offset } = pageWindow(page);
  const { DATA_RELATIONSHIP, DATA_ENTITY_GROUP } = entityClasses;
  const values = [limit, offset, staleDays(context), [DATA_RELATIONSHIP, DATA_ENTITY_GROUP]];
  return (await context.db.reads.query(popular, values))[0]!.json;
}
