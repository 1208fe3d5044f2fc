import { texts } from "#metadata/postgres/array-parameters.ts";
import type { Queryable } from "#metadata/postgres/database.ts";
import { plannedEachTime } from "#metadata/postgres/statement.ts";

// Concurrent writers insert shared rows in one order, to avoid deadlocks. An insert waits for rows
// that another transaction has just inserted, instead of failing on them.
const ensure = plannedEachTime("ensure-entities")`
  INSERT INTO data_entity (catrn, hollow, excluded_from_search)
  SELECT catrn, true, true
    FROM (SELECT DISTINCT catrn COLLATE "C" AS catrn FROM unnest($1::text[]) AS w (catrn)) w
    WHERE NOT EXISTS (SELECT FROM data_entity e WHERE e.catrn = w.catrn)
    ORDER BY catrn
  ON CONFLICT (catrn) DO NOTHING`;

/**
 * Creates a hollow entity for every unknown CATRN; its first payload fills it later under the same
 * id. Call it in a short transaction: all batches compete for these rows.
 */
export async function ensureEntities(db: Queryable, catrns: string[]): Promise<void> {
  if (catrns.length > 0) await db.query(ensure, [texts(catrns)]);
}
