import type { PageWindow } from "#contract/http.ts";
import type { Queryable } from "#metadata/postgres/database.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";

const systems = statement<{ system: string; entities: number }>("directory-systems")`
  WITH source AS (SELECT id, catrn_system(catrn) AS system FROM data_source),
  held AS (
    SELECT data_source_id AS id, count(*) AS entities FROM data_entity e
     WHERE NOT e.hollow AND NOT e.excluded_from_search AND is_live(e.status)
       AND data_source_id IS NOT NULL
     GROUP BY data_source_id)
  SELECT system, coalesce(sum(entities), 0)::bigint AS entities
    FROM source LEFT JOIN held USING (id) GROUP BY system ORDER BY system`;

/** Every system with a data source, and the number of listed entities in all its sources. */
export function systemCounts(db: Queryable): Promise<{ system: string; entities: number }[]> {
  return db.query(systems);
}

const sources = statement<SourceCount>("directory-sources")`
  SELECT s.id, s.name, s.catrn, (
           SELECT count(*) FROM data_entity e
            WHERE e.data_source_id = s.id AND NOT e.hollow AND NOT e.excluded_from_search
              AND is_live(e.status)) AS entities
    FROM data_source s WHERE catrn_system(s.catrn) = $1 ORDER BY s.name, s.id`;

export interface SourceCount {
  id: number;
  name: string;
  catrn: string;
  entities: number;
}

/** The data sources of a system, by name. */
export function sourcesOf(db: Queryable, system: string): Promise<SourceCount[]> {
  return db.query(sources, [system]);
}

const types = statement<JsonRow>("directory-types")`
  SELECT (SELECT coalesce(json_agg(json_type(t.type_id) ORDER BY t.type_id), '[]')
            FROM (SELECT DISTINCT e.type_id FROM data_entity e
                   WHERE e.data_source_id = s.id AND NOT e.hollow AND NOT e.excluded_from_search
                     AND is_live(e.status)) t)::text AS json
    FROM data_source s WHERE s.id = $1`;

/**
 * DataEntityType[] of the listed entities of a source, as JSON text; undefined for an unknown
 * source.
 */
export async function typesOf(db: Queryable, id: number): Promise<string | undefined> {
  return (await db.query(types, [id]))[0]?.json;
}

const condition = `
  e.data_source_id = $1 AND NOT e.hollow AND NOT e.excluded_from_search AND is_live(e.status)
  AND ($2::smallint IS NULL OR e.type_id = $2)`;
const entities = statement<JsonRow>("directory-entities")`
  SELECT json_build_object(
           'data_source', json_data_source_with_token(s.id, NULL),
           'entities', text_data_entity_list(
             ARRAY(SELECT e.id FROM data_entity e WHERE ${condition}
                    ORDER BY e.id LIMIT $3 OFFSET $4),
             t.total, $3::bigint + $4 < t.total, $5)::json)::text AS json
    FROM data_source s,
         (SELECT count(*) AS total FROM data_entity e WHERE ${condition}) t
   WHERE s.id = $1`;

/** DataSourceEntityList of one page as JSON text; undefined for an unknown source. */
export async function entitiesOf(
  db: Queryable,
  id: number,
  typeId: number | undefined,
  page: PageWindow,
  staleDays: number,
): Promise<string | undefined> {
  const values = [id, typeId ?? null, page.limit, page.offset, staleDays];
  return (await db.query(entities, values))[0]?.json;
}
