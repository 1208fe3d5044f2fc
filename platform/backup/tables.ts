import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type pg from "pg";
import { copyOut, named } from "#metadata/postgres/copy.ts";
import * as sql from "#metadata/schema/copies.queries.ts";
import type { BackupFile, SequenceValue, TableCopy } from "#platform/backup/manifest.ts";
import type { BackupWriter } from "#platform/backup/port.ts";

/**
 * Tables whose rows are not copied: the event log is copied as records; sessions end, so that nobody is signed in by an
 * old copy; a cursor of `change` counts transactions of this server; the schema's own notes are written by migrations; figures
 * of the last day are of the other machine; timelines and positions are of the other servers.
 */
const excludedTables: ReadonlySet<string> = new Set([
  ...["log_topic", "log_partition", "log_record", "log_group", "log_member", "log_claim"],
  ...["dead_letter_handled", "change", "session"],
  ...["ops_sample", "slow_statement", "server_history", "log_position"],
  ...["schema_function", "restore_in_progress", "projection_status", "graph_verification"],
]);

export interface SchemaCopy {
  tables: TableCopy[];
  sequences: SequenceValue[];
  files: BackupFile[];
}

/** Copies the tables of a schema, in the transaction that the client is in; sequences last, so that none is behind. */
export async function copySchema(
  client: pg.Client,
  schema: string,
  writer: BackupWriter,
  folder: string,
): Promise<SchemaCopy> {
  const { rows } = await client.query<{ table: string; columns: string[] }>(sql.tables, [schema]);
  const copy: SchemaCopy = { tables: [], sequences: [], files: [] };
  for (const [at, { table, columns }] of rows.entries()) {
    if (excludedTables.has(table)) continue;
    // Names of lookup tables need not be safe in paths.
    const name = /^[a-z0-9_]+$/.test(table) ? table : `table-${at}`;
    const file = `${folder}/${name}.copy.gz`;
    copy.files.push(
      await writer.write(file, zipped(copyOut(client, { schema, table, columns }))),
    );
    copy.tables.push({ table, columns, file });
  }
  const found = await client.query<{ name: string }>(sql.sequences, [schema]);
  for (const { name } of found.rows) {
    const { rows: [row] } = await client.query<{ value: string; called: boolean }>(
      `SELECT last_value::text AS value, is_called AS called FROM ${
        named({ schema, table: name })
      }`,
    );
    copy.sequences.push({ name, ...row! });
  }
  return copy;
}

/** The bytes of a source, compressed; fails when the source does. */
export async function* zipped(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gzip = createGzip({ level: 1 });
  const fed = pipeline(source, gzip, { end: true });
  // Reported below, when the reader has taken what came before.
  fed.catch(() => {});
  yield* gzip;
  await fed;
}
