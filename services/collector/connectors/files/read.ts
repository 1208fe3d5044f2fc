import type { FilesSettings } from "#contract/connections/files.ts";
import {
  type FileFormat,
  type FileStore,
  formatOf,
  isGzip,
  type ListedFile,
} from "#platform/files/file.ts";
import { readParquet } from "#platform/files/parquet.ts";
import { readText } from "#platform/files/text.ts";
import { datasetFields, type SchemaField } from "#platform/items.ts";
import { cleanPath } from "#platform/naming/openlineage/clean.ts";
import type { NamingSettings } from "#platform/naming/openlineage/names.ts";
import { cutTo, escaped } from "#platform/naming/text.ts";
import {
  type Finding,
  isIncluded,
  type Item,
  metadataOf,
  problemFinding,
  type Session,
} from "../../connector.ts";
import { storeOf } from "./stores.ts";

/** Most files that are looked at, and most datasets that they may be. */
export const maxFiles = 2_000_000;
export const maxDatasets = 20_000;

/** Lists all files, then reads of each dataset the beginning or the footer of its newest file. */
export async function* readFiles(session: Session<FilesSettings>): AsyncGenerator<Finding> {
  const { settings, signal, source } = session;
  const store = storeOf(session);
  try {
    const { datasets, isWhole } = await listDatasets(session, store);
    if (!isWhole) yield tooMany();
    const inOrder = [...datasets.values()].sort((a, b) => a.path < b.path ? -1 : 1);
    for (const dataset of inOrder) {
      signal.throwIfAborted();
      if (!isIncluded(dataset.path, settings)) continue;
      yield await findingOf(store, dataset, fileCatrn(source, settings, dataset.path), signal);
    }
  } finally {
    await store.close();
  }
}

async function listDatasets(
  { settings, naming, signal }: Session<FilesSettings>,
  store: FileStore,
) {
  const index = new DatasetIndex(naming);
  // A path may be below another one.
  const inOrder = [...new Set(settings.paths)].sort();
  const paths = inOrder.filter((path, at) =>
    !inOrder.slice(0, at).some((other) =>
      path.startsWith(other.endsWith("/") ? other : `${other}/`)
    )
  );
  let count = 0;
  for (const path of paths) {
    for await (const file of store.list(path)) {
      signal.throwIfAborted();
      if (++count > maxFiles || !index.add(file)) {
        return { datasets: index.datasets, isWhole: false };
      }
    }
  }
  return { datasets: index.datasets, isWhole: true };
}

function tooMany(): Finding {
  const reason = `there are more than ${maxFiles} files, or ${maxDatasets} datasets`;
  const remedy = "Name folders or prefixes further down";
  return { kind: "problem", problem: { object: "paths", reason, remedy } };
}

/** One dataset: a file, or the files of a table. */
interface FileDataset {
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

/** At most `maxDatasets` datasets by their path, of the files that are added. */
class DatasetIndex {
  readonly datasets = new Map<string, FileDataset>();

  constructor(private readonly naming: NamingSettings) {}

  /** Adds a file; false when there are too many datasets already. */
  add(file: ListedFile): boolean {
    const place = placeOf(file.path, this.naming);
    if (!place || place.path === "" || place.path === "/") return true;
    const known = this.datasets.get(place.path);
    if (!known) {
      if (this.datasets.size >= maxDatasets) return false;
      const isCompressed = isGzip(file.path);
      const counted = { files: 1, bytes: file.size, newest: file };
      this.datasets.set(place.path, { ...place, isCompressed, ...counted });
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

/** Names that engines give to the pieces of one table: `part-00000-….parquet`, `000000_0.csv`. */
const pieceOfTable = /^(part[-_.]|\d{5,}[_-]\d+)/;

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
    : pieceOfTable.test(file)
    ? segments
    : [...segments, file];
  return { path: cleanPath(whole.join("/"), naming), format, partitions };
}

/** A dataset that cannot be read costs itself only. */
async function findingOf(
  store: FileStore,
  dataset: FileDataset,
  catrn: string,
  signal: AbortSignal,
): Promise<Finding> {
  try {
    const { fields, rows } = dataset.format === "parquet"
      ? await readParquet(store, dataset.newest, signal)
      : { fields: await readText(store, dataset), rows: null };
    const item = fileItem(catrn, dataset, fields, dataset.files === 1 ? rows : null);
    return { kind: "item", item };
  } catch (error) {
    signal.throwIfAborted();
    return problemFinding(dataset.path, error, catrn);
  }
}

/** CATRN of a file or folder, as the rules of `platform/naming` write it. */
function fileCatrn(
  source: string,
  { bucket }: Pick<FilesSettings, "bucket">,
  path: string,
): string {
  return cutTo(`${source}/${bucket ? "keys" : "path"}/${escaped(path)}`);
}

/** The item of a dataset. `rows`: of all its files, null where that is not known. */
function fileItem(
  catrn: string,
  dataset: FileDataset,
  fields: SchemaField[],
  rows: number | null,
): Item {
  const { path, format, isCompressed, partitions, files, bytes, newest } = dataset;
  const columns = [...fields, ...partitionFields(dataset, fields)];
  return {
    catrn,
    name: path.split("/").at(-1)!,
    type: "FILE",
    updated_at: new Date(newest.modified).toISOString(),
    metadata: metadataOf("files", {
      path,
      format,
      compression: isCompressed ? "gzip" : undefined,
      partitioned_by: partitions.length > 0 ? partitions : undefined,
      files,
      size_bytes: bytes,
    }),
    dataset: {
      ...(rows === null ? {} : { rows_number: rows }),
      field_list: datasetFields(`${catrn}/columns`, columns, { isDotted: true }),
    },
  };
}

/** Columns that stand in the names of folders, as engines read them. */
function partitionFields({ partitions }: FileDataset, fields: SchemaField[]): SchemaField[] {
  const known = new Set(fields.map(({ name }) => name));
  return [...new Set(partitions)].filter((name) => !known.has(name)).map((name) => ({
    name,
    type: "TYPE_STRING",
    logical: "partition",
    nullable: false,
    children: [],
  }));
}
