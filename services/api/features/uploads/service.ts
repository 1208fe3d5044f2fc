import { z } from "@hono/zod-openapi";
import type { Actor } from "#contract/actor.ts";
import { DataEntity } from "#contract/ingestion/schema.ts";
import { optional } from "#contract/catalogue/common.ts";
import { givenName } from "#contract/text.ts";
import { badRequest } from "#kit/errors.ts";
import { type Limit, limit } from "#kit/limits.ts";
import { changing } from "#metadata/catalogue/changing.ts";
import { statement } from "#metadata/postgres/statement.ts";
import { datasetFields, type Item } from "#platform/items.ts";
import { SourceError } from "#platform/connections/source-error.ts";
import type { Context } from "#platform/context.ts";
import { type FileFormat, formatOf, isGzip } from "#platform/files/file.ts";
import type { FileSchema } from "#platform/files/parquet.ts";
import { cutTo, escaped } from "#platform/naming/text.ts";
import { publishItems } from "#platform/composed-source/batches.ts";

/** Largest part of a file that is taken, in bytes; the rest of it is not needed. */
export const maxPart = 16 * 1024 * 1024;

/** Limits on files that are uploaded to be described. */
export const uploadLimits: Limit[] = [
  limit("files to describe", "size of a file, or of the part that is sent, bytes", maxPart, "413"),
];

export const FileDescriptionForm = z.object({
  file: z.instanceof(File).openapi({
    type: "string",
    format: "binary",
    description:
      "A file of Parquet, CSV, TSV or JSON lines, text also as gzip; or its end (Parquet), or its beginning (text)",
  }),
  name: givenName({ min: 1, max: 255 }).optional().openapi({
    description: "Name of the dataset; that of the file unless given",
  }),
  size: z.string().regex(/^\d{1,15}$/).transform(Number).optional().openapi({
    type: "string",
    description: "Bytes of the whole file, where a part of it is sent",
  }),
}).openapi("FileDescriptionFormData");
export type FileDescriptionForm = z.output<typeof FileDescriptionForm>;

export const DescribedFile = z.object({
  catrn: z.string(),
  name: z.string(),
  rows: optional(z.number().int()),
  fields: z.array(z.object({ name: z.string(), type: z.string() })),
}).openapi("DescribedFile");

type Deps = Pick<Context, "db" | "log" | "clock" | "events">;

/** The data source of datasets that people uploaded. */
const uploads = "//tributary/uploads";

/** What an extension of metadata is called here. */
const extension = "urn:tributary:upload";

/**
 * Describes a file as a dataset with its fields, which the next batches bring into the catalogue; of its content nothing is
 * kept. Throws 400 for a file that is not understood.
 */
export async function describeFile(
  deps: Deps,
  actor: Actor,
  { file, name: given, size = file.size }: FileDescriptionForm,
): Promise<z.output<typeof DescribedFile>> {
  const format = formatOf(file.name);
  if (!format) throw unreadable("must be a .parquet, .csv, .tsv, .json, .jsonl or .ndjson file");
  if (size < file.size) throw unreadable("is larger than size says");
  const name = given ?? file.name.split(/[\\/]/).at(-1)!;
  const { fields, rows } = await schemaOf(file, format, size);
  if (fields.length === 0) throw unreadable("has no fields");
  const compression = isGzip(file.name) ? { compression: "gzip" } : {};
  const item = itemOf(name, { format, ...compression, size_bytes: size }, { fields, rows });
  if (!DataEntity.safeParse(item).success) throw unreadable("has names that cannot be stored");
  await changing(deps, actor, async (change) => {
    await change.tx.query(ensureUploads, [uploads]);
    change.audit("FILE_DESCRIBED", item.catrn);
  });
  await publishItems(deps, uploads, [JSON.stringify(item)]);
  return {
    catrn: item.catrn,
    name,
    rows,
    fields: fields.map((field) => ({ name: field.name, type: field.logical })),
  };
}

async function schemaOf(file: File, format: FileFormat, size: number): Promise<FileSchema> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  // Of Parquet the end is needed, of text the beginning.
  const from = format === "parquet" ? size - bytes.length : 0;
  const store = {
    read(_: string, start: number, end: number) {
      const isThere = start >= from && end <= from + bytes.length;
      if (!isThere) throw new SourceError(file.name, "more of it has to be sent");
      return Promise.resolve(bytes.subarray(start - from, end - from));
    },
  };
  const listed = { path: file.name, size };
  try {
    if (format === "parquet") {
      const { readParquet } = await import("#platform/files/parquet.ts");
      return await readParquet(store, listed, new AbortController().signal);
    }
    const { readText } = await import("#platform/files/text.ts");
    const text = { newest: listed, format, isCompressed: isGzip(file.name) };
    return { fields: await readText(store, text), rows: null };
  } catch (error) {
    if (error instanceof SourceError) throw unreadable(`is not readable: ${error.reason}`);
    throw error;
  }
}

function itemOf(
  name: string,
  metadata: Record<string, unknown>,
  { fields, rows }: FileSchema,
): Item {
  const catrn = cutTo(`${uploads}/files/${escaped(name)}`);
  return {
    catrn,
    name,
    type: "FILE",
    metadata: [{ schema_url: extension, metadata }],
    dataset: {
      ...(rows === null ? {} : { rows_number: rows }),
      field_list: datasetFields(`${catrn}/columns`, fields, { isDotted: true }),
    },
  };
}

const unreadable = (message: string) =>
  badRequest(`The file cannot be described: it ${message}`, [{ field: "file", message }]);

/** Registers the data source of uploads unless it is there. */
const ensureUploads = statement("uploads-source")`
  INSERT INTO data_source (catrn, name, description)
  VALUES ($1, 'Uploaded files', 'Files that people described by uploading them; their content is not stored')
  ON CONFLICT (catrn) DO NOTHING`;
