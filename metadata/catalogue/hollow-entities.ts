import type { Queryable } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";

// What several writers want at once is inserted in one order, and rows that somebody else has just
// inserted are waited for, not failed on.
const ensure = statement("ensure-entities")`
  INSERT INTO data_entity (catrn, hollow, excluded_from_search)
  SELECT catrn, true, true
    FROM (SELECT DISTINCT catrn COLLATE "C" AS catrn FROM unnest($1::text[]) AS w (catrn)) w
    WHERE NOT EXISTS (SELECT FROM data_entity e WHERE e.catrn = w.catrn)
    ORDER BY catrn
  ON CONFLICT (catrn) DO NOTHING`;

/**
 * Makes a hollow entity of every CATRN that the catalogue does not know; the first payload fills it,
 * its id kept. Whoever does this in a transaction ends it soon: all batches share these names.
 */
export async function ensureEntities(db: Queryable, catrns: string[]): Promise<void> {
  if (catrns.length > 0) await db.query(ensure, [catrns]);
}
