import type { Database } from "#metadata/postgres/database.ts";
import * as queries from "./stretch.queries.ts";

/** Entities of one transaction: few enough that searches of others go on. */
const chunk = 5_000;

/** Writes entities `from` to `to` straight into the metadata store, with what batches would leave of each. */
export async function stretch(db: Database, from: number, to: number): Promise<void> {
  if (from === 1) await db.query(queries.tags);
  for (let first = from; first <= to; first += chunk) {
    const range = [first, Math.min(first + chunk - 1, to)];
    await db.transaction(async (tx) => {
      for (const name of ["entities", "fields", "details", "edges", "documents"] as const) {
        await tx.query(queries[name], range);
      }
    });
  }
}
