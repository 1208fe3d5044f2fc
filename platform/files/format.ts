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
