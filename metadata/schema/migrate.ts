import { sha256 } from "#kit/canonical.ts";
import { readdirSync, readFileSync } from "node:fs";
import pg from "pg";
import { messageOf } from "#kit/errors.ts";
import type { Logger } from "#kit/log.ts";
import { isRestoring } from "#metadata/schema/copies.queries.ts";

export const schemaFolder = new URL("./", import.meta.url);

/** Tables, indexes, constraints and rows: applied once, in order, and never edited afterwards. */
interface NumberedFile {
  version: number;
  name: string;
  sql: string;
  checksum: string;
  /** Its first line is `-- breaking`: the previous release cannot run on the resulting schema. */
  breaking: boolean;
}

/** Functions, views and triggers of one area: applied again whenever the file changes. */
interface FunctionFile {
  name: string;
  sql: string;
  checksum: string;
}

interface SchemaFiles {
  /** In order; never empty. */
  numbered: NumberedFile[];
  functions: FunctionFile[];
}

/** The database has a schema that this release must not modify; the message says what to do. */
export class SchemaError extends Error {
  override readonly name = "SchemaError";
}

/**
 * Updates the schema to this release, or to `folder`: first missing numbered files, then changed
 * function files, all in one transaction, one process at a time (advisory lock). A newer schema is
 * accepted if none of its files is breaking, and keeps its functions. Throws `SchemaError`, also for a database
 * whose restore did not end, unless that restore itself calls (`restoring`).
 */
export async function migrate(
  url: string,
  log: Logger,
  folder = schemaFolder,
  { restoring = false } = {},
): Promise<void> {
  const files = schemaFiles(folder);
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    await client.query(lockMigrations);
    await client.query("BEGIN");
    if (!restoring) await refuseUnfinished(client);
    const done = await apply(client, files).catch(async (error) => {
      await client.query("ROLLBACK").catch(() => {});
      throw error;
    });
    await client.query("COMMIT");
    for (const file of done) log.info("schema migrated", { file });
  } finally {
    await client.end();
  }
}

/**
 * Creates the tables as these migrations make them, without functions, triggers and views, in the transaction of the
 * client. `migrate` completes the schema, once the rows are there.
 */
export async function createTables(
  client: pg.Client,
  versions: ReadonlySet<number>,
  folder = schemaFolder,
): Promise<void> {
  await client.query(ledger);
  const files = schemaFiles(folder).numbered;
  for (const file of files.filter(({ version }) => versions.has(version))) {
    await runFile(client, file);
  }
}

async function refuseUnfinished(client: pg.Client): Promise<void> {
  const { rows: [found] } = await client.query<{ restoring: boolean }>(isRestoring);
  if (!found!.restoring) return;
  throw new SchemaError(
    "A restore into this database did not end: run it again, `npm run restore -- <backup> --overwrite`",
  );
}

/** Returns the names of the files that were applied. */
async function apply(client: pg.Client, files: SchemaFiles): Promise<string[]> {
  await refuseOldLedger(client);
  await client.query(ledger);
  const { rows } = await client.query<AppliedMigration>(appliedMigrations);
  refuseUnlike(files.numbered, rows);
  const known = new Set(rows.map(({ version }) => version));
  const missing = files.numbered.filter(({ version }) => !known.has(version));
  for (const file of missing) {
    await runFile(client, file);
    const { version, name, checksum, breaking } = file;
    await client.query(noteNumbered, [version, name, checksum, breaking]);
  }
  const newest = rows.at(-1)?.version ?? 0;
  // An older process that starts again must not overwrite the functions of a newer release.
  const functions = newest > files.numbered.at(-1)!.version
    ? []
    : await applyFunctions(client, files.functions, missing.length > 0);
  return [...missing, ...functions].map(({ name }) => name);
}

type AppliedMigration = Pick<NumberedFile, "version" | "name" | "checksum" | "breaking">;

/** `all`: also apply unchanged files, since tables may have changed. */
async function applyFunctions(
  client: pg.Client,
  files: FunctionFile[],
  all: boolean,
): Promise<FunctionFile[]> {
  const { rows } = await client.query<{ name: string; checksum: string }>(appliedFunctions);
  const known = new Map(rows.map(({ name, checksum }) => [name, checksum]));
  const changed = files.filter(({ name, checksum }) => all || known.get(name) !== checksum);
  if (changed.length === 0) return [];
  await client.query(withoutBodies);
  for (const file of changed) {
    await runFile(client, file);
    await client.query(noteFunctions, [file.name, file.checksum]);
  }
  await client.query(withBodies);
  await client.query(checkBodies).catch((error) => {
    throw new Error(`A function of the schema is wrong: ${messageOf(error)}`, { cause: error });
  });
  return changed;
}

async function runFile(client: pg.Client, file: FunctionFile): Promise<void> {
  await client.query(file.sql).catch((error) => {
    throw new Error(`${file.name} of the schema failed`, { cause: error });
  });
}

/** Refuses databases without checksums: they predate the first release, so none needs an upgrade. */
async function refuseOldLedger(client: pg.Client): Promise<void> {
  const { rows: [found] } = await client.query(ledgerColumns);
  if (found.columns === 0 || found.checksums > 0) return;
  const { rows: [last] } = await client.query(lastOfOldLedger);
  throw new SchemaError(
    `The database ${last.database} was made before the first release (its schema ends with ` +
      `${last.name}) and cannot be carried forward: name a new data directory (data.dir, DATA_DIR), ` +
      "or an empty database (metadata.postgres.url, METADATA_POSTGRES_URL), and let collectors fill it",
  );
}

/** Refuses a database that was not made by these files. */
function refuseUnlike(files: NumberedFile[], applied: AppliedMigration[]): void {
  const newest = files.at(-1)!;
  const last = applied.at(-1);
  const ahead = applied.find(({ version, breaking }) => version > newest.version && breaking);
  if (ahead) {
    throw new SchemaError(
      `The metadata schema is at version ${ahead.version}, this release serves up to ` +
        `${newest.version}: run the newer release, or restore a backup made by this one`,
    );
  }
  const known = new Map(applied.map((row) => [row.version, row]));
  for (const { version, name, checksum } of files) {
    const row = known.get(version);
    if (row && row.checksum !== checksum) {
      throw new SchemaError(
        `${name} of the schema is not the file that this database was made by (${row.name}): ` +
          "bring that one back and put the change into a file with a new number; or, if the " +
          "database may be lost, start with an empty one",
      );
    }
    if (!row && last && version < last.version) {
      throw new SchemaError(
        `${name} of the schema is missing here and comes too late, after ${last.name} was applied: ` +
          `give it a number above ${last.version}`,
      );
    }
  }
}

/** The files of a release; throws when one is misnamed, or two have the same number. */
export function schemaFiles(folder = schemaFolder): SchemaFiles {
  const numbered = readFolder(folder).map((file) => {
    const number = /^(\d{4})_[a-z0-9_]+\.sql$/.exec(file.name)?.[1];
    if (!number) throw new Error(`${file.name} of the schema must be called NNNN_<what>.sql`);
    return { ...file, version: Number(number), breaking: /^-- breaking\b/.test(file.sql) };
  });
  if (numbered.length === 0) throw new Error(`${folder.pathname} holds no numbered file`);
  const twice = numbered.find((file, at) => file.version === numbered[at - 1]?.version);
  if (twice) throw new Error(`${twice.name} has the number of another file of the schema`);
  return { numbered, functions: readFolder(folder, "functions/") };
}

function readFolder(folder: URL, within = ""): FunctionFile[] {
  const names = readdirSync(new URL(within, folder)).filter((name) => name.endsWith(".sql")).sort();
  return names.map((file) => {
    const name = within + file;
    // A checkout may have converted the line ends.
    const sql = readFileSync(new URL(name, folder), "utf8").replaceAll("\r\n", "\n");
    return { name, sql, checksum: sha256(sql) };
  });
}

/** Allows one migration at a time; held until the session ends. */
const lockMigrations = "SELECT pg_advisory_lock(hashtext('schema_migration'))";

/** Whether the ledger table exists, and whether it stores checksums: {columns, checksums}. */
const ledgerColumns = `
  SELECT count(*)::integer AS columns,
         count(*) FILTER (WHERE attname = 'checksum')::integer AS checksums
    FROM pg_attribute
   WHERE attrelid = to_regclass('schema_migration') AND attnum > 0 AND NOT attisdropped`;

/** The last entry of a ledger without checksums: {name, database}. */
const lastOfOldLedger = `
  SELECT current_database() AS database,
         (SELECT name FROM schema_migration ORDER BY version DESC LIMIT 1) AS name`;

const ledger = `
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

const appliedMigrations =
  "SELECT version, name, checksum, breaking FROM schema_migration ORDER BY version";

/** $1 version, $2 name, $3 checksum, $4 breaking. */
export const noteNumbered =
  "INSERT INTO schema_migration (version, name, checksum, breaking) VALUES ($1, $2, $3, $4)";

const appliedFunctions = "SELECT name, checksum FROM schema_function";

/** $1 name, $2 checksum. */
const noteFunctions = `
  INSERT INTO schema_function (name, checksum) VALUES ($1, $2)
  ON CONFLICT (name) DO UPDATE SET checksum = excluded.checksum, applied_at = now()`;

/** Functions may call each other in any order, so their bodies are checked after all are created. */
const withoutBodies = "SET LOCAL check_function_bodies = off";
const withBodies = "SET LOCAL check_function_bodies = on";

/** Checks the bodies of all functions that this transaction created; names the first invalid one. */
const checkBodies = `
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
