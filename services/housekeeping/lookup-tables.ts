import pg from "pg";
import { type Database, sqlState } from "#metadata/postgres/database.ts";
import { plannedEachTime, statement } from "#metadata/postgres/statement.ts";
import { type LookupStore, type Physical, tryLockStore } from "#platform/lookup-store.ts";

interface SweptTables {
  /** The name after which to go on; null at the end, or when somebody changes tables now. */
  next: string | null;
  /** Tables and columns that were dropped. */
  dropped: number;
}

/** How many tables a call looks at, and how many of them it changes. */
export interface SweepBounds {
  scanned: number;
  changed: number;
}

/** Creating tables waits while these are dropped, and each of them takes some locks of the server. */
const bounds: SweepBounds = { scanned: 200, changed: 20 };

/**
 * Drops the rows of tables that the catalogue has no more (purged, or never finished), and columns that it
 * lacks, among the tables after that name, in one transaction. What is deleted and may be restored stays; a table that
 * somebody reads or writes is passed over until the next time.
 */
export function sweepTables(
  db: Database,
  store: LookupStore,
  after: string,
  { scanned, changed }: SweepBounds = bounds,
): Promise<SweptTables> {
  // change-ok -- removes what the catalogue does not know
  return db.transaction(async (tx) => {
    if (!await tryLockStore(tx)) return { next: null, dropped: 0 };
    return await store.within(tx, async (on) => {
      const found = await on.tx.query(physicalTables, [on.schema, after, scanned]);
      // The role of the rows may not read the catalogue, so this uses its own connection.
      const catalogued = await db.query(catalogueColumns, [found.map((one) => one.table)]);
      const gone = goneOf(found, catalogued);
      const now = gone.slice(0, changed);
      let dropped = 0;
      for (const one of now) dropped += await drop(on, one);
      if (gone.length > now.length) return { next: now.at(-1)!.table, dropped };
      return { next: found.length < scanned ? null : found.at(-1)!.table, dropped };
    });
  });
}

interface OrphanedTable {
  table: string;
  /** Null: the whole table. */
  columns: string[] | null;
}

/** What stands and is not kept. */
function goneOf(found: PhysicalTable[], catalogued: CatalogueColumn[]): OrphanedTable[] {
  const known = new Map<string, Set<string>>();
  for (const { table, column } of catalogued) {
    known.set(table, (known.get(table) ?? new Set()).add(column));
  }
  return found.flatMap(({ table, columns }): OrphanedTable[] => {
    const has = known.get(table);
    if (!has) return [{ table, columns: null }];
    const gone = (columns ?? []).filter((column) => !has.has(column));
    return gone.length > 0 ? [{ table, columns: gone }] : [];
  });
}

/** Drops a table, or columns of it; returns how many of them, 0 while somebody uses the table. */
async function drop({ tx, schema }: Physical, { table, columns }: OrphanedTable): Promise<number> {
  const at = `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(table)}`;
  const each = (columns ?? []).map((column) => `DROP COLUMN ${pg.escapeIdentifier(column)}`);
  await tx.query("SAVEPOINT swept");
  try {
    await tx.query(`LOCK TABLE ${at} IN ACCESS EXCLUSIVE MODE NOWAIT`);
    await tx.query(columns ? `ALTER TABLE ${at} ${each.join(", ")}` : `DROP TABLE ${at}`);
    await tx.query("RELEASE SAVEPOINT swept");
    return columns?.length ?? 1;
  } catch (error) {
    if (sqlState(error) !== "55P03") throw error;
    await tx.query("ROLLBACK TO SAVEPOINT swept");
    return 0;
  }
}

/** A column as the catalogue has it, by physical names. */
interface CatalogueColumn {
  table: string;
  column: string;
}

/** Which of these tables the catalogue has, with their columns; deleted ones too. */
const catalogueColumns = statement<CatalogueColumn>("lookup-kept-columns")`
  SELECT t.physical_name AS table, c.physical_name AS column
    FROM lookup_table t JOIN lookup_column c ON c.table_id = t.id
   WHERE t.physical_name = ANY($1::text[])`;

/** A table as it stands in the schema of the rows. */
interface PhysicalTable {
  table: string;
  columns: string[] | null;
}

/** $1 schema, $2 the name after which to go on, $3 most tables: tables with their columns. */
const physicalTables = plannedEachTime<PhysicalTable>("lookup-physical-tables")`
  SELECT c.relname AS table,
         array_agg(a.attname::text) FILTER (WHERE a.attname <> 'id') AS columns
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
   WHERE n.nspname = $1 AND c.relkind = 'r' AND c.relname > $2
   GROUP BY c.relname ORDER BY c.relname LIMIT $3`;
