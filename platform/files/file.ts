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

/** What is understood of files, by the end of their name. */
export type FileFormat = "parquet" | "csv" | "tsv" | "json";

const endings: [RegExp, FileFormat][] = [
  [/\.parquet$/i, "parquet"],
  [/\.csv(\.gz)?$/i, "csv"],
  [/\.tsv(\.gz)?$/i, "tsv"],
  [/\.(json|jsonl|ndjson)(\.gz)?$/i, "json"],
];

/** The format of a file by its name; undefined for one that is not understood. */
export const formatOf = (path: string): FileFormat | undefined =>
  endings.find(([pattern]) => pattern.test(path))?.[1];

/** Whether a file of text is compressed, by its name. */
export const isGzip = (path: string): boolean => /\.gz$/i.test(path);
