import pg from "pg";
import { messageOf } from "#kit/errors.ts";
import type { Logger } from "#kit/log.ts";
import { isRestoring } from "#metadata/schema/copies.queries.ts";
import * as sql from "#metadata/schema/migrate.queries.ts";
import {
  type FunctionFile,
  type NumberedFile,
  type SchemaFiles,
  schemaFiles,
  schemaFolder,
} from "#metadata/schema/schema-files.ts";

/** The database has a schema that this release must not modify; the message says what to do. */
export class SchemaError extends Error {
  override readonly name = "SchemaRefused";
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
    await client.query(sql.lock);
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
  await client.query(sql.ledger);
  const files = schemaFiles(folder).numbered;
  for (const file of files.filter(({ version }) => versions.has(version))) await run(client, file);
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
  await client.query(sql.ledger);
  const { rows } = await client.query<AppliedMigration>(sql.applied);
  refuse(files.numbered, rows);
  const known = new Set(rows.map(({ version }) => version));
  const missing = files.numbered.filter(({ version }) => !known.has(version));
  for (const file of missing) {
    await run(client, file);
    const { version, name, checksum, breaking } = file;
    await client.query(sql.noteNumbered, [version, name, checksum, breaking]);
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
  const { rows } = await client.query<{ name: string; checksum: string }>(sql.functionFiles);
  const known = new Map(rows.map(({ name, checksum }) => [name, checksum]));
  const changed = files.filter(({ name, checksum }) => all || known.get(name) !== checksum);
  if (changed.length === 0) return [];
  await client.query(sql.withoutBodies);
  for (const file of changed) {
    await run(client, file);
    await client.query(sql.noteFunctions, [file.name, file.checksum]);
  }
  await client.query(sql.withBodies);
  await client.query(sql.checkBodies).catch((error) => {
    throw new Error(`A function of the schema is wrong: ${messageOf(error)}`, { cause: error });
  });
  return changed;
}

async function run(client: pg.Client, file: FunctionFile): Promise<void> {
  await client.query(file.sql).catch((error) => {
    throw new Error(`${file.name} of the schema failed`, { cause: error });
  });
}

/** Refuses databases without checksums: they predate the first release, so none needs an upgrade. */
async function refuseOldLedger(client: pg.Client): Promise<void> {
  const { rows: [ledger] } = await client.query(sql.ledgerColumns);
  if (ledger.columns === 0 || ledger.checksums > 0) return;
  const { rows: [last] } = await client.query(sql.lastOfOldLedger);
  throw new SchemaError(
    `The database ${last.database} was made before the first release (its schema ends with ` +
      `${last.name}) and cannot be carried forward: name a new data directory (data.dir, DATA_DIR), ` +
      "or an empty database (metadata.postgres.url, METADATA_POSTGRES_URL), and let collectors fill it",
  );
}

function refuse(files: NumberedFile[], applied: AppliedMigration[]): void {
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
