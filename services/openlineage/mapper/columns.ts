import { maxColumnEdges } from "#contract/ingestion/limits.ts";
import { isStreaming } from "../state/events.ts";
import { valueOf } from "../state/facets.ts";
import { countingRuns, type IoRules } from "../state/job-io.ts";
import { effectiveIo, newestFirst, outcomeOf } from "../state/runs.ts";
import { type Facet, type Source, sourcesByField } from "./column-facet.ts";
import type { JobFacts } from "./facts.ts";

interface Target {
  target: { dataset_catrn: string; field?: string };
  sources: Source[];
}

type ColumnFacts = Pick<JobFacts, "state" | "runs" | "catrnOf" | "keyOf">;

/**
 * Column lineage of the outputs: by the newest COMPLETE run with column lineage of an
 * output, and by the runs that have not ended. Nothing when no event has columns.
 */
export function columnLineageOf(
  facts: ColumnFacts,
  rules: IoRules,
  outputs: string[],
): { column_lineage?: Target[] } {
  const facets = facetsByOutput(facts, rules);
  const targets: Target[] = [];
  let edges = 0;
  for (const output of outputs) {
    const fields = new Map<string | null, Map<string, Source>>();
    for (const facet of facets.get(output) ?? []) {
      for (const [field, sources] of sourcesByField(facet, facts)) {
        fields.set(field, new Map([...sources, ...fields.get(field) ?? []]));
      }
    }
    for (const [field, sources] of [...fields].sort(byField)) {
      edges += sources.size;
      if (edges > maxColumnEdges) return { column_lineage: targets };
      const ordered = [...sources].sort(([a], [b]) => a < b ? -1 : 1).map(([, source]) => source);
      const whole = { dataset_catrn: facts.catrnOf(output) };
      const target = field === null ? whole : { ...whole, field };
      targets.push({ target, sources: ordered });
    }
  }
  return facets.size === 0 ? {} : { column_lineage: targets };
}

function byField([a]: [string | null, unknown], [b]: [string | null, unknown]): number {
  return (a ?? "") < (b ?? "") ? -1 : 1;
}

function facetsByOutput({ state, runs }: ColumnFacts, rules: IoRules): Map<string, Facet[]> {
  const streaming = isStreaming(valueOf(state.facets, "jobType"));
  const facetsOf = new Map<string, Facet[]>();
  const settled = new Set<string>();
  for (const run of countingRuns("outputs", runs, { ...rules, streaming }).sort(newestFirst)) {
    const complete = outcomeOf(run.state, { ...rules, streaming }).terminal === "COMPLETE";
    for (const { key, facets } of effectiveIo(run, "outputs")) {
      const facet = facets.columnLineage?.v;
      if (!facet || settled.has(key)) continue;
      facetsOf.set(key, [...(facetsOf.get(key) ?? []), facet]);
      if (complete) settled.add(key);
    }
  }
  for (const { key, columnLineage } of state.outputs?.v ?? []) {
    if (columnLineage && !facetsOf.has(key)) facetsOf.set(key, [columnLineage]);
  }
  return facetsOf;
}
