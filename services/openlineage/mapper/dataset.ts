import type { fieldTypes } from "#contract/entities.ts";
import { own } from "#kit/own.ts";
import { cutTo } from "#platform/naming/text.ts";
import { objectOf, objectsOf, textOf, valueOf } from "../state/facets.ts";
import { isWeb } from "#platform/naming/openlineage/clean.ts";
import type { DatasetState, Name } from "../state/model.ts";
import { qualityMetrics } from "./metrics.ts";
import {
  type Item,
  type MappedItems,
  mappedItems,
  metadataOf,
  ownersOf,
  tagsOf,
  textMember,
} from "./item.ts";
import { compare } from "../state/states.ts";

type Field = NonNullable<Item["dataset"]>["field_list"][number];
type RawObject = Record<string, unknown>;

/** What a dataset is mapped from: the states of all of its names, joined. */
export interface DatasetFacts {
  catrn: string;
  kind: "TABLE" | "KAFKA_TOPIC" | "FILE";
  state: DatasetState;
}

/** Maximum number of fields of a dataset, nested ones included. */
const maxFields = 5_000;

/** A dataset, with the columns that are known of it. */
export function mapDataset({ catrn, kind, state }: DatasetFacts): MappedItems {
  const { facets } = state;
  const rows = valueOf(facets, "dataQualityMetrics")?.rowCount;
  const fields = fieldsOf(catrn, state);
  const item: Item = {
    catrn,
    name: shownName(kind, state.name),
    type: typeOf(kind, textOf(valueOf(facets, "datasetType"), "datasetType")),
    ...textMember("description", textOf(valueOf(facets, "documentation"), "description")),
    ...tagsOf(valueOf(facets, "tags")),
    ...ownersOf(facets.ownership),
    ...datasetMetadata(state),
    dataset: {
      ...(Number.isSafeInteger(rows) ? { rows_number: rows as number } : {}),
      field_list: fields,
    },
  };
  const known = new Set(fields.map((field) => field.catrn));
  const metrics = qualityMetrics(catrn, facets.dataQualityMetrics, (path) => {
    const field = fieldCatrn(catrn, path);
    return known.has(field) ? field : undefined;
  });
  return mappedItems([item], null, metrics);
}

function fieldCatrn(dataset: string, path: string): string {
  return cutTo(`${dataset}/columns/${path.replaceAll("/", "\\\\")}`);
}

function typeOf(kind: DatasetFacts["kind"], given: string | undefined): Item["type"] {
  if (kind !== "TABLE") return kind;
  return given !== undefined && /view/i.test(given) ? "VIEW" : "TABLE";
}

/** The last part of a name, which is what people call it. Only names of tables are divided by dots, unless they are paths. */
function shownName(kind: DatasetFacts["kind"], { namespace, name }: Name): string {
  const path = name.split("/").filter((part) => part !== "");
  const isPath = kind !== "TABLE" || path.length > 1 || name.startsWith("/") || isWeb(namespace);
  const last = isPath ? path.at(-1) : name.split(".").at(-1);
  return last || name;
}

function datasetMetadata({ name, facets }: DatasetState) {
  const facet = (of: string) => valueOf(facets, of);
  const levels = objectsOf(facet("hierarchy"), "hierarchy").flatMap((level) => {
    const [type, own] = [textOf(level, "type"), textOf(level, "name")];
    return own === undefined ? [] : [type === undefined ? own : `${type} ${own}`];
  });
  return metadataOf({
    openlineage_namespace: name.namespace,
    openlineage_name: name.name,
    dataset_version: textOf(facet("version"), "datasetVersion"),
    dataset_type: textOf(facet("datasetType"), "datasetType"),
    storage_layer: textOf(facet("storage"), "storageLayer"),
    file_format: textOf(facet("storage"), "fileFormat"),
    data_source: textOf(facet("dataSource"), "name"),
    data_source_uri: textOf(facet("dataSource"), "uri"),
    catalog: textOf(facet("catalog"), "name"),
    catalog_type: textOf(facet("catalog"), "type"),
    catalog_framework: textOf(facet("catalog"), "framework"),
    hierarchy: levels.length === 0 ? undefined : levels,
  });
}

/** The columns of the schema; without one, those that inputs showed. */
function givenFields({ schema, columns }: DatasetState): RawObject[] {
  if (schema?.v) return objectsOf(schema.v, "fields");
  return [...columns].sort((a, b) => a.at - b.at || (a.name < b.name ? -1 : 1)).map(({ v }) => v);
}

function fieldsOf(catrn: string, state: DatasetState): Field[] {
  const tags = valueOf(state.facets, "tags");
  const metrics = valueOf(state.facets, "dataQualityMetrics");
  const placed = placedFields(givenFields(state), maxFields);
  const catrns = new Map(
    placed.map((one) => [
      one,
      one.key === undefined ? fieldCatrn(catrn, one.path) : cutTo(`${catrn}/columns/${one.key}`),
    ]),
  );
  return placed.map((one) => {
    const { given, name, path, above } = one;
    const type = textOf(given, "type");
    const kind = fieldTypeOf(type, objectsOf(given, "fields").length > 0);
    return {
      catrn: catrns.get(one)!,
      name,
      ...(above ? { parent_field_catrn: catrns.get(above)! } : {}),
      ...textMember("description", textOf(given, "description")),
      ...tagsOf(tags, path),
      type: { type: kind, ...textMember("logical_type", type), is_nullable: true },
      ...statisticsOf(metrics, path, kind),
    };
  });
}

/** A field of a schema, where it stands. */
interface FieldNode {
  given: RawObject;
  name: string;
  /** The names of those it is nested in and its own, joined by dots. */
  path: string;
  /** The same names as segments; the last part of its CATRN where another field has the same path. */
  key?: string;
  above: FieldNode | null;
}

interface NamedField extends FieldNode {
  names: string[];
}

/**
 * The fields of a schema, at most `max`, each after the one that it is nested in. A name may hold a dot itself: of several
 * fields with one path the least nested one keeps it, whatever their order. Of one name in one place the first counts.
 */
function placedFields(fields: RawObject[], max: number): FieldNode[] {
  const found = new Map<string, NamedField>();
  const add = (given: RawObject[], above: NamedField | null): void => {
    for (const one of given) {
      const name = textOf(one, "name");
      if (name === undefined || found.size >= max) continue;
      const names = [...above?.names ?? [], name];
      const key = keyOf(names);
      if (found.has(key)) continue;
      const field = { given: one, name, path: names.join("."), above, names };
      found.set(key, field);
      add(objectsOf(one, "fields"), field);
    }
  };
  add(fields, null);
  giveKeys([...found.values()]);
  return [...found.values()];
}

/** Names with what divides them, which none of them then holds. */
const keyOf = (names: string[]) =>
  names.map((name) => name.replaceAll("/", "\\\\")).join("/fields/");

function giveKeys(fields: NamedField[]): void {
  const first = new Map<string, NamedField>();
  for (const field of fields) {
    const other = first.get(field.path);
    if (!other || order(field, other) < 0) first.set(field.path, field);
  }
  for (const field of fields) {
    if (first.get(field.path) !== field) field.key = keyOf(field.names);
  }
}

function order(a: NamedField, b: NamedField): number {
  return a.names.length - b.names.length || compare(keyOf(a.names), keyOf(b.names));
}

type FieldType = (typeof fieldTypes)[number];

/** Types by what the text of a type holds; the first that matches counts. */
const rules: readonly [RegExp, FieldType][] = [
  [/array|list|\[\]/, "TYPE_LIST"],
  [/map/, "TYPE_MAP"],
  [/struct|row|record/, "TYPE_STRUCT"],
  [/^n?(?:var)?char|text|string|uuid|json/, "TYPE_STRING"],
  // Before what is part of their names.
  [/interval/, "TYPE_DURATION"],
  [/bytea|binary|blob/, "TYPE_BINARY"],
  [/int|serial|long/, "TYPE_INTEGER"],
  [/dec|num|float|double|real/, "TYPE_NUMBER"],
  [/bool/, "TYPE_BOOLEAN"],
  [/timestamp|datetime|date/, "TYPE_DATETIME"],
  [/time/, "TYPE_TIME"],
  [/union/, "TYPE_UNION"],
];

/** Longest text of a type that is looked at. */
const maxScanned = 200;

/** The type of a field by the text that a producer gives for it; nested fields make it a structure. */
function fieldTypeOf(given: string | undefined, nested = false): FieldType {
  const text = given?.slice(0, maxScanned).toLowerCase() ?? "";
  const found = rules.find(([pattern]) => pattern.test(text))?.[1];
  return found ?? (nested ? "TYPE_STRUCT" : "TYPE_UNKNOWN");
}

/** Statistics of a field, when a facet has low, high, number of nulls and of distinct values of it. */
function statisticsOf(
  metrics: Record<string, unknown> | undefined,
  path: string,
  type: Field["type"]["type"],
): Pick<Field, "stats"> {
  const byColumn = objectOf(metrics?.columnMetrics);
  const column = byColumn && own(byColumn, path);
  const found = objectOf(column);
  if (!found) return {};
  const { min, max, nullCount, distinctCount } = found;
  const counts = { nulls_count: nullCount, unique_count: distinctCount };
  if (![nullCount, distinctCount].every(Number.isSafeInteger)) return {};
  const values = { low_value: min, high_value: max, ...counts };
  if (type === "TYPE_INTEGER" && [min, max].every(Number.isSafeInteger)) {
    return { stats: { integer_stats: values } } as Pick<Field, "stats">;
  }
  if (type === "TYPE_NUMBER" && [min, max].every(Number.isFinite)) {
    return { stats: { number_stats: values } } as Pick<Field, "stats">;
  }
  return {};
}
