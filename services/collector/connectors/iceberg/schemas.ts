import { maxSchemaDepth, type SchemaField } from "#platform/schema-fields.ts";
import { sqlFieldType } from "../../relational.ts";
import { Field, type Schema, type TableMetadata } from "./api.ts";

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
function typeName(type: unknown, depth = 0): string {
  if (!isObject(type)) return String(type).slice(0, 100);
  if (depth >= maxSchemaDepth) return "…";
  if (type.type === "list") return `list<${typeName(type.element, depth + 1)}>`;
  if (type.type !== "map") return "struct";
  return `map<${typeName(type.key, depth + 1)}, ${typeName(type.value, depth + 1)}>`;
}

/** Most changes of a schema that are listed: the newest. */
export const maxHistory = 50;

/** The schema that a table has now. */
export function currentSchema(metadata: TableMetadata) {
  const id = metadata["current-schema-id"] ?? 0;
  return metadata.schemas?.find((one) => one["schema-id"] === id) ?? metadata.schema ??
    metadata.schemas?.at(-1) ?? null;
}

/** What each schema changed of the one before, such as `2: renamed qty to quantity, added email`. */
export function schemaHistory({ schemas }: TableMetadata): string[] {
  const inOrder = (schemas ?? []).toSorted((a, b) => a["schema-id"] - b["schema-id"]);
  return inOrder.flatMap((schema, at) => {
    const before = inOrder[at - 1];
    if (!before) return [];
    const changes = changesOf(before.fields, schema.fields);
    return changes.length > 0 ? [`${schema["schema-id"]}: ${changes.join(", ")}`] : [];
  }).slice(-maxHistory);
}

/** Iceberg knows columns by their number, so that a rename is no removal. */
function changesOf(before: Field[], after: Field[]): string[] {
  const earlier = new Map(before.map((field) => [field.id, field]));
  const later = new Set(after.map(({ id }) => id));
  const changed = after.flatMap((field) => {
    const old = earlier.get(field.id);
    if (!old) return [`added ${field.name}`];
    return [
      ...(old.name === field.name ? [] : [`renamed ${old.name} to ${field.name}`]),
      ...(typeName(old.type) === typeName(field.type)
        ? []
        : [`${field.name} from ${typeName(old.type)} to ${typeName(field.type)}`]),
    ];
  });
  const removed = before.filter(({ id }) => !later.has(id)).map(({ name }) => `removed ${name}`);
  return [...changed, ...removed];
}

/** How a table is partitioned now, such as `day(placed)`; the fields of structs by their own name. */
export function partitioning(metadata: TableMetadata): string[] {
  const id = metadata["default-spec-id"] ?? 0;
  const spec = metadata["partition-specs"]?.find((one) => one["spec-id"] === id);
  const names = new Map(currentSchema(metadata)?.fields.map(({ id, name }) => [id, name]));
  return (spec?.fields ?? []).map(({ name, transform, "source-id": source }) => {
    const column = names.get(source ?? -1) ?? name;
    return transform === "identity" ? column : `${transform}(${column})`;
  });
}
