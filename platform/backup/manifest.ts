import { createHash } from "node:crypto";
import { z } from "zod";

/** Version of the layout of a backup; a release reads its own and older ones. */
export const formatVersion = 1;

/** The file that makes a backup whole; it is written last. */
export const manifestName = "manifest.json";

const count = z.int().min(0);
/** A path within the backup, of safe characters, that stays within it. */
const fileName = z.string().max(300).refine(
  (text) => text.split("/").every((part) => /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/.test(part)),
  "must be a path within the backup",
);

const BackupFile = z.object({
  name: fileName,
  /** Bytes. */
  size: count,
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
export type BackupFile = z.output<typeof BackupFile>;

const TableCopy = z.object({
  table: z.string().min(1),
  columns: z.array(z.string().min(1)).min(1),
  file: fileName,
});
/** The rows of one table, as `COPY` writes them in its text format. */
export type TableCopy = z.output<typeof TableCopy>;

const SequenceValue = z.object({
  name: z.string().min(1),
  value: z.string().regex(/^-?\d{1,19}$/),
  called: z.boolean(),
});
export type SequenceValue = z.output<typeof SequenceValue>;

const PartitionCopy = z.object({
  partition: count,
  /** Offsets of the records: `from` inclusive, `to` exclusive. */
  from: count,
  to: count,
  records: count,
  /** Absent when there are no records. */
  file: fileName.optional(),
});
export type PartitionCopy = z.output<typeof PartitionCopy>;

const TopicCopy = z.object({ topic: z.string().min(1), partitions: z.array(PartitionCopy) });
export type TopicCopy = z.output<typeof TopicCopy>;

/** What a backup holds. Unknown members are ignored, so that a later release may add some. */
export const Manifest = z.object({
  format: z.int().min(1),
  /** Version of the release that wrote it. */
  product: z.string(),
  createdAt: z.iso.datetime(),
  instance: z.string(),
  engines: z.object({ metadata: z.string(), log: z.string(), graph: z.string() }),
  schema: z.object({
    /** The last migration. */
    version: count,
    migrations: z.array(z.object({ version: count, name: z.string(), checksum: z.string() })),
  }),
  /** Position of the lineage outbox at the snapshot. */
  lineagePosition: count,
  log: z.array(TopicCopy),
  tables: z.array(TableCopy),
  sequences: z.array(SequenceValue),
  lookup: z.array(TableCopy),
  lookupSequences: z.array(SequenceValue),
  attachments: z.object({
    pieces: z.array(z.uuid()),
    /** Pieces of files that were deleted while the backup was written. */
    deleted: z.array(z.uuid()),
  }),
  files: z.array(BackupFile),
});
export type Manifest = z.output<typeof Manifest>;

/** Name of the file that holds a piece of an attachment. */
export const pieceName = (key: string): string => `attachments/${key}`;

/** A backup that cannot be used, or a target that must not be restored to; the message says what to do. */
export class BackupError extends Error {
  override readonly name = "BackupError";
}

/** Where a backup is written. Nothing counts as a backup before `commit` has resolved. */
export interface BackupWriter {
  /** Where the backup will be, for messages. */
  readonly location: string;
  /** Writes one file; resolves when it is durable. */
  write(name: string, chunks: AsyncIterable<Uint8Array>): Promise<BackupFile>;
  /** Writes the manifest and makes the backup whole. */
  commit(manifest: string): Promise<void>;
  /** Removes what was written; the backup does not exist then. */
  abort(): Promise<void>;
}

/** Where a backup is read from. */
export interface BackupReader {
  readonly location: string;
  /** Text of the manifest. Throws `BackupError` when there is no whole backup. */
  manifest(): Promise<string>;
  /** The bytes of a file. Rejects while reading when there is none. */
  read(name: string): AsyncIterable<Uint8Array>;
}

/** A schema file of the release that restores. */
interface KnownMigration {
  version: number;
  name: string;
  checksum: string;
}

/**
 * Reads the whole backup and compares each file with its size and checksum. Throws `BackupError` for the first file
 * that is missing or damaged, for a newer format, and for a schema that `known` cannot continue.
 */
export async function verifyBackup(
  reader: BackupReader,
  known: KnownMigration[],
): Promise<Manifest> {
  const manifest = parseManifest(await reader.manifest());
  requireKnownSchema(manifest, known);
  const listed = new Set(manifest.files.map(({ name }) => name));
  const missing = namesIn(manifest).find((name) => !listed.has(name));
  if (missing) throw damaged(missing, "has no checksum in the manifest");
  for (const file of manifest.files) await verifyFile(reader, file);
  return manifest;
}

/** Parses `manifest.json`. Throws `BackupError` for another format or an invalid text. */
function parseManifest(text: string): Manifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new BackupError(`${manifestName} is damaged: it is not JSON; use another backup`);
  }
  const { format } = (value ?? {}) as { format?: unknown };
  if (typeof format === "number" && format > formatVersion) {
    throw new BackupError(
      `The backup has format ${format}, this release reads up to ${formatVersion}: restore with the release that wrote it`,
    );
  }
  const parsed = Manifest.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new BackupError(
    `${manifestName} is damaged at ${issue!.path.join(".")}: ${issue!.message}; use another backup`,
  );
}

function requireKnownSchema({ schema, product }: Manifest, known: KnownMigration[]): void {
  const newest = known.at(-1)?.version ?? 0;
  if (schema.version > newest) {
    throw new BackupError(
      `The backup has schema version ${schema.version} (release ${product}), this release has up to ${newest}: ` +
        "restore with a release that is at least as new as the one that wrote it",
    );
  }
  const files = new Map(known.map((file) => [file.version, file]));
  const foreign = schema.migrations.find((one) =>
    files.get(one.version)?.checksum !== one.checksum
  );
  if (foreign) {
    throw new BackupError(
      `The backup was made with ${foreign.name} of the schema, which this release has not, or in another form: ` +
        `restore with release ${product}`,
    );
  }
}

function namesIn({ tables, lookup, log, attachments }: Manifest): string[] {
  return [
    ...[...tables, ...lookup].map(({ file }) => file),
    ...log.flatMap(({ partitions }) => partitions.flatMap(({ file }) => file ?? [])),
    ...attachments.pieces.map(pieceName),
  ];
}

async function verifyFile(reader: BackupReader, file: Manifest["files"][number]): Promise<void> {
  const hash = createHash("sha256");
  let size = 0;
  try {
    for await (const chunk of reader.read(file.name)) {
      hash.update(chunk);
      size += chunk.byteLength;
    }
  } catch (error) {
    if ((error as { code?: string }).code !== "ENOENT") throw error;
    throw damaged(file.name, "is missing");
  }
  if (size !== file.size) throw damaged(file.name, `has ${size} bytes instead of ${file.size}`);
  if (hash.digest("hex") !== file.sha256) throw damaged(file.name, "has another checksum");
}

const damaged = (name: string, how: string) =>
  new BackupError(
    `The backup is damaged: ${name} ${how}; nothing was restored, use another backup`,
  );
