import { createHash } from "node:crypto";
import { BackupError, type Manifest, parseManifest } from "#platform/backup/manifest.ts";
import type { BackupReader } from "#platform/backup/port.ts";

/** The schema files of the release that restores. */
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

/** Name of the file that holds a piece of an attachment. */
export const pieceName = (key: string): string => `attachments/${key}`;

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
