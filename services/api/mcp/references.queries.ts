import type { Queryable } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import { maxCandidates } from "#services/api/mcp/limits.ts";
import { nameOf, typeOf } from "#services/api/mcp/sql.ts";
import { isSame } from "#services/api/search/name-match.ts";
import { lastOf, plainOf, qualifiedText } from "#services/api/search/typed-text.ts";

/** An entity that a reference may mean. */
export interface MatchRow {
  /** Which of the references, from 1. */
  place: number;
  /**
   * 1: it is the id, 2: the CATRN, 3: the exact name, 4: the name in other letter case, 5: a qualified name (`hr.orders`),
   * 6: one with a dot in the name (`prod.orders.v1`).
   */
  how: number;
  id: number;
  catrn: string;
  name: string;
  type: string | null;
  hollow: boolean;
  data_source: string | null;
}

/** To follow `WITH found (place, how, id)`. */
const shown = `
  SELECT f.place::int AS place, f.how, e.id, e.catrn, ${nameOf("e")} AS name, ${
  typeOf("e")
} AS type,
         e.hollow, s.name AS data_source
    FROM found f JOIN data_entity e ON e.id = f.id LEFT JOIN data_source s ON s.id = e.data_source_id
   ORDER BY f.place, f.how, e.id`;

const byKey = statement<MatchRow>("mcp-references-by-key")`
  WITH asked AS (
    SELECT ref, id, place FROM unnest($1::text[], $2::bigint[]) WITH ORDINALITY AS a (ref, id, place)),
  found AS (
    SELECT a.place, 1 AS how, e.id FROM asked a JOIN data_entity e ON e.id = a.id
     UNION ALL
    SELECT a.place, 2, e.id FROM asked a JOIN data_entity e ON e.catrn = a.ref)
  ${shown}`;

/** What these references are the id or the CATRN of. `ids`: those of them that are ids, null for others. */
export function findByKey(
  db: Queryable,
  refs: string[],
  ids: (number | null)[],
): Promise<MatchRow[]> {
  return db.query(byKey, [refs, ids]);
}

// Made once for each reference: a function of a row would be called for each document.
const referencesSql = `
  SELECT ref, place, search_query(ref) AS query,
         ${plainOf("ref")} AS words, ${
  lastOf("ref")
} AS last, ref ~ '${qualifiedText.source}' AS qualified
    FROM unnest($1::text[]) WITH ORDINALITY AS a (ref, place)`;

const isNamed = `(${isSame(["a.ref"], ["e.external_name", "e.internal_name"])})`;

const byName = statement<MatchRow>("mcp-references-by-name")`
  WITH asked AS MATERIALIZED (${referencesSql}),
  found AS MATERIALIZED (
    SELECT a.place, n.how, n.id FROM asked a CROSS JOIN LATERAL (
      SELECT e.id, CASE WHEN a.ref IN (e.external_name, e.internal_name) THEN 3
                        WHEN ${isNamed} THEN 4 WHEN d.name = a.last THEN 5 ELSE 6 END AS how
        FROM search_document d JOIN data_entity e ON e.id = d.entity_id
       WHERE d.vector @@ a.query
         AND CASE WHEN d.names @@ a.query AND ${isNamed} THEN true
                  WHEN a.qualified AND search_before(a.words, d.name) IS NOT NULL
                  THEN search_leads(search_before(a.words, d.name), search_context(e.id)) END
         AND NOT e.hollow AND is_live(e.status)
       ORDER BY how, e.id LIMIT ${maxCandidates + 1}) n)
  ${shown}`;

/** The live entities that have one of these names, whatever its letter case; exact ones first, qualified ones last. */
export function findByName(db: Queryable, refs: string[]): Promise<MatchRow[]> {
  return db.query(byName, [refs]);
}
