import {
  maxColumnBytes,
  maxColumnEdges,
  maxEdgeDescription,
  maxEdgeSubtype,
} from "#contract/ingestion/limits.ts";
import { fitsBytes } from "#contract/ingestion/values.ts";
import { isStreaming } from "../state/events.ts";
import { objectsOf, textOf, valueOf } from "../state/facets.ts";
import { countingRuns, type IoRules } from "../state/job-io.ts";
import { effectiveIo, newestFirst, outcomeOf } from "../state/runs.ts";
import type { JobFacts } from "./facts.ts";

/** A field, or without `field` the whole, of a dataset that a target was made from. */
interface Source {
  dataset_catrn: string;
  field?: string;
  type: "DIRECT" | "INDIRECT";
  subtype?: string;
  description?: string;
  masking?: boolean;
}

interface Target {
  target: { dataset_catrn: string; field?: string };
  sources: Source[];
}

type Facet = Record<string, unknown>;

type ColumnFacts = Pick<JobFacts, "state" | "runs" | "catrnOf" | "keyOf">;

/**
 * Which columns of the outputs were made from which others: by the newest COMPLETE run that told of an
 * output, and by the runs that have not ended. Nothing when no event tells of columns.
 */
export function columnLineageOf(
  facts: ColumnFacts,
  rules: IoRules,
  outputs: string[],
): { column_lineage?: Target[] } {
  const told = facetsByOutput(facts, rules);
  const targets: Target[] = [];
  let edges = 0;
  for (const output of outputs) {
    const fields = new Map<string | null, Map<string, Source>>();
    for (const facet of told.get(output) ?? []) addFacet(fields, facet, facts);
    for (const [field, sources] of [...fields].sort(byField)) {
      edges += sources.size;
      if (edges > maxColumnEdges) return { column_lineage: targets };
      const ordered = [...sources].sort(([a], [b]) => a < b ? -1 : 1).map(([, source]) => source);
      const whole = { dataset_catrn: facts.catrnOf(output) };
      const target = field === null ? whole : { ...whole, field };
      targets.push({ target, sources: ordered });
    }
  }
  return told.size === 0 ? {} : { column_lineage: targets };
}

function byField([a]: [string | null, unknown], [b]: [string | null, unknown]): number {
  return (a ?? "") < (b ?? "") ? -1 : 1;
}

function facetsByOutput({ state, runs }: ColumnFacts, rules: IoRules): Map<string, Facet[]> {
  const streaming = isStreaming(valueOf(state.facets, "jobType"));
  const told = new Map<string, Facet[]>();
  const settled = new Set<string>();
  for (const run of countingRuns("outputs", runs, { ...rules, streaming }).sort(newestFirst)) {
    const complete = outcomeOf(run.state, { ...rules, streaming }).terminal === "COMPLETE";
    for (const { key, facets } of effectiveIo(run, "outputs")) {
      const facet = facets.columnLineage?.v;
      if (!facet || settled.has(key)) continue;
      told.set(key, [...(told.get(key) ?? []), facet]);
      if (complete) settled.add(key);
    }
  }
  for (const { key, columnLineage } of state.outputs?.v ?? []) {
    if (columnLineage && !told.has(key)) told.set(key, [columnLineage]);
  }
  return told;
}

function addFacet(
  fields: Map<string | null, Map<string, Source>>,
  facet: Facet,
  facts: ColumnFacts,
): void {
  const add = (field: string | null, inputs: Facet[]) => {
    const sources = fields.get(field) ?? new Map<string, Source>();
    for (const input of inputs) {
      const source = sourceOf(input, facts);
      if (!source) continue;
      const key = JSON.stringify([source.dataset_catrn, source.field, source.type]);
      if (!sources.has(key)) sources.set(key, source);
    }
    if (sources.size > 0) fields.set(field, sources);
  };
  const [byName] = objectsOf({ list: [facet.fields] }, "list");
  for (const [field, given] of Object.entries(byName ?? {})) {
    if (field === "" || !fitsBytes(field, maxColumnBytes)) continue;
    const [entry] = objectsOf({ list: [given] }, "list");
    add(field, objectsOf(entry, "inputFields"));
  }
  add(null, objectsOf(facet, "dataset"));
}

function sourceOf(input: Facet, { keyOf, catrnOf }: ColumnFacts): Source | null {
  const [namespace, name] = [textOf(input, "namespace"), textOf(input, "name")];
  if (namespace === undefined || name === undefined) return null;
  const steps = objectsOf(input, "transformations");
  const direct = steps.length === 0 || steps.some((step) => textOf(step, "type") === "DIRECT");
  const step = steps.find((each) => (textOf(each, "type") === "DIRECT") === direct);
  const field = textOf(input, "field");
  if (field !== undefined && !fitsBytes(field, maxColumnBytes)) return null;
  const subtype = textOf(step, "subtype")?.slice(0, maxEdgeSubtype).toWellFormed();
  const description = textOf(step, "description")?.slice(0, maxEdgeDescription).toWellFormed();
  return {
    dataset_catrn: catrnOf(keyOf({ namespace, name })),
    ...(field === undefined ? {} : { field }),
    type: direct ? "DIRECT" : "INDIRECT",
    ...(subtype === undefined ? {} : { subtype }),
    ...(description === undefined ? {} : { description }),
    ...(steps.some((each) => each.masking === true) ? { masking: true } : {}),
  };
}
