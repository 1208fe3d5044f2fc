import type { fieldTypes } from "#contract/entities.ts";

type FieldType = (typeof fieldTypes)[number];

const byName = new Map<string, FieldType>([
  ...["int2", "int4", "int8", "oid", "xid"].map((name) => [name, "TYPE_INTEGER"] as const),
  ...["json", "jsonb", "hstore"].map((name) => [name, "TYPE_STRUCT"] as const),
  ...["time", "timetz"].map((name) => [name, "TYPE_TIME"] as const),
  ["bytea", "TYPE_BINARY"],
  ["bpchar", "TYPE_CHAR"],
  ["char", "TYPE_CHAR"],
  ["vector", "TYPE_VECTOR"],
  ["xml", "TYPE_STRING"],
  ["uuid", "TYPE_STRING"],
]);

/** By `pg_type.typcategory`. */
const byCategory = new Map<string, FieldType>([
  ["A", "TYPE_LIST"],
  ["B", "TYPE_BOOLEAN"],
  ["C", "TYPE_STRUCT"],
  ["D", "TYPE_DATETIME"],
  ["E", "TYPE_STRING"],
  ["I", "TYPE_STRING"],
  ["N", "TYPE_NUMBER"],
  ["S", "TYPE_STRING"],
  ["T", "TYPE_DURATION"],
]);

/** The type of a field for a type of PostgreSQL. */
export function fieldType({ base, category }: { base: string; category: string }): FieldType {
  if (category === "A") return "TYPE_LIST";
  return byName.get(base) ?? byCategory.get(category) ?? "TYPE_UNKNOWN";
}
