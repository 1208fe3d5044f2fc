import type { BackupFile } from "#platform/backup/manifest.ts";

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
