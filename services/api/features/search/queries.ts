import type { Queryable } from "#metadata/database.ts";
import type { Actor } from "#contract/actor.ts";
import { matching, owned, Parameters } from "#services/api/features/search/conditions.ts";
import {
  type Facet,
  facetNames,
  facets,
  type FacetSpec,
} from "#services/api/features/search/facets.ts";
import { idsOf, type SearchState } from "#services/api/features/search/state.ts";

interface Page {
  limit: number;
  offset: number;
}

/** Classes that no entity has: runs are kept apart from entities. */
const runClasses = "3, 5";

/** SearchFacetsData of a state as JSON text: what is chosen, counts by class, and totals. */
export async function facetsData(
  db: Queryable,
  id: string,
  state: SearchState,
  actor: Actor,
): Promise<string> {
  const p = new Parameters();
  const { from, where } = matching(state, p, ["entity_classes"]);
  const classes = p.bind(idsOf(state, "entity_classes").map((id) => Math.min(id, 32_767)));
  const chosenClass = `(${classes}::smallint[] = '{}' OR m.class_ids && ${classes}::smallint[])`;
  const filters = p.bind(JSON.stringify(state.filters));
  const statement = `
    WITH m AS MATERIALIZED (
      SELECT e.class_ids, ${owned(actor, p)} AS mine, count(*) AS count
        FROM ${from} WHERE ${where} GROUP BY 1, 2),
    counted AS (
      SELECT c.id, sum(m.count) AS count FROM m, unnest(m.class_ids) AS c (id)
       WHERE m.mine OR NOT ${p.bind(state.my_objects)}::boolean GROUP BY c.id)
    SELECT json_build_object(
      'search_id', ${p.bind(id)}::text, 'query', ${p.bind(state.query)}::text,
      'facet_state', json_build_object('entity_classes', (
        SELECT json_agg(json_build_object('id', c.id, 'name', c.name,
                 'count', coalesce(counted.count, 0),
                 'selected', c.id = ANY(${classes}::smallint[])) ORDER BY c.id)
          FROM entity_class c LEFT JOIN counted ON counted.id = c.id
         WHERE c.id NOT IN (${runClasses}) OR c.id = ANY(${classes}::smallint[])),
        ${chosenFilters(filters)}),
      'total', (SELECT coalesce(sum(count), 0) FROM m WHERE ${chosenClass}),
      'my_objects_total', (
        SELECT coalesce(sum(count), 0) FROM m WHERE mine AND ${chosenClass}),
      'my_objects', ${p.bind(state.my_objects)}::boolean)::text AS json`;
  return (await db.query<{ json: string }>(statement, p.values))[0]!.json;
}

/** Members of FacetState for what is chosen, each value with the name it has now. */
function chosenFilters(filters: string): string {
  return facetNames.filter((facet) => facet !== "entity_classes").map((facet) => `
    '${facet}', (
      SELECT coalesce(json_agg(json_build_object('id', f.id,
               'name', coalesce(n.name, f.name, f.id::text)) ORDER BY f.id), '[]')
        FROM jsonb_to_recordset(${filters}::jsonb -> '${facet}') AS f (id bigint, name text)
        LEFT JOIN (${facets[facet].names}) n ON n.id = f.id)`).join(",");
}

/** DataEntityList of one page as JSON text, the best matches first. */
export async function results(
  db: Queryable,
  state: SearchState,
  actor: Actor,
  page: Page,
  staleDays: number,
): Promise<string> {
  const p = new Parameters();
  const { from, where, rank, typed } = matching(state, p);
  const mine = state.my_objects ? `AND ${owned(actor, p)}` : "";
  const [limit, offset] = [p.bind(page.limit), p.bind(page.offset)];
  // Ranks are worked out once for all; without any the order is that of an index.
  const statement = `
    WITH m AS ${typed ? "MATERIALIZED" : "NOT MATERIALIZED"} (
      SELECT e.id, ${rank} AS rank FROM ${from} WHERE ${where} ${mine})
    SELECT json_data_entity_list(
             ARRAY(SELECT id FROM m ORDER BY ${typed ? "rank DESC, " : ""}id
                    LIMIT ${limit} OFFSET ${offset}),
             t.total, ${limit}::bigint + ${offset} < t.total, ${p.bind(staleDays)})::text AS json
      FROM (SELECT count(*) AS total FROM m) t`;
  return (await db.query<{ json: string }>(statement, p.values))[0]!.json;
}

/** CountableSearchFilter[] of one page as JSON text: what can still be chosen, most frequent first. */
export async function facetValues(
  db: Queryable,
  state: SearchState,
  actor: Actor,
  facet: Facet,
  pattern: string,
  page: Page,
): Promise<string> {
  const p = new Parameters();
  const { from, where } = matching(state, p, [facet]);
  const { join = "", value }: FacetSpec = facets[facet];
  const mine = state.my_objects ? `AND ${owned(actor, p)}` : "";
  const statement = `
    SELECT coalesce(json_agg(json_build_object('id', id, 'name', name, 'count', count,
             'selected', false) ORDER BY count DESC, name, id), '[]')::text AS json
      FROM (SELECT n.id, n.name, v.count
              FROM (SELECT ${value} AS value, count(*) AS count
                      FROM ${from} ${join} WHERE ${where} ${mine} GROUP BY 1) v
              JOIN (${facets[facet].names}) n ON n.id = v.value
             WHERE n.id <> ALL(${p.bind(idsOf(state, facet))}::bigint[])
               AND n.name ILIKE ${p.bind(pattern)}
             ORDER BY v.count DESC, n.name, n.id
             LIMIT ${p.bind(page.limit)} OFFSET ${p.bind(page.offset)}) shown`;
  return (await db.query<{ json: string }>(statement, p.values))[0]!.json;
}

const suggest = `
  WITH q AS (SELECT search_query($1) AS query)
  SELECT coalesce(json_agg(json_entity_ref(e, $4) ORDER BY best.rank DESC, best.id), '[]')::text
           AS json
    FROM (SELECT e.id, ts_rank(d.vector, q.query) AS rank
            FROM q JOIN search_document d ON d.vector @@ q.query
            JOIN data_entity e ON e.id = d.entity_id
           WHERE NOT e.hollow AND NOT e.excluded_from_search AND e.status <> 5
             AND ($2::smallint IS NULL OR $2 = ANY(e.class_ids))
             AND ($3::boolean IS NULL OR e.manually_created = $3)
           ORDER BY rank DESC, e.id LIMIT 5) best
    JOIN data_entity e ON e.id = best.id`;

/** DataEntityRefList as JSON text: the five best matches of what is typed. */
export async function suggestions(
  db: Queryable,
  typed: string,
  filter: { classId?: number; manual?: boolean },
  staleDays: number,
): Promise<string> {
  const values = [typed, filter.classId ?? null, filter.manual ?? null, staleDays];
  return (await db.query<{ json: string }>(suggest, values))[0]!.json;
}
