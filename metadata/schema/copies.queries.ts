/**
 * Tables of schema $1 with their columns, by name: {table, columns}. A partitioned table stands for its partitions;
 * generated columns and tables that a crash empties are left out.
 */
export const tables = `
  SELECT c.relname AS table, array_agg(a.attname::text ORDER BY a.attnum) AS columns
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
   WHERE c.relnamespace = to_regnamespace($1) AND c.relkind IN ('r', 'p') AND NOT c.relispartition
     AND c.relpersistence = 'p' AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
   GROUP BY c.oid, c.relname ORDER BY c.relname`;

/** Sequences of schema $1, by name: {name}. */
export const sequences = `
  SELECT relname AS name FROM pg_class
   WHERE relnamespace = to_regnamespace($1) AND relkind = 'S' ORDER BY relname`;

/** $1 sequence, $2 value, $3 whether it was given. */
export const setSequence = "SELECT setval($1::regclass, $2::bigint, $3::boolean)";

/** Foreign keys of schema public: {table, name, definition}. */
export const foreignKeys = `
  SELECT c.relname AS table, k.conname AS name, pg_get_constraintdef(k.oid) AS definition
    FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
   WHERE k.contype = 'f' AND k.conparentid = 0 AND k.connamespace = 'public'::regnamespace
   ORDER BY c.relname, k.conname`;

/** How many tables and the like schema $1 holds: {count}. */
export const tableCount = `
  SELECT count(*)::integer AS count
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
   WHERE n.nspname = $1 AND c.relkind IN ('r', 'p', 'v', 'm')`;

/** Sessions of other processes of instance $1 in this database: {count}. */
export const servingSessions = `
  SELECT count(*)::integer AS count FROM pg_stat_activity
   WHERE datname = current_database() AND pid <> pg_backend_pid()
     AND (application_name = $1 OR application_name LIKE 'tributary%')`;

/** $1 slot of this database; one that is being read is left. */
export const dropUnusedSlot = `
  SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots
   WHERE slot_name = $1 AND database = current_database() AND NOT active`;

/** Everything of the schema, for another content. */
export const dropAll = "DROP SCHEMA IF EXISTS public CASCADE; CREATE SCHEMA public";

/** While this table exists, no process serves the database: a restore has begun and not ended. */
export const markRestoring = `
  CREATE TABLE restore_in_progress AS SELECT now() AS started_at`;
export const isRestoring =
  "SELECT to_regclass('public.restore_in_progress') IS NOT NULL AS restoring";
export const endRestoring = "DROP TABLE restore_in_progress";
