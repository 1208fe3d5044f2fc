import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import pg from "pg";
import { copyIn, named } from "#metadata/postgres/copy.ts";
import * as sql from "#metadata/schema/copies.queries.ts";
import { createTables } from "#metadata/schema/migrate.ts";
import {
  BackupError,
  type BackupReader,
  type Manifest,
  type TableCopy,
} from "#platform/backup/manifest.ts";

/** The bytes of a compressed file of a backup. */
export async function* unzipped(
  reader: BackupReader,
  file: string,
): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip();
  const fed = pipeline(reader.read(file), gunzip);
  // Reported below, when the reader has taken what came before.
  fed.catch(() => {});
  yield* gunzip;
  await fed;
}

/**
 * Creates the tables as the backup knew them and fills them, in one transaction, which leaves the database marked as
 * not restored. `overwrite` drops what was there. Foreign keys are checked when everything is there.
 */
export async function loadMetadata(
  client: pg.Client,
  manifest: Manifest,
  reader: BackupReader,
  { overwrite }: { overwrite: boolean },
): Promise<void> {
  await client.query("BEGIN");
  if (overwrite) await client.query(sql.dropAll);
  const versions = new Set(manifest.schema.migrations.map(({ version }) => version));
  await createTables(client, versions);
  const { rows: keys } = await client.query<ForeignKey>(sql.foreignKeys);
  for (const key of keys) {
    await client.query(`ALTER TABLE ${tableNamed(key)} DROP CONSTRAINT ${nameOf(key)}`);
  }
  for (const copy of manifest.tables) await loadTable(client, copy, reader);
  for (const key of keys) {
    const add = `ALTER TABLE ${tableNamed(key)} ADD CONSTRAINT ${nameOf(key)} ${key.definition}`;
    await client.query(add);
  }
  await setSequences(client, "public", manifest.sequences);
  await client.query(sql.markRestoring);
  await client.query("COMMIT");
  await client.query("ANALYZE");
}

interface ForeignKey {
  table: string;
  name: string;
  definition: string;
}

const tableNamed = ({ table }: { table: string }) => named({ schema: "public", table });
const nameOf = ({ name }: ForeignKey) => pg.escapeIdentifier(name);

async function loadTable(
  client: pg.Client,
  { table, columns, file }: TableCopy,
  reader: BackupReader,
): Promise<void> {
  // Migrations have put the first rows into some tables.
  await client.query(`TRUNCATE ${tableNamed({ table })}`);
  await copyIn(client, { schema: "public", table, columns }, unzipped(reader, file))
    .catch((error) => {
      throw new BackupError(`The rows of table ${table} cannot be restored`, { cause: error });
    });
}

/** Sequences go on after the values that were given. Those that the schema has no more are passed over. */
export async function setSequences(
  client: pg.Client,
  schema: string,
  sequences: Manifest["sequences"],
): Promise<void> {
  const { rows } = await client.query<{ name: string }>(sql.sequences, [schema]);
  const known = new Set(rows.map(({ name }) => name));
  for (const { name, value, called } of sequences) {
    if (!known.has(name)) continue;
    await client.query(sql.setSequence, [named({ schema, table: name }), value, called]);
  }
}
