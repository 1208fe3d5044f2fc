import { cutTo } from "#platform/naming/text.ts";
import { objectsOf, textOf, valueOf } from "../state/facets.ts";
import { isWeb } from "#platform/naming/openlineage/clean.ts";
import type { DatasetState, Name } from "../state/model.ts";
import { fieldTypeOf } from "./field-types.ts";
import { qualityMetrics } from "./metrics.ts";
import {
  composed,
  type Item,
  type MappedItem,
  metadataOf,
  ownersOf,
  tagsOf,
  textMember,
} from "./item.ts";
import { placedFields } from "./field-nodes.ts";
import { statisticsOf } from "./statistics.ts";

type Field = NonNullable<Item["dataset"]>["field_list"][number];
type RawObject = Record<string, unknown>;

/** What a dataset is composed of: the states of all of its names, joined. */
export interface DatasetFacts {
  catrn: string;
  kind: "TABLE" | "KAFKA_TOPIC" | "FILE";
  state: DatasetState;
}

/** Maximum number of fields of a dataset, nested ones included. */
const maxFields = 5_000;

/** A dataset, with the columns that are known of it. */
export function mapDataset({ catrn, kind, state }: DatasetFacts): MappedItem {
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
  return composed([item], null, metrics);
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
export function givenFields({ schema, columns }: DatasetState): RawObject[] {
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
