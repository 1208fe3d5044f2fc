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
