import type { FilesSettings } from "#contract/connections/files.ts";
import { type Finding, type Item, type Session, SourceError } from "../../connector.ts";
import { isIncluded } from "../../patterns.ts";
import { DatasetIndex, type FileDataset } from "./datasets.ts";
import { type FileSchema, readParquet } from "#platform/files/parquet.ts";
import type { FileStore } from "#platform/files/file.ts";
import { storeOf } from "./stores.ts";
import { readText } from "#platform/files/text.ts";
import { datasetFields, type SchemaField } from "#platform/schema-fields.ts";
import { cutTo, escaped } from "#platform/naming/text.ts";

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
  const index = new DatasetIndex(naming, maxDatasets);
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

/** A dataset that cannot be read costs itself only. */
async function findingOf(
  store: FileStore,
  dataset: FileDataset,
  catrn: string,
  signal: AbortSignal,
): Promise<Finding> {
  try {
    const { fields, rows } = await schemaOf(store, dataset, signal);
    return {
      kind: "item",
      item: fileItem(catrn, dataset, fields, dataset.files === 1 ? rows : null),
    };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof SourceError)) throw error;
    const { reason, remedy } = error;
    return { kind: "problem", problem: { object: dataset.path, reason, remedy }, catrn };
  }
}

async function schemaOf(
  store: FileStore,
  dataset: FileDataset,
  signal: AbortSignal,
): Promise<FileSchema> {
  if (dataset.format === "parquet") return await readParquet(store, dataset.newest, signal);
  return { fields: await readText(store, dataset), rows: null };
}

function tooMany(): Finding {
  const reason = `there are more than ${maxFiles} files, or ${maxDatasets} datasets`;
  const remedy = "Name folders or prefixes further down";
  return { kind: "problem", problem: { object: "paths", reason, remedy } };
}

/** What an extension of metadata is called here. */
const extension = "urn:tributary:connector:files";

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
  return {
    catrn,
    name: path.split("/").at(-1)!,
    type: "FILE",
    updated_at: new Date(newest.modified).toISOString(),
    metadata: [{
      schema_url: extension,
      metadata: {
        path,
        format,
        ...(isCompressed ? { compression: "gzip" } : {}),
        ...(partitions.length > 0 ? { partitioned_by: partitions } : {}),
        files,
        size_bytes: bytes,
      },
    }],
    dataset: {
      ...(rows === null ? {} : { rows_number: rows }),
      field_list: datasetFields(`${catrn}/columns`, [
        ...fields,
        ...partitionFields(dataset, fields),
      ], {
        isDotted: true,
      }),
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
