import { BackupError, type BackupFile, type Manifest } from "#platform/backup/manifest.ts";
import type { BackupWriter } from "#platform/backup/port.ts";
import { pieceName } from "#platform/backup/verify.ts";
import * as queries from "#platform/backup/queries.ts";
import type { Database } from "#metadata/postgres/database.ts";
import type { ObjectStorage } from "#storage/port.ts";

/**
 * Copies the pieces of attachments that the snapshot refers to. One that is missing because its file was deleted
 * meanwhile is listed; any other that is missing fails the backup, which could not restore that file.
 */
export async function copyAttachments(
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
    } else if (await queries.isPieceInUse(db, key)) {
      throw new BackupError(
        `The storage of attachments has lost the object ${key}: restore it from an older backup, or delete its file`,
      );
    } else copied.deleted.push(key);
  }
  return copied;
}
