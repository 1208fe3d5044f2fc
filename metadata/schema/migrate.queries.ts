/** Allows one migration at a time; held until the session ends. */
export const lock = "SELECT pg_advisory_lock(hashtext('schema_migration'))";

/** Whether the ledger table exists, and whether it stores checksums: {columns, checksums}. */
export const ledgerColumns = `
  SELECT count(*)::integer AS columns,
         count(*) FILTER (WHERE attname = 'checksum')::integer AS checksums
    FROM pg_attribute
   WHERE attrelid = to_regclass('schema_migration') AND attnum > 0 AND NOT attisdropped`;

/** The last entry of a ledger without checksums: {name, database}. */
export const lastOfOldLedger = `
  SELECT current_database() AS database,
         (SELECT name FROM schema_migration ORDER BY version DESC LIMIT 1) AS name`;

export const ledger = `
  CREATE TABLE IF NOT EXISTS schema_migration (
    version    integer PRIMARY KEY,
    name       text NOT NULL,
    checksum   text NOT NULL,
    breaking   boolean NOT NULL,
    applied_at timestamptz(3) NOT NULL DEFAULT now()
  );
  CREATE TABLE IF NOT EXISTS schema_function (
    name       text PRIMARY KEY,
    checksum   text NOT NULL,
    applied_at timestamptz(3) NOT NULL DEFAULT now()
  )`;

export const applied =
  "SELECT version, name, checksum, breaking FROM schema_migration ORDER BY version";

/** $1 version, $2 name, $3 checksum, $4 breaking. */
export const noteNumbered =
  "INSERT INTO schema_migration (version, name, checksum, breaking) VALUES ($1, $2, $3, $4)";

export const functionFiles = "SELECT name, checksum FROM schema_function";

/** $1 name, $2 checksum. */
export const noteFunctions = `
  INSERT INTO schema_function (name, checksum) VALUES ($1, $2)
  ON CONFLICT (name) DO UPDATE SET checksum = excluded.checksum, applied_at = now()`;

/** Functions may call each other in any order, so their bodies are checked after all are created. */
export const withoutBodies = "SET LOCAL check_function_bodies = off";
export const withBodies = "SET LOCAL check_function_bodies = on";

/** Checks the bodies of all functions that this transaction created; names the first invalid one. */
export const checkBodies = `
  DO $do$ DECLARE written record; BEGIN
    FOR written IN
      SELECT p.oid, l.lanname AS language FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang
       WHERE l.lanname IN ('sql', 'plpgsql') AND p.xmin = pg_current_xact_id()::xid
    LOOP
      BEGIN
        IF written.language = 'sql' THEN PERFORM fmgr_sql_validator(written.oid);
        ELSE PERFORM plpgsql_validator(written.oid);
        END IF;
      EXCEPTION WHEN OTHERS THEN
        RAISE EXCEPTION '%: %', written.oid::regprocedure, SQLERRM;
      END;
    END LOOP;
  END $do$`;
