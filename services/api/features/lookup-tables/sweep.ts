import pg from "pg";
import type { Database } from "#metadata/postgres/database.ts";
import type { Physical } from "./physical/physical.ts";
import type { LookupStore } from "./physical/store.ts";
import { holdStoreAlone, type Kept, keptColumns, standing } from "./sweep.queries.ts";

interface Standing {
  table: string;
  columns: string[] | null;
}

export interface SweptTables {
  /** The name after which to go on; null at the end, or when somebody changes tables now. */
  next: string | null;
  /** Tables and columns that were dropped. */
  dropped: number;
}

/**
 * Drops the rows of tables that the catalogue has no more (purged, or never finished), and columns that it
 * lacks, among the `limit` tables after that name. What is deleted and may be restored stays.
 */
export function sweepTables(
  db: Database,
  store: LookupStore,
  after: string,
  limit: number,
): Promise<SweptTables> {
  // change-ok -- removes what the catalogue does not know
  return db.transaction(async (tx) => {
    if (!await holdStoreAlone(tx)) return { next: null, dropped: 0 };
    return await store.within(tx, async (on) => {
      const found = await on.tx.query<Standing>(standing, [on.schema, after, limit]);
      // The role of the rows may not read the catalogue, so this is asked on a connection of its own.
      const kept = await keptColumns(db, found.map((one) => one.table));
      const dropped = await dropOthers(on, found, kept);
      return { next: found.length < limit ? null : found.at(-1)!.table, dropped };
    });
  });
}

async function dropOthers(on: Physical, found: Standing[], kept: Kept[]): Promise<number> {
  const known = new Map<string, Set<string>>();
  for (const { table, column } of kept) {
    known.set(table, (known.get(table) ?? new Set()).add(column));
  }
  let dropped = 0;
  await on.tx.query("SET LOCAL lock_timeout = '1s'");
  for (const { table, columns } of found) {
    const at = `${pg.escapeIdentifier(on.schema)}.${pg.escapeIdentifier(table)}`;
    const has = known.get(table);
    const gone = has ? (columns ?? []).filter((column) => !has.has(column)) : [];
    if (!has) await on.tx.query(`DROP TABLE ${at}`);
    for (const column of gone) {
      await on.tx.query(`ALTER TABLE ${at} DROP COLUMN ${pg.escapeIdentifier(column)}`);
    }
    dropped += has ? gone.length : 1;
  }
  return dropped;
}
