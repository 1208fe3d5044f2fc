import type pg from "pg";
import { copySession } from "#metadata/postgres/copy.ts";
import type { Database } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import {
  copyLog,
  copySchema,
  includeReplay,
  readStartOffsets,
  type SchemaCopy,
  type StartOffsets,
} from "#platform/backup/copies.ts";
import {
  BackupError,
  type BackupFile,
  type BackupWriter,
  formatVersion,
  Manifest,
  pieceName,
} from "#platform/backup/manifest.ts";
import type { Context } from "#platform/context.ts";
import { version } from "#platform/version.ts";
import type { Config } from "#platform/config/schema.ts";
import { isSecretKey, secretsIn } from "#platform/secrets.ts";
import type { ObjectStorage } from "#storage/port.ts";

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
    const text = new TextEncoder().encode(await configurationText(deps.config));
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
    const schema = await readMigrations(client);
    if (schema.version === 0) {
      throw new BackupError("The database has no schema: nothing to back up");
    }
    includeReplay(starts, await readReplayOffsets(client));
    return {
      schema,
      position: await readLineagePosition(client),
      keys: await readPieceKeys(client),
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
    await client.query(beginSnapshot);
    await client.query(exactTexts);
    const result = await work(client);
    await client.query("COMMIT");
    return result;
  } finally {
    await client.end().catch(() => {});
  }
}

/**
 * Copies the pieces of attachments that the snapshot refers to. One that is missing because its file was deleted
 * meanwhile is listed; any other that is missing fails the backup, which could not restore that file.
 */
async function copyAttachments(
  { db, storage }: { db: Database; storage: ObjectStorage },
  keys: string[],
  writer: BackupWriter,
): Promise<Manifest["attachments"] & { files: BackupFile[] }> {
  const copied = { pieces: [] as string[], deleted: [] as string[], files: [] as BackupFile[] };
  for (const key of keys) {
    const bytes = await storage.get(key);
    if (bytes) {
      copied.files.push(await writer.write(pieceName(key), ReadableStream.from([bytes])));
      copied.pieces.push(key);
    } else if ((await db.query(pieceOfFile, [key])).length > 0) {
      throw new BackupError(
        `The storage of attachments has lost the object ${key}: restore it from an older backup, or delete its file`,
      );
    } else copied.deleted.push(key);
  }
  return copied;
}

/** One state of the whole database for all statements that follow, until `COMMIT`. */
const beginSnapshot = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/** Text of dates and numbers that another server reads back exactly. */
const exactTexts =
  "SET LOCAL datestyle = 'ISO, YMD'; SET LOCAL extra_float_digits = 3; SET LOCAL intervalstyle = 'postgres'";

async function readMigrations(client: pg.Client): Promise<Manifest["schema"]> {
  const { rows } = await client.query<Manifest["schema"]["migrations"][number]>(
    "SELECT version, name, checksum FROM schema_migration ORDER BY version",
  );
  return { version: rows.at(-1)?.version ?? 0, migrations: rows };
}

async function readLineagePosition(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ position: string }>(
    "SELECT coalesce(max(position), 0)::text AS position FROM lineage_outbox",
  );
  return Number(rows[0]!.position);
}

async function readPieceKeys(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ key: string }>(
    "SELECT key::text FROM attachment_piece WHERE file_id IS NOT NULL ORDER BY key",
  );
  return rows.map(({ key }) => key);
}

/** By partition of the log of spans, the offset from which the pairing reads again. */
async function readReplayOffsets(client: pg.Client): Promise<Map<number, number>> {
  const { rows } = await client.query<{ partition: number; offset: string }>(
    `SELECT partition, replay_offset::text AS "offset" FROM span_checkpoint`,
  );
  return new Map(rows.map(({ partition, offset }) => [partition, Number(offset)]));
}

/** A row where a piece belongs to a file now. */
const pieceOfFile = statement("backup-piece-of-file")`
  SELECT FROM attachment_piece WHERE key = $1 AND file_id IS NOT NULL`;

/**
 * The configuration as YAML, for an operator who rebuilds the installation, without every value that is a secret or holds one;
 * their keys are listed. Durations are milliseconds, sizes bytes.
 */
export async function configurationText(config: Config): Promise<string> {
  const { stringify } = await import("yaml");
  const omitted: string[] = [];
  const shown = withoutSecrets(config, "", omitted);
  const head = [
    "# The configuration of this instance when the backup was made, defaults included.",
    "# Secrets are not in a backup. These keys were set and are left out:",
    ...omitted.map((key) => `#   ${key}`),
  ];
  return `${head.join("\n")}\n${stringify(shown)}`;
}

function withoutSecrets(value: unknown, key: string, omitted: string[]): unknown {
  if (value !== null && typeof value === "object" && !Array.isArray(value)) {
    const entries = Object.entries(value).flatMap(([name, member]) => {
      const path = key === "" ? name : `${key}.${name}`;
      const shown = withoutSecrets(member, path, omitted);
      return shown === undefined ? [] : [[name, shown] as const];
    });
    return Object.fromEntries(entries);
  }
  if (value === undefined || value === null) return undefined;
  const isSecret = isSecretKey(key) && value !== "";
  if (!isSecret && secretsIn(value, key).every((secret) => secret === "")) return value;
  omitted.push(key);
  return undefined;
}
