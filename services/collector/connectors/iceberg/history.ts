import type { Field, TableMetadata } from "./api.ts";
import { typeName } from "./types.ts";

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
