import { exactJson } from "#contract/ingestion/json.ts";
import type { DataEntity } from "#contract/ingestion/schema.ts";
import { isDateTime, isJsonContainer } from "#contract/text.ts";

/** A declared edge, by CATRN. The entity that declares it is its establisher. */
interface DeclaredEdge {
  parent: string;
  child: string;
}

/**
 * The edges that an entity declares, both into it and out of it (including the outputs of inputs).
 * Tests, groups and relationships declare none. May contain duplicates.
 */
export function declaredEdges(item: DataEntity): DeclaredEdge[] {
  const { catrn, dataset, data_transformer, data_consumer, data_input } = item;
  const parents = [
    ...(dataset?.parent_catrn === undefined ? [] : [dataset.parent_catrn]),
    ...data_transformer?.inputs ?? [],
    ...data_consumer?.inputs ?? [],
  ];
  const children = [...data_transformer?.outputs ?? [], ...data_input?.outputs ?? []];
  return [
    ...parents.map((parent) => ({ parent, child: catrn })),
    ...children.map((child) => ({ parent: catrn, child })),
  ];
}

/** CATRNs of all other entities that an item names; may contain duplicates. */
export function referencesOf(item: DataEntity): string[] {
  const { data_quality_test, data_entity_group: group, data_relationship: relation } = item;
  return [
    ...declaredEdges(item).flatMap(({ parent, child }) => [parent, child]),
    ...columnDatasets(item),
    ...data_quality_test?.dataset_list ?? [],
    ...group?.entities_list ?? [],
    ...(group?.group_catrn === undefined ? [] : [group.group_catrn]),
    ...(relation ? [relation.source_dataset_catrn, relation.target_dataset_catrn] : []),
  ];
}

/** CATRNs of the datasets that an item's column lineage names, each once. */
function columnDatasets({ data_transformer }: DataEntity): Set<string> {
  const found = new Set<string>();
  for (const { target, sources } of data_transformer?.column_lineage ?? []) {
    if (sources.length > 0) found.add(target.dataset_catrn);
    for (const { dataset_catrn } of sources) found.add(dataset_catrn);
  }
  return found;
}

/** The names of a tag list without duplicates. */
export function tagNames(tags: { name: string }[] | undefined): string[] {
  return tags ? [...new Set(tags.map((tag) => tag.name))] : [];
}

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

/** The values of the first extension, without nulls. */
export function metadataEntries(extensions: DataEntity["metadata"]): MetadataEntry[] {
  return Object.entries(extensions?.[0]?.metadata ?? {}).flatMap(([name, value]) => {
    const inferred = inferType(value);
    return inferred ? [{ name, ...inferred }] : [];
  });
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
