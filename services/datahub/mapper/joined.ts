import { own } from "#kit/own.ts";
import { objectOf, objectsOf, type RawObject, textOf } from "#platform/datahub/values.ts";
import type { Aspects } from "./facts.ts";
import { plainPath } from "./fields.ts";

/** Lists of which those of both are shown. */
const lists = new Map([
  ["globalTags", "tags"],
  ["glossaryTerms", "terms"],
  ["ownership", "owners"],
  ["institutionalMemory", "elements"],
]);

/** Aspects that say what a table is, and not what its model is. */
const ofTableOnly: ReadonlySet<string> = new Set(
  ["status", "container", "dataPlatformInstance", "browsePaths", "browsePathsV2", "siblings"],
);

/**
 * The aspects of a table with those of a model that builds it: what the table says of itself stays, and the model adds
 * what is missing, its lineage, and its marks.
 */
export function joinedAspects(table: Aspects, model: Aspects): Aspects {
  const joined = new Map(table);
  for (const [name, value] of model) {
    if (ofTableOnly.has(name)) continue;
    const ofTable = table.get(name);
    joined.set(name, ofTable ? both(name, ofTable, value) : value);
  }
  return joined;
}

function both(name: string, table: RawObject, model: RawObject): RawObject {
  const list = lists.get(name);
  if (list !== undefined) return { ...table, [list]: concat(own(table, list), own(model, list)) };
  switch (name) {
    case "upstreamLineage":
      return {
        upstreams: concat(table.upstreams, model.upstreams),
        fineGrainedLineages: concat(table.fineGrainedLineages, model.fineGrainedLineages),
      };
    case "schemaMetadata":
      return objectsOf(table.fields).length === 0
        ? model
        : { ...table, fields: fields(table, model) };
    case "datasetProperties":
    case "editableDatasetProperties": {
      const description = textOf(table.description) ?? textOf(model.description);
      const customProperties = {
        ...objectOf(model.customProperties),
        ...objectOf(table.customProperties),
      };
      return { ...model, ...table, customProperties, ...(description ? { description } : {}) };
    }
    default:
      return table;
  }
}

function concat(a: unknown, b: unknown): RawObject[] {
  return [...objectsOf(a), ...objectsOf(b)];
}

/** The fields of the table, with descriptions and marks that only the model has. */
function fields(table: RawObject, model: RawObject): RawObject[] {
  const pathOf = (field: RawObject) => plainPath(textOf(field.fieldPath) ?? "").toLowerCase();
  const ofModel = new Map(objectsOf(model.fields).map((field) => [pathOf(field), field]));
  return objectsOf(table.fields).map((field) => {
    const other = ofModel.get(pathOf(field));
    if (!other) return field;
    return {
      ...field,
      description: textOf(field.description) ?? textOf(other.description),
      ...marks("globalTags", "tags", field, other),
      ...marks("glossaryTerms", "terms", field, other),
    };
  });
}

function marks(name: string, list: string, ...fields: RawObject[]): RawObject {
  const all = fields.flatMap((field) => objectsOf(own(objectOf(own(field, name)) ?? {}, list)));
  return all.length === 0 ? {} : { [name]: { [list]: all } };
}
