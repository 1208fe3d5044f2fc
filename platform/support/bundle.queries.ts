import type { Queryable } from "#metadata/postgres/database.ts";
import { plannedEachTime } from "#metadata/postgres/statement.ts";

/** A file of the schema that was applied. */
interface AppliedFile {
  name: string;
  applied_at: string;
}

const migrations = plannedEachTime<AppliedFile & { version: number; breaking: boolean }>(
  "support-migrations",
)`
  SELECT version, name, breaking, applied_at::text AS applied_at FROM schema_migration ORDER BY version`;

const functions = plannedEachTime<AppliedFile & { checksum: string }>("support-functions")`
  SELECT name, checksum, applied_at::text AS applied_at FROM schema_function ORDER BY name`;

/** What of the schema was applied, and when. */
export async function appliedSchema(db: Queryable): Promise<object> {
  return { migrations: await db.query(migrations), functions: await db.query(functions) };
}

interface TableSize {
  table: string;
  rows: number;
  dead_rows: number;
  bytes: number;
  vacuumed_at: string | null;
  analyzed_at: string | null;
}

const tables = plannedEachTime<TableSize>("support-table-sizes")`
  SELECT relname AS table, n_live_tup::float8 AS rows, n_dead_tup::float8 AS dead_rows,
         pg_total_relation_size(relid)::float8 AS bytes,
         greatest(last_vacuum, last_autovacuum)::text AS vacuumed_at,
         greatest(last_analyze, last_autoanalyze)::text AS analyzed_at
    FROM pg_stat_user_tables
   ORDER BY pg_total_relation_size(relid) DESC, relname
   LIMIT 1000`;

/** Rows and bytes of each table, as the statistics of PostgreSQL estimate them: counting large tables would take minutes. */
export function tableSizes(db: Queryable): Promise<object[]> {
  return db.query(tables);
}
