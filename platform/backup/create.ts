import type pg from "pg";
import { copySession } from "#metadata/postgres/copy.ts";
import { copyAttachments } from "#platform/backup/attachments.ts";
import { configurationText } from "#platform/backup/configuration.ts";
import {
  copyLog,
  includeReplay,
  readStartOffsets,
  type StartOffsets,
} from "#platform/backup/event-log.ts";
import {
  BackupError,
  type BackupFile,
  formatVersion,
  Manifest,
} from "#platform/backup/manifest.ts";
import type { BackupWriter } from "#platform/backup/port.ts";
import * as queries from "#platform/backup/queries.ts";
import { copySchema, type SchemaCopy } from "#platform/backup/tables.ts";
import type { Context } from "#platform/context.ts";
import { version } from "#platform/version.ts";

/** Session name of a backup; a restore does not count it as a running Tributary. */
export const backupSession = "tributary backup";

export type BackupDeps = Pick<
  Context,
  "config" | "db" | "lookup" | "events" | "graph" | "storage" | "clock"
>;

export interface BackupResult {
  manifest: Manifest;
  /** Bytes of all files. */
  bytes: number;
}

/**
 * Writes a backup while the instance runs: what was acknowledged before this call is in it. The offsets of the log are
 * read first, then one snapshot of the metadata, then the log up to its end. Aborts the writer when it fails.
 */
export async function createBackup(deps: BackupDeps, writer: BackupWriter): Promise<BackupResult> {
  try {
    const starts = await readStartOffsets(deps.events);
    const metadata = await copyMetadata(deps, starts, writer);
    const lookup = await copyLookup(deps, metadata.lookup, writer);
    const { topics, files } = await copyLog(deps, starts, writer);
    const { files: pieces, ...attachments } = await copyAttachments(deps, metadata.keys, writer);
    const text = new TextEncoder().encode(configurationText(deps.config));
    const configuration = await writer.write("configuration.yaml", ReadableStream.from([text]));
    const { config, events, graph, clock } = deps;
    const manifest = Manifest.parse({
      format: formatVersion,
      product: version,
      createdAt: new Date(clock.now()).toISOString(),
      instance: config.instance,
      engines: {
        metadata: config.metadata.postgres.url ? "postgres" : "embedded",
        log: events.engine,
        graph: graph.engine,
      },
      schema: metadata.schema,
      lineagePosition: metadata.position,
      log: topics,
      tables: metadata.copy.tables,
      sequences: metadata.copy.sequences,
      lookup: lookup.tables,
      lookupSequences: lookup.sequences,
      attachments,
      files: [...metadata.copy.files, ...lookup.files, ...files, ...pieces, configuration],
    });
    await writer.commit(`${JSON.stringify(manifest, null, 1)}\n`);
    return { manifest, bytes: sizeOf(manifest.files) };
  } catch (error) {
    await writer.abort().catch(() => {});
    throw error;
  }
}

const sizeOf = (files: BackupFile[]) => files.reduce((sum, { size }) => sum + size, 0);

interface MetadataCopy {
  schema: Manifest["schema"];
  position: number;
  copy: SchemaCopy;
  /** Absent where the rows of lookup tables lie in another database. */
  lookup: SchemaCopy | null;
  /** Keys of the pieces of attachments. */
  keys: string[];
}

/** Copies one state of the metadata; `starts` then includes what the pairing of spans reads again. */
async function copyMetadata(
  { db, lookup }: BackupDeps,
  starts: StartOffsets,
  writer: BackupWriter,
): Promise<MetadataCopy> {
  return await inSnapshot(db.url, async (client) => {
    const schema = await queries.readMigrations(client);
    if (schema.version === 0) {
      throw new BackupError("The database has no schema: nothing to back up");
    }
    includeReplay(starts, await queries.readReplayOffsets(client));
    return {
      schema,
      position: await queries.readLineagePosition(client),
      keys: await queries.readPieceKeys(client),
      copy: await copySchema(client, "public", writer, "metadata"),
      lookup: lookup ? null : await copySchema(client, "tributary_lookup", writer, "lookup"),
    };
  });
}

/** The rows of lookup tables, from a snapshot of their own where they lie in another database. */
async function copyLookup(
  { config, lookup }: BackupDeps,
  copied: SchemaCopy | null,
  writer: BackupWriter,
): Promise<SchemaCopy> {
  if (copied || !lookup) return copied ?? { tables: [], sequences: [], files: [] };
  return await inSnapshot(
    lookup.url,
    (client) => copySchema(client, `${config.instance}_lookup`, writer, "lookup"),
  );
}

async function inSnapshot<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await copySession(url, backupSession);
  try {
    await client.query(queries.beginSnapshot);
    await client.query(queries.exactTexts);
    const result = await work(client);
    await client.query("COMMIT");
    return result;
  } finally {
    await client.end().catch(() => {});
  }
}
