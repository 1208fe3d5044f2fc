import type { Queryable, Transaction } from "#metadata/postgres/database.ts";
import { plannedEachTime, statement } from "#metadata/postgres/statement.ts";

const lockStoreStatement = statement("lookup-hold-store")`
  SELECT pg_advisory_xact_lock_shared(hashtext('lookup-tables'))`;

/** Until the transaction ends, nothing is swept: what is made now is not in the catalogue yet. */
export async function lockStore(tx: Transaction): Promise<void> {
  await tx.query(lockStoreStatement);
}

const tryLockExclusive = statement<{ locked: boolean }>("lookup-hold-store-alone")`
  SELECT pg_try_advisory_xact_lock(hashtext('lookup-tables')) AS locked`;

/** Whether nobody makes tables or columns now; nobody does until the transaction ends. */
export async function tryLockStore(tx: Transaction): Promise<boolean> {
  return (await tx.query(tryLockExclusive))[0]!.locked;
}

/** A column as the catalogue has it, by physical names. */
export interface CatalogueColumn {
  table: string;
  column: string;
}

const catalogueColumnsStatement = statement<CatalogueColumn>("lookup-kept-columns")`
  SELECT t.physical_name AS table, c.physical_name AS column
    FROM lookup_table t JOIN lookup_column c ON c.table_id = t.id
   WHERE t.physical_name = ANY($1::text[])`;

/** Which of these tables the catalogue has, with their columns; deleted ones too. */
export async function catalogueColumns(
  db: Queryable,
  tables: string[],
): Promise<CatalogueColumn[]> {
  return await db.query(catalogueColumnsStatement, [tables]);
}

/** A table as it stands in the schema of the rows. */
export interface PhysicalTable {
  table: string;
  columns: string[] | null;
}

/** $1 schema, $2 the name after which to go on, $3 most tables: tables with their columns. */
export const physicalTables = plannedEachTime<PhysicalTable>("lookup-physical-tables")`
  SELECT c.relname AS table,
         array_agg(a.attname::text) FILTER (WHERE a.attname <> 'id') AS columns
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
   WHERE n.nspname = $1 AND c.relkind = 'r' AND c.relname > $2
   GROUP BY c.relname ORDER BY c.relname LIMIT $3`;
