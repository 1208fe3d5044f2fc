import { entityClasses } from "#contract/entities.ts";
import type { PageWindow } from "#contract/http.ts";
import type { Queryable } from "#metadata/postgres/database.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import { briefDescription } from "#services/api/features/dataentities/limits.ts";
import { itemsJson } from "#services/api/list-json.ts";

const details = statement<JsonRow>("entity-details")`
  SELECT json_data_entity_details(e, $2)::text AS json
    FROM data_entity e WHERE e.id = $1 AND NOT e.hollow`;

/** DataEntityDetails as JSON text; undefined for an unknown or hollow entity. */
export async function entityDetails(db: Queryable, id: number, staleDays: number) {
  const [row] = await db.query(details, [id, staleDays]);
  return row?.json;
}

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

/** DataEntityBriefList as JSON text. */
export async function entityBriefs(db: Queryable, ids: number[], staleDays: number) {
  const [row] = await db.query(briefs, [ids, staleDays]);
  return row!.json;
}

export interface ListFilter {
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

const list = (kind: string, condition: string) =>
  statement<JsonRow>(`entity-list-${kind}`)`
  SELECT text_data_entity_list(
           ARRAY(SELECT e.id FROM data_entity e WHERE ${condition}
                  ORDER BY e.id LIMIT $1 OFFSET $2),
           t.total, $1::bigint + $2 < t.total, $3) AS json
    FROM (SELECT count(*) AS total FROM data_entity e WHERE ${condition}) t`;

const lists = {
  all: list("all", listed),
  catrn: list("catrn", listed + byCatrn),
  query: list("query", listed + byName("$4")),
  both: list("both", listed + byCatrn + byName("$5")),
};

/** DataEntityList of one page as JSON text, in order of id. */
export async function entityList(
  db: Queryable,
  filter: ListFilter,
  page: PageWindow,
  staleDays: number,
): Promise<string> {
  const { catrn, query } = filter;
  const kind = catrn === undefined
    ? query === undefined ? "all" : "query"
    : query === undefined
    ? "catrn"
    : "both";
  const wanted = [catrn, query].filter((value) => value !== undefined);
  const values = [page.limit, page.offset, staleDays, ...wanted];
  const [row] = await db.query(lists[kind], values);
  return row!.json;
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

/** One page of DataEntityRefList as JSON text, the most viewed and read first; without relationships and groups. */
export async function popularEntities(
  db: Queryable,
  page: PageWindow,
  staleDays: number,
): Promise<string> {
  const { DATA_RELATIONSHIP, DATA_ENTITY_GROUP } = entityClasses;
  const values = [page.limit, page.offset, staleDays, [DATA_RELATIONSHIP, DATA_ENTITY_GROUP]];
  const [row] = await db.query(popular, values);
  return row!.json;
}

// Updates in id order, to prevent deadlocks between view counters and the ingestion.
const addViews = statement("entity-views")`
  UPDATE data_entity e SET view_count = e.view_count + v.views
    FROM (SELECT d.id, n.views FROM data_entity d
            JOIN unnest($1::bigint[], $2::bigint[]) AS n (id, views) ON n.id = d.id
           ORDER BY d.id FOR NO KEY UPDATE OF d) v
   WHERE e.id = v.id`;

/** Adds views to the counts of entities. */
export async function addViewCounts(db: Queryable, views: Map<number, number>): Promise<void> {
  await db.query(addViews, [[...views.keys()], [...views.values()]]);
}
