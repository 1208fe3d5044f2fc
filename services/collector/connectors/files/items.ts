import type { FilesSettings } from "#contract/connections/files.ts";
import type { Item } from "../../connector.ts";
import { datasetFields, type SchemaField } from "#platform/schema-fields.ts";
import { cutTo, escaped } from "#platform/naming/text.ts";
import type { FileDataset } from "./datasets.ts";

/** What an extension of metadata is called here. */
const extension = "urn:tributary:connector:files";

/** CATRN of a file or folder, as the rules of `platform/naming` write it. */
export function fileCatrn(
  source: string,
  { bucket }: Pick<FilesSettings, "bucket">,
  path: string,
): string {
  return cutTo(`${source}/${bucket ? "keys" : "path"}/${escaped(path)}`);
}

/** The item of a dataset. `rows`: of all its files, null where that is not known. */
export function fileItem(
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
