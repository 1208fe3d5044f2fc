import { cutTo } from "#platform/naming/text.ts";
import { objectsOf, textOf, valueOf } from "../state/facets.ts";
import type { DatasetState } from "../state/model.ts";
import { fieldTypeOf } from "./field-types.ts";
import { qualityFigures } from "./figures.ts";
import {
  type Composed,
  composed,
  type Item,
  metadataOf,
  ownersOf,
  tagsOf,
  textMember,
} from "./item.ts";
import { statisticsOf } from "./statistics.ts";

type Field = NonNullable<Item["dataset"]>["field_list"][number];
type Given = Record<string, unknown>;

/** What a dataset is composed of: the states of all of its names, joined. */
export interface DatasetFacts {
  catrn: string;
  kind: "TABLE" | "KAFKA_TOPIC" | "FILE";
  state: DatasetState;
}

/** Most fields of a dataset, nested ones included. */
const maxFields = 5_000;

/** A dataset, with the columns that are known of it. */
export function composeDataset({ catrn, kind, state }: DatasetFacts): Composed {
  const { facets } = state;
  const rows = valueOf(facets, "dataQualityMetrics")?.rowCount;
  const fields = fieldsOf(catrn, state);
  const item: Item = {
    catrn,
    name: shownName(state.name.name),
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
  const figures = qualityFigures(catrn, facets.dataQualityMetrics, (path) => {
    const field = fieldCatrn(catrn, path);
    return known.has(field) ? field : undefined;
  });
  return composed([item], null, figures);
}

function fieldCatrn(dataset: string, path: string): string {
  return cutTo(`${dataset}/columns/${path.replaceAll("/", "\\\\")}`);
}

function typeOf(kind: DatasetFacts["kind"], given: string | undefined): Item["type"] {
  if (kind !== "TABLE") return kind;
  return given !== undefined && /view/i.test(given) ? "VIEW" : "TABLE";
}

/** The last part of a name, which is what people call it. */
function shownName(name: string): string {
  const path = name.split("/").filter((part) => part !== "");
  if (path.length > 1) return path.at(-1)!;
  const last = name.split(".").at(-1)!;
  return last === "" ? name : last;
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
export function givenFields({ schema, columns }: DatasetState): Given[] {
  if (schema?.v) return objectsOf(schema.v, "fields");
  return [...columns].sort((a, b) => a.at - b.at || (a.name < b.name ? -1 : 1)).map(({ v }) => v);
}

function fieldsOf(catrn: string, state: DatasetState): Field[] {
  const fields = new Map<string, Field>();
  const tags = valueOf(state.facets, "tags");
  const metrics = valueOf(state.facets, "dataQualityMetrics");
  const add = (given: Given[], above: { path: string; catrn: string } | null): void => {
    for (const field of given) {
      const name = textOf(field, "name");
      if (name === undefined || fields.size >= maxFields) continue;
      const path = above ? `${above.path}.${name}` : name;
      const own = fieldCatrn(catrn, path);
      if (fields.has(own)) continue;
      const type = textOf(field, "type");
      const kind = fieldTypeOf(type, objectsOf(field, "fields").length > 0);
      fields.set(own, {
        catrn: own,
        name,
        ...(above ? { parent_field_catrn: above.catrn } : {}),
        ...textMember("description", textOf(field, "description")),
        ...tagsOf(tags, path),
        type: { type: kind, ...textMember("logical_type", type), is_nullable: true },
        ...statisticsOf(metrics, path, kind),
      });
      add(objectsOf(field, "fields"), { path, catrn: own });
    }
  };
  add(givenFields(state), null);
  return [...fields.values()];
}
