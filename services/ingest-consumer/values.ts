import { exactJson } from "#contract/ingestion/json.ts";
import type { DataEntity } from "#contract/ingestion/schema.ts";
import { isDateTime, isJsonContainer } from "#contract/metadata-text.ts";

/** Value types of metadata fields. */
export type MetadataType =
  | "INTEGER"
  | "STRING"
  | "DATETIME"
  | "FLOAT"
  | "BOOLEAN"
  | "ARRAY"
  | "JSON";

/** A metadata value as stored: its inferred type and its text. */
interface MetadataEntry {
  name: string;
  type: MetadataType;
  text: string;
}

type Extensions = DataEntity["metadata"];

/** The values of the first extension, without nulls. */
export function metadataEntries(extensions: Extensions): MetadataEntry[] {
  return Object.entries(extensions?.[0]?.metadata ?? {}).flatMap(([name, value]) => {
    const inferred = inferType(value);
    return inferred ? [{ name, ...inferred }] : [];
  });
}

/** The names of a tag list without duplicates. */
export function tagNames(tags: { name: string }[] | undefined): string[] {
  return tags ? [...new Set(tags.map((tag) => tag.name))] : [];
}

/** Key of a metadata field: fields of different types may share a name. */
export function fieldKey(name: string, type: MetadataType): string {
  return `${type} ${name}`;
}

/** Type and text of a metadata value; null for null. Integers keep all digits. */
export function inferType(value: unknown): { type: MetadataType; text: string } | null {
  switch (typeof value) {
    case "string":
      return { type: typeOfText(value), text: value };
    case "boolean":
      return { type: "BOOLEAN", text: String(value) };
    case "bigint":
      return { type: "INTEGER", text: String(value) };
    case "number":
      return Number.isInteger(value)
        ? { type: "INTEGER", text: String(BigInt(value)) }
        : { type: "FLOAT", text: String(value) };
    case "object":
      if (value === null) return null;
      return { type: Array.isArray(value) ? "ARRAY" : "JSON", text: exactJson(value) };
    default:
      return null;
  }
}

function typeOfText(text: string): MetadataType {
  if (isDateTime(text)) return "DATETIME";
  return isJsonContainer(text) ? "JSON" : "STRING";
}
