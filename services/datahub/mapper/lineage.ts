import { maxColumnBytes, maxColumnEdges, maxEdgeSubtype } from "#contract/ingestion/limits.ts";
import { fitsBytes } from "#contract/ingestion/values.ts";
import type { Item } from "#platform/items.ts";
import { objectOf, objectsOf, type RawObject, textOf, textsOf } from "#platform/datahub/values.ts";
import { fieldOf, parseUrn } from "#platform/naming/datahub/urn.ts";
import { catrnsOf } from "./common.ts";
import type { EntityFacts, Names } from "./facts.ts";
import { plainPath } from "./fields.ts";

type Transformer = NonNullable<Item["data_transformer"]>;
type Entries = NonNullable<Transformer["column_lineage"]>;
type Source = Entries[number]["sources"][number];

/** Longest SQL of a view that is shown. */
const maxSql = 100_000;

/** What a dataset is made from, as its source reports it; undefined where it does not. */
export function datasetLineage(
  { aspects, dataset, names }: EntityFacts,
): Transformer | undefined {
  const lineage = aspects.get("upstreamLineage");
  const view = aspects.get("viewProperties");
  const sql = textOf(view?.viewLogic) ?? statementOf(lineage, names);
  if (!lineage && sql === undefined) return undefined;
  const given = objectsOf(lineage?.upstreams);
  const upstreams = given.flatMap((one) => textOf(one.dataset) ?? []);
  // The model that builds a table shows as the table itself.
  const inputs = catrnsOf(upstreams, names).filter((catrn) => catrn !== dataset?.catrn);
  return {
    inputs,
    outputs: [],
    ...(sql === undefined ? {} : { sql: sql.slice(0, maxSql).toWellFormed() }),
    ...columnLineage(lineage?.fineGrainedLineages, names),
  };
}

/** The statement of the first query that lineage was read from, where its source reports queries. */
function statementOf(lineage: RawObject | undefined, names: Names): string | undefined {
  const edges = [...objectsOf(lineage?.upstreams), ...objectsOf(lineage?.fineGrainedLineages)];
  const queries = new Set(edges.flatMap(({ query }) => textOf(query) ?? []));
  for (const query of queries) {
    const statement = objectOf(names.aspectsOf(query).get("queryProperties")?.statement);
    const text = textOf(statement?.value);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** Edges between columns, by their target; none where there are more than an item may have. */
export function columnLineage(given: unknown, names: Names): { column_lineage?: Entries } {
  const targets = new Map<string, Entries[number]>();
  const sources = new Map<string, Map<string, Source>>();
  let edges = 0;
  for (const one of objectsOf(given)) {
    for (const target of endsOf(one.downstreams, names)) {
      const key = JSON.stringify([target.dataset_catrn, target.field]);
      if (!targets.has(key)) targets.set(key, { target, sources: [] });
      const known = sources.get(key) ?? new Map<string, Source>();
      sources.set(key, known);
      for (const source of endsOf(one.upstreams, names)) {
        const made = { ...source, type: "DIRECT" as const, ...subtypeOf(one) };
        const sourceKey = JSON.stringify([source.dataset_catrn, source.field]);
        // As a column of a model and the same one of the table that the model builds.
        if (sourceKey === key) continue;
        if (!known.has(sourceKey)) edges++;
        known.set(sourceKey, made);
      }
      if (edges > maxColumnEdges) return {};
    }
  }
  const named = [...targets].filter(([key]) => sources.get(key)!.size > 0);
  if (named.length === 0) return {};
  const entries = named.sort(([a], [b]) => a < b ? -1 : 1).map(([key, entry]) => ({
    ...entry,
    sources: [...sources.get(key)!].sort(([a], [b]) => a < b ? -1 : 1).map(([, source]) => source),
  }));
  return { column_lineage: entries };
}

function subtypeOf({ transformOperation }: RawObject): Pick<Source, "subtype"> {
  const text = textOf(transformOperation);
  if (text === undefined || text === "NONE") return {};
  return { subtype: text.slice(0, maxEdgeSubtype).toWellFormed() };
}

/** Columns by the urns of fields, whole datasets by theirs. */
function endsOf(urns: unknown, { catrnOf }: Names): { dataset_catrn: string; field?: string }[] {
  return textsOf(urns).flatMap((urn) => {
    const field = fieldOf(urn);
    const dataset = field?.dataset ?? (parseUrn(urn)?.type === "dataset" ? urn : undefined);
    const catrn = dataset === undefined ? undefined : catrnOf(dataset);
    if (catrn === undefined) return [];
    if (!field) return [{ dataset_catrn: catrn }];
    const path = plainPath(field.path);
    return path === "" || !fitsBytes(path, maxColumnBytes)
      ? []
      : [{ dataset_catrn: catrn, field: path }];
  });
}
