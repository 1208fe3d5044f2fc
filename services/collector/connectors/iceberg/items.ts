import { isObject } from "#kit/own.ts";
import { datasetFields, maxSchemaDepth, type SchemaField } from "#platform/items.ts";
import { catrnsOf, type NamingSettings } from "#platform/naming/openlineage/names.ts";
import { cutTo, escaped } from "#platform/naming/text.ts";
import { type Item, metadataOf } from "../../connector.ts";
import { sqlFieldType } from "../../relational.ts";
import { Field, type Schema, type TableMetadata } from "./api.ts";

/** The item of a table. */
export function tableItem(
  catrn: string,
  levels: string[],
  name: string,
  metadata: TableMetadata,
): Item {
  const { properties } = metadata;
  const snapshot = metadata.snapshots?.find((one) =>
    one["snapshot-id"] === metadata["current-snapshot-id"]
  );
  const schema = currentSchema(metadata);
  const rows = countIn(snapshot?.summary, "total-records");
  const comment = properties.get("comment");
  const owner = (properties.get("owner") ?? "").trim();
  return {
    catrn,
    name,
    type: "TABLE",
    ...(comment ? { description: comment } : {}),
    owners: owner === "" ? [] : [{ name: owner }],
    ...(snapshot ? { updated_at: new Date(snapshot["timestamp-ms"]).toISOString() } : {}),
    metadata: metadataOf("iceberg", shownMetadata(levels, metadata, snapshot)),
    dataset: {
      ...(rows === undefined ? {} : { rows_number: rows }),
      field_list: schema
        ? datasetFields(`${catrn}/columns`, schemaFields(schema), { isDotted: true })
        : [],
    },
  };
}

function shownMetadata(
  levels: string[],
  metadata: TableMetadata,
  snapshot: NonNullable<TableMetadata["snapshots"]>[number] | undefined,
): Record<string, unknown> {
  const partitions = partitioning(metadata);
  const history = schemaHistory(metadata);
  return {
    namespace: namespaceName(levels),
    location: metadata.location ?? undefined,
    table_uuid: metadata["table-uuid"] ?? undefined,
    format_version: metadata["format-version"],
    partitioning: partitions.length > 0 ? partitions : undefined,
    schema_id: metadata["current-schema-id"] ?? undefined,
    schema_history: history.length > 0 ? history : undefined,
    snapshot_operation: snapshot?.summary.get("operation"),
    size_bytes: countIn(snapshot?.summary, "total-files-size"),
    data_files: countIn(snapshot?.summary, "total-data-files"),
  };
}

/** A whole number of a snapshot's summary. */
function countIn(
  summary: ReadonlyMap<string, string> | undefined,
  name: string,
): number | undefined {
  const value = Number(summary?.get(name) ?? NaN);
  return Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** The item of a namespace: the group of its tables and of the namespaces in it. */
export function namespaceItem(source: string, levels: string[], members: string[]): Item {
  return {
    catrn: namespaceCatrn(source, levels),
    name: namespaceName(levels),
    type: "DATABASE_SERVICE",
    metadata: metadataOf("iceberg", { kind: "namespace" }),
    data_entity_group: { entities_list: members },
  };
}

/** `sales.emea` of the levels of a namespace. */
export const namespaceName = (levels: string[]) => levels.join(".");

export const namespaceCatrn = (source: string, levels: string[]) =>
  cutTo(`${source}/namespaces/${escaped(namespaceName(levels))}`);

/** CATRN of a table in its catalog, where no rule names its location. */
export const tableCatrn = (source: string, levels: string[], name: string) =>
  cutTo(`${namespaceCatrn(source, levels)}/tables/${escaped(name)}`);

/** CATRN of a table by its location, as events of Spark name it first; null of one that no rule names. */
export function locationCatrn(
  location: string | null | undefined,
  naming: NamingSettings,
): string | null {
  const [, scheme = "", authority = "", path = ""] =
    /^([a-z][a-z0-9+.-]*):(?:\/\/([^/]*))?(\/.*)$/i.exec(location ?? "") ?? [];
  if (scheme === "" || path.replaceAll("/", "") === "") return null;
  const namespace = authority === "" ? scheme : `${scheme}://${authority}`;
  const { catrn, generic } = catrnsOf({ namespace, name: path }, naming);
  return generic ? null : catrn;
}

/** The schema that a table has now. */
function currentSchema(metadata: TableMetadata) {
  const id = metadata["current-schema-id"] ?? 0;
  return metadata.schemas?.find((one) => one["schema-id"] === id) ?? metadata.schema ??
    metadata.schemas?.at(-1) ?? null;
}

/** The fields of a schema, with those of structs, also in lists and maps. */
function schemaFields(schema: Schema): SchemaField[] {
  const identifiers = new Set(schema["identifier-field-ids"] ?? []);
  return schema.fields.map((field) => fieldOf(field, identifiers, 0));
}

function fieldOf(field: Field, identifiers: ReadonlySet<number>, depth: number): SchemaField {
  const { id, name, required, type, doc } = field;
  const standard = field["write-default"];
  return {
    name,
    type: fieldType(type),
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

const nestedTypes = new Map<unknown, SchemaField["type"]>([
  ["struct", "TYPE_STRUCT"],
  ["list", "TYPE_LIST"],
  ["map", "TYPE_MAP"],
]);

function fieldType(type: unknown): SchemaField["type"] {
  if (isObject(type)) return nestedTypes.get(type.type) ?? "TYPE_UNKNOWN";
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
function partitioning(metadata: TableMetadata): string[] {
  const id = metadata["default-spec-id"] ?? 0;
  const spec = metadata["partition-specs"]?.find((one) => one["spec-id"] === id);
  const names = new Map(currentSchema(metadata)?.fields.map(({ id, name }) => [id, name]));
  return (spec?.fields ?? []).map(({ name, transform, "source-id": source }) => {
    const column = names.get(source ?? -1) ?? name;
    return transform === "identity" ? column : `${transform}(${column})`;
  });
}
