import { parse } from "csv-parse/sync";
import { joinBytes } from "#kit/bytes.ts";
import { isObject } from "#kit/own.ts";
import { SourceError } from "#platform/connections/source-error.ts";
import { maxSchemaDepth, type SchemaField } from "#platform/items.ts";
import type { FileFormat, FileStore, ListedFile } from "./file.ts";

/** Bytes of a file of text that are read, and most bytes that they may become when they are decompressed. */
export const maxSample = 256 * 1024;
export const maxUnpacked = 4 * 1024 * 1024;

/** Rows whose values decide about types. */
export const maxRows = 200;

interface TextFile {
  newest: Pick<ListedFile, "path" | "size">;
  format: FileFormat;
  isCompressed: boolean;
}

/** The fields of a file of text, by its beginning. Throws a `SourceError`. */
export async function readText(
  store: Pick<FileStore, "read">,
  { newest: { path, size }, format, isCompressed }: TextFile,
): Promise<SchemaField[]> {
  const bytes = await store.read(path, 0, Math.min(size, maxSample));
  const plain = isCompressed ? await unpacked(bytes, path) : bytes;
  const isWhole = size <= maxSample && plain.length < maxUnpacked;
  const text = new TextDecoder().decode(plain);
  try {
    return format === "json"
      ? fieldsOfValues(jsonRows(text, isWhole))
      : delimitedFields(text, isWhole, format === "tsv" ? "\t" : null);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new SourceError(path, `its beginning is not ${format}`, "Exclude it, or write it again");
  }
}

/** What a beginning of a file of gzip holds; its end may be missing. */
async function unpacked(bytes: Uint8Array, path: string): Promise<Uint8Array> {
  const stream = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream()
    .pipeThrough(new DecompressionStream("gzip"));
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const part of stream) {
      parts.push(part);
      size += part.length;
      if (size >= maxUnpacked) break;
    }
  } catch {
    if (size === 0) throw new SourceError(path, "it is not compressed by gzip", "Write it again");
  }
  return joinBytes(parts, size).subarray(0, maxUnpacked);
}

/** Lines without the last one, which may be cut. */
function wholeLines(text: string, isWhole: boolean): string {
  return isWhole ? text : text.slice(0, text.lastIndexOf("\n") + 1);
}

function jsonRows(text: string, isWhole: boolean): unknown[] {
  if (text.trimStart().startsWith("[")) {
    const rows: unknown = JSON.parse(text);
    if (Array.isArray(rows)) return rows.slice(0, maxRows);
  }
  const lines = wholeLines(text, isWhole).split("\n").filter((line) => line.trim() !== "");
  // One object over several lines is one row.
  if (isWhole && lines[0]?.trim() === "{") return [JSON.parse(text)];
  return lines.slice(0, maxRows).map((line) => JSON.parse(line) as unknown);
}

const delimiters = [",", ";", "\t", "|"];

/** The delimiter that the first line has most of. */
function delimiterOf(text: string): string {
  const [line = ""] = text.split("\n", 1);
  const counts = delimiters.map((one) => line.split(one).length);
  return delimiters[counts.indexOf(Math.max(...counts))]!;
}

function delimitedFields(text: string, isWhole: boolean, given: string | null): SchemaField[] {
  const whole = wholeLines(text, isWhole);
  const rows: string[][] = parse(whole, {
    bom: true,
    delimiter: given ?? delimiterOf(whole),
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
    to: maxRows + 1,
  });
  const [first = [], ...others] = rows;
  const isHeader =
    first.every((cell) => cell.trim() !== "" && typeOfText(cell) === "TYPE_STRING") &&
    new Set(first).size === first.length;
  const values = isHeader ? others : rows;
  return first.map((cell, at) => {
    const found = new Set(
      values.map((row) => row[at]?.trim() ?? "").filter((one) => one !== "")
        .map(typeOfText),
    );
    const type = commonType(found);
    // As Spark names columns without a header.
    const name = isHeader ? cell.trim() : `_c${at}`;
    return { name, type, logical: type.slice(5).toLowerCase(), nullable: true, children: [] };
  });
}

function commonType(found: ReadonlySet<SchemaField["type"]>): SchemaField["type"] {
  const [only] = found;
  if (found.size === 1) return only!;
  const isNumber = [...found].every((one) => one === "TYPE_INTEGER" || one === "TYPE_NUMBER");
  return found.size > 0 && isNumber ? "TYPE_NUMBER" : "TYPE_STRING";
}

type FieldType = SchemaField["type"];

const forms: [RegExp, FieldType][] = [
  [/^[+-]?\d{1,18}$/, "TYPE_INTEGER"],
  [/^[+-]?(\d+\.\d*|\.\d+|\d+)([eE][+-]?\d{1,3})?$/, "TYPE_NUMBER"],
  [/^(true|false)$/i, "TYPE_BOOLEAN"],
  [
    /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/,
    "TYPE_DATETIME",
  ],
];

/** The type that a text looks like. Numbers with leading zeros are texts: of articles, or of telephones. */
function typeOfText(text: string): FieldType {
  const plain = text.trim();
  if (/^0\d/.test(plain) || plain.length > 100) return "TYPE_STRING";
  return forms.find(([pattern]) => pattern.test(plain))?.[1] ?? "TYPE_STRING";
}

/** The fields of some objects, in the order in which they first come; throws for what is no object. */
function fieldsOfValues(rows: unknown[], depth = 0): SchemaField[] {
  const members = new Map<string, unknown[]>();
  for (const row of rows) {
    if (!isObject(row)) throw new TypeError("not an object");
    for (const [name, value] of Object.entries(row)) {
      const values = members.get(name) ?? [];
      values.push(value);
      members.set(name, values);
    }
  }
  return [...members].map(([name, values]) => fieldOf(name, values, depth));
}

function fieldOf(name: string, given: unknown[], depth: number): SchemaField {
  const values = given.filter((value) => value !== null);
  const types = new Set(values.map(typeOfValue));
  const type = commonFieldType(types);
  const elements = type === "TYPE_LIST" ? (values as unknown[][]).flat() : values;
  const hasObjects = elements.length > 0 && elements.every(isObject) && depth < maxSchemaDepth;
  return {
    name,
    type,
    logical: type === "TYPE_LIST" ? "array" : type.slice(5).toLowerCase(),
    nullable: true,
    children: hasObjects ? fieldsOfValues(elements, depth + 1) : [],
  };
}

function typeOfValue(value: unknown): FieldType {
  if (typeof value === "boolean") return "TYPE_BOOLEAN";
  if (typeof value === "number") return Number.isInteger(value) ? "TYPE_INTEGER" : "TYPE_NUMBER";
  if (Array.isArray(value)) return "TYPE_LIST";
  if (isObject(value)) return "TYPE_STRUCT";
  return typeOfText(String(value)) === "TYPE_DATETIME" ? "TYPE_DATETIME" : "TYPE_STRING";
}

function commonFieldType(types: ReadonlySet<FieldType>): FieldType {
  const [only = "TYPE_UNKNOWN"] = types;
  if (types.size < 2) return only;
  const isAll = (...of: FieldType[]) => [...types].every((one) => of.includes(one));
  if (isAll("TYPE_INTEGER", "TYPE_NUMBER")) return "TYPE_NUMBER";
  return isAll("TYPE_DATETIME", "TYPE_STRING") ? "TYPE_STRING" : "TYPE_UNION";
}
