import { cleanPath } from "#platform/naming/openlineage/clean.ts";
import type { NamingSettings } from "#platform/naming/openlineage/names.ts";
import { type FileFormat, formatOf, isGzip, type ListedFile } from "#platform/files/file.ts";

/** One dataset: a file, or the files of a table. */
export interface FileDataset {
  path: string;
  format: FileFormat;
  isCompressed: boolean;
  /** Names of what a table is partitioned by, in the order of the folders. */
  partitions: string[];
  files: number;
  bytes: number;
  /** The newest file, whose fields count. */
  newest: ListedFile;
}

/** Names that engines give to the pieces of one table: `part-00000-….parquet`, `000000_0.csv`. */
const piece = /^(part[-_.]|\d{5,}[_-]\d+)/;

/** Path and partitions of the dataset that a file belongs to; null of a file that is not understood. */
export function placeOf(path: string, naming: NamingSettings) {
  const format = formatOf(path);
  if (!format) return null;
  const segments = path.split("/");
  const file = segments.pop()!;
  const first = segments.findIndex((segment) => segment.indexOf("=") > 0);
  const levels = first < 0 ? [] : segments.slice(first).filter((one) => one.indexOf("=") > 0);
  const partitions = levels.map((level) => level.slice(0, level.indexOf("=")));
  const whole = first >= 0
    ? segments.slice(0, first)
    : piece.test(file)
    ? segments
    : [...segments, file];
  return { path: cleanPath(whole.join("/"), naming), format, partitions };
}

/** Datasets by their path, of the files that are added. */
export class DatasetIndex {
  readonly datasets = new Map<string, FileDataset>();

  constructor(private readonly naming: NamingSettings, private readonly max: number) {}

  /** Adds a file; false when there are too many datasets already. */
  add(file: ListedFile): boolean {
    const place = placeOf(file.path, this.naming);
    if (!place || place.path === "" || place.path === "/") return true;
    const known = this.datasets.get(place.path);
    if (!known) {
      if (this.datasets.size >= this.max) return false;
      const isCompressed = isGzip(file.path);
      this.datasets.set(place.path, {
        ...place,
        isCompressed,
        files: 1,
        bytes: file.size,
        newest: file,
      });
      return true;
    }
    // Of several formats in one folder the first counts.
    if (known.format !== place.format) return true;
    known.files++;
    known.bytes += file.size;
    if (isNewer(file, known.newest)) {
      known.newest = file;
      known.partitions = place.partitions;
      known.isCompressed = isGzip(file.path);
    }
    return true;
  }
}

const isNewer = (one: ListedFile, other: ListedFile) =>
  one.modified > other.modified || one.modified === other.modified && one.path > other.path;
