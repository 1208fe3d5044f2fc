import { maxSchemaDepth, type SchemaField } from "#platform/schema-fields.ts";
import { sqlFieldType } from "../../sql-types.ts";
import { Field, type Schema } from "./api.ts";

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The fields of a schema, with those of structs, also in lists and maps. */
export function schemaFields(schema: Schema): SchemaField[] {
  const identifiers = new Set(schema["identifier-field-ids"] ?? []);
  return schema.fields.map((field) => fieldOf(field, identifiers, 0));
}

function fieldOf(field: Field, identifiers: ReadonlySet<number>, depth: number): SchemaField {
  const { id, name, required, type, doc } = field;
  const standard = field["write-default"];
  return {
    name,
    type: typeOf(type),
    logical: typeName(type),
    nullable: !required,
    ...(doc ? { description: doc } : {}),
    ...(standard === undefined || standard === null ? {} : { standard: JSON.stringify(standard) }),
    ...(identifiers.has(id) ? { isPrimary: true } : {}),
    children: childrenOf(type, identifiers, depth + 1),
  };
}

function childrenOf(type: unknown, identifiers: ReadonlySet<number>, depth: number): SchemaField[] {
  if (!isObject(type) || depth >= maxSchemaDepth) return [];
  if (type.type === "list") return childrenOf(type.element, identifiers, depth + 1);
  if (type.type === "map") return childrenOf(type.value, identifiers, depth + 1);
  const fields = Array.isArray(type.fields) ? type.fields : [];
  return fields.flatMap((one) => {
    const field = Field.safeParse(one).data;
    return field ? [fieldOf(field, identifiers, depth)] : [];
  });
}

const nested = new Map<unknown, SchemaField["type"]>([
  ["struct", "TYPE_STRUCT"],
  ["list", "TYPE_LIST"],
  ["map", "TYPE_MAP"],
]);

function typeOf(type: unknown): SchemaField["type"] {
  if (isObject(type)) return nested.get(type.type) ?? "TYPE_UNKNOWN";
  const name = String(type);
  return name.startsWith("fixed[") ? "TYPE_BINARY" : sqlFieldType(name);
}

/** A type as Iceberg's documentation writes it: `list<long>`. */
export function typeName(type: unknown, depth = 0): string {
  if (!isObject(type)) return String(type).slice(0, 100);
  if (depth >= maxSchemaDepth) return "…";
  if (type.type === "list") return `list<${typeName(type.element, depth + 1)}>`;
  if (type.type !== "map") return "struct";
  return `map<${typeName(type.key, depth + 1)}, ${typeName(type.value, depth + 1)}>`;
}
