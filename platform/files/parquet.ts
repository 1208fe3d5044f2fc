import { parquetMetadataAsync, parquetSchema, type SchemaTree } from "hyparquet";
import { SourceError } from "#platform/connections/source-error.ts";
import { maxSchemaDepth, type SchemaField } from "#platform/items.ts";
import type { FileStore, ListedFile } from "./file.ts";

/** Largest footer of a file, in bytes. */
export const maxFooter = 16 * 1024 * 1024;

/** Bytes at the end of a file that are read at first: most footers are smaller. */
const firstRead = 64 * 1024;

export interface FileSchema {
  fields: SchemaField[];
  /** Null where the whole file would have to be read. */
  rows: number | null;
}

/** Fields and rows of a file of Parquet, by its footer only. Throws a `SourceError`. */
export async function readParquet(
  store: Pick<FileStore, "read">,
  { path, size }: Pick<ListedFile, "path" | "size">,
  signal: AbortSignal,
): Promise<FileSchema> {
  const source = {
    byteLength: size,
    slice: async (from: number, to = size): Promise<ArrayBuffer> => {
      if (to - from > maxFooter) throw unreadable(path);
      const bytes = await store.read(path, from, to);
      return bytes.slice().buffer as ArrayBuffer;
    },
  };
  try {
    const metadata = await parquetMetadataAsync(source, { initialFetchSize: firstRead });
    const { children } = parquetSchema(metadata);
    return { fields: children.map((one) => fieldOf(one, 0)), rows: Number(metadata.num_rows) };
  } catch (error) {
    if (error instanceof SourceError) throw error;
    signal.throwIfAborted();
    throw unreadable(path);
  }
}

const unreadable = (path: string) =>
  new SourceError(path, "it is not a readable file of Parquet", "Write it again");

function fieldOf(node: SchemaTree, depth: number): SchemaField {
  const { element, children } = node;
  const inner = innerOf(node);
  return {
    name: element.name,
    type: typeOf(node),
    logical: words(node, depth),
    nullable: element.repetition_type !== "REQUIRED",
    children: depth >= maxSchemaDepth
      ? []
      : (inner ?? { children }).children.map((one) => fieldOf(one, depth + 1)),
  };
}

const kindOf = ({ element }: SchemaTree) =>
  element.logical_type?.type ?? element.converted_type ?? "";

/** What a list holds, or the values of a map: below one or two groups that only repeat. */
function innerOf(node: SchemaTree): SchemaTree | null {
  const [repeated] = node.children;
  if (!repeated) return null;
  if (kindOf(node) === "LIST") {
    return repeated.children.length === 1 ? repeated.children[0]! : repeated;
  }
  if (kindOf(node).startsWith("MAP")) return repeated.children[1] ?? null;
  return null;
}

const byKind: [RegExp, SchemaField["type"]][] = [
  [/^LIST$/, "TYPE_LIST"],
  [/^MAP/, "TYPE_MAP"],
  [/^(DECIMAL|FLOAT16)$/, "TYPE_NUMBER"],
  [/^(DATE|TIMESTAMP)/, "TYPE_DATETIME"],
  [/^TIME/, "TYPE_TIME"],
  [/^INTERVAL$/, "TYPE_DURATION"],
  [/^(STRING|UTF8|ENUM|UUID)$/, "TYPE_STRING"],
  [/^(JSON|BSON|VARIANT)$/, "TYPE_STRUCT"],
  [/^U?INT/, "TYPE_INTEGER"],
];

const byStorage = new Map<string, SchemaField["type"]>([
  ["BOOLEAN", "TYPE_BOOLEAN"],
  ["INT32", "TYPE_INTEGER"],
  ["INT64", "TYPE_INTEGER"],
  ["INT96", "TYPE_DATETIME"],
  ["FLOAT", "TYPE_NUMBER"],
  ["DOUBLE", "TYPE_NUMBER"],
  ["BYTE_ARRAY", "TYPE_BINARY"],
  ["FIXED_LEN_BYTE_ARRAY", "TYPE_BINARY"],
]);

function typeOf(node: SchemaTree): SchemaField["type"] {
  const kind = kindOf(node);
  if (node.element.repetition_type === "REPEATED") return "TYPE_LIST";
  const known = byKind.find(([pattern]) => pattern.test(kind))?.[1];
  if (known) return known;
  if (node.children.length > 0) return "TYPE_STRUCT";
  return byStorage.get(node.element.type ?? "") ?? "TYPE_UNKNOWN";
}

/** A type as Spark and Iceberg write it: `list<string>`, `decimal(10,2)`. */
function words(node: SchemaTree, depth: number): string {
  const { element } = node;
  const kind = kindOf(node);
  const inner = innerOf(node);
  if (kind === "LIST" && inner && depth < maxSchemaDepth) return `list<${words(inner, depth + 1)}>`;
  if (kind.startsWith("MAP") && inner && depth < maxSchemaDepth) {
    const [key] = node.children[0]!.children;
    return `map<${words(key!, depth + 1)}, ${words(inner, depth + 1)}>`;
  }
  if (kind === "DECIMAL") return `decimal(${element.precision ?? 0},${element.scale ?? 0})`;
  if (kind === "UTF8") return "string";
  if (node.children.length > 0) return "struct";
  return (kind || element.type || "unknown").toLowerCase();
}
