import type { FilesSettings } from "#contract/connections/files.ts";
import type { Session } from "../../connector.ts";
import { folderStore } from "./folder.ts";
import { bucketStore } from "./bucket.ts";

/** A file as its store lists it. */
export interface ListedFile {
  /** From the root of the machine, or of the bucket. */
  path: string;
  size: number;
  /** Milliseconds since the epoch. */
  modified: number;
}

/** Files below some paths. Each call throws a `SourceError`. */
export interface FileStore {
  /** The files below a folder or prefix. */
  list(path: string): AsyncGenerator<ListedFile>;
  /** Bytes of a file from `from` to before `to`. */
  read(path: string, from: number, to: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** The store of a connection. */
export function storeOf(session: Session<FilesSettings>): FileStore {
  return session.settings.bucket ? bucketStore(session) : folderStore(session);
}
