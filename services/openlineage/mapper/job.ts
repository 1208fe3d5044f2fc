import {
  maxColumnBytes,
  maxColumnEdges,
  maxEdgeDescription,
  maxEdgeSubtype,
} from "#contract/ingestion/limits.ts";
import { fitsBytes } from "#contract/ingestion/values.ts";
import { catrnNamespace } from "#platform/naming/openlineage/names.ts";
import { isStreaming } from "../state/events.ts";
import { feedingJobs } from "../state/explicit.ts";
import { objectOf, objectsOf, textOf, valueOf } from "../state/facets.ts";
import { countingRuns, type IoRules, jobIo } from "../state/job-io.ts";
import { type JobState, nameOf } from "../state/model.ts";
import { effectiveIo, newestFirst, outcomeOf } from "../state/runs.ts";
import type { JobFacts } from "./facts.ts";
import {
  type Item,
  type MappedItems,
  mappedItems,
  metadataOf,
  nameText,
  ownersOf,
  tagsOf,
  textMember,
} from "./item.ts";

/** A job as a transformer; one that started others is a DAG, whose members they are. */
export function mapJob(facts: JobFacts, rules: IoRules): MappedItems {
  const { key, state, children } = facts;
  const inputs = jobIo("inputs", state, facts.runs, rules);
  const outputs = jobIo("outputs", state, facts.runs, rules);
  const named = (keys: string[]) => keys.map(facts.catrnOf);
  const isOwn = (name: JobState["name"]) => facts.jobKeyOf(name) === key;
  const feeding = feedingJobs(valueOf(state.facets, "lineage"), isOwn).map(facts.jobKeyOf);
  const sql = textOf(valueOf(state.facets, "sql"), "query");
  const source = textOf(valueOf(state.facets, "sourceCodeLocation"), "url");
  const group = children.keys.length > 0;
  const item: Item = {
    catrn: key,
    name: shownName(state.name),
    type: group ? "DAG" : "JOB",
    ...textMember("description", textOf(valueOf(state.facets, "documentation"), "description")),
    ...tagsOf(valueOf(state.facets, "tags")),
    ...ownersOf(state.facets.ownership),
    ...jobMetadata(state, { inputs: inputs.more, outputs: outputs.more }),
    data_transformer: {
      inputs: sorted([...named(inputs.keys), ...feeding]),
      outputs: sorted(named(outputs.keys)),
      ...textMember("sql", sql),
      ...textMember("source_code_url", source),
      ...columnLineageOf(facts, rules, outputs.keys),
    },
    ...(group ? { data_entity_group: { entities_list: children.keys } } : {}),
  };
  return mappedItems([item], earliest(inputs.dueAt, outputs.dueAt, children.dueAt));
}

const sorted = (catrns: string[]) => [...new Set(catrns)].sort();

/** The earliest of some times; null when there is none. */
export function earliest(...times: (number | null)[]): number | null {
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : Math.min(...known);
}

/** Of a name that is a CATRN the last part, which is what people call it. */
function shownName({ namespace, name }: JobState["name"]): string {
  const last = namespace === catrnNamespace && name.startsWith("//") ? name.split("/").at(-1) : "";
  return last || name;
}

function jobMetadata({ name, facets }: JobState, more: Record<"inputs" | "outputs", number>) {
  const jobType = valueOf(facets, "jobType");
  const dependencies = (side: string) => {
    const jobs = objectsOf(valueOf(facets, "jobDependencies"), side);
    const names = jobs.flatMap(({ job }) => nameText(objectOf(job)) ?? []);
    return names.length === 0 ? undefined : names;
  };
  return metadataOf({
    openlineage_namespace: name.namespace,
    openlineage_name: name.name,
    job_type: textOf(jobType, "jobType"),
    integration: textOf(jobType, "integration"),
    processing_type: textOf(jobType, "processingType"),
    lifecycle_type: textOf(jobType, "lifecycleType"),
    upstream_jobs: dependencies("upstream"),
    downstream_jobs: dependencies("downstream"),
    inputs_of_earlier_runs: more.inputs || undefined,
    outputs_of_earlier_runs: more.outputs || undefined,
  });
}

/** Whether a job does not end. */
export function isStreamingJob({ facets }: JobState): boolean {
  return isStreaming(valueOf(facets, "jobType"));
}

/** Whether the runs of a job are tests, which stand for themselves. */
export function isTestJob({ facets }: JobState): boolean {
  return textOf(valueOf(facets, "jobType"), "jobType")?.toUpperCase() === "TEST";
}

interface ColumnTarget {
  target: { dataset_catrn: string; field?: string };
  sources: ColumnSource[];
}

/** A field, or without `field` the whole, of a dataset that a target was made from. */
interface ColumnSource {
  dataset_catrn: string;
  field?: string;
  type: "DIRECT" | "INDIRECT";
  subtype?: string;
  description?: string;
  masking?: boolean;
}

/** Sources by identity. */
type ColumnSources = Map<string, ColumnSource>;

type FacetObject = Record<string, unknown>;

/**
 * Column lineage of the outputs: by the newest COMPLETE run with column lineage of an
 * output, and by the runs that have not ended. Nothing when no event has columns.
 */
function columnLineageOf(
  facts: JobFacts,
  rules: IoRules,
  outputs: string[],
): { column_lineage?: ColumnTarget[] } {
  const facets = facetsByOutput(facts, rules);
  const targets: ColumnTarget[] = [];
  let edges = 0;
  for (const output of outputs) {
    const fields = new Map<string | null, Map<string, ColumnSource>>();
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

function facetsByOutput({ state, runs }: JobFacts, rules: IoRules): Map<string, FacetObject[]> {
  const streaming = isStreamingJob(state);
  const facetsOf = new Map<string, FacetObject[]>();
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

type NamingContext = Pick<JobFacts, "catrnOf" | "keyOf">;

/**
 * Entries of a facet `columnLineage` by field of an output, and under null for the dataset as a whole. What
 * every field depends on INDIRECTLY (such as a filter, which older producers repeat for each field) is moved to the whole.
 */
export function sourcesByField(
  facet: FacetObject,
  naming: NamingContext,
): Map<string | null, ColumnSources> {
  const found = new Map<string | null, ColumnSources>();
  const byName = objectOf(facet.fields);
  for (const [field, given] of Object.entries(byName ?? {})) {
    if (field === "" || !fitsBytes(field, maxColumnBytes)) continue;
    const entry = objectOf(given);
    found.set(field, sourcesOf(objectsOf(entry, "inputFields"), naming));
  }
  const whole = sourcesOf(objectsOf(facet, "dataset"), naming);
  for (const [key, source] of sharedByAll([...found.values()])) {
    if (!whole.has(key)) whole.set(key, source);
    for (const sources of found.values()) sources.delete(key);
  }
  found.set(null, whole);
  return new Map([...found].filter(([, sources]) => sources.size > 0));
}

/** The INDIRECT sources that all fields have, if there are several fields. */
function sharedByAll([first, ...others]: ColumnSources[]): [string, ColumnSource][] {
  if (!first || others.length === 0) return [];
  return [...first].filter(([key, { type }]) =>
    type === "INDIRECT" && others.every((sources) => sources.has(key))
  );
}

function sourcesOf(inputs: FacetObject[], naming: NamingContext): ColumnSources {
  const sources: ColumnSources = new Map();
  for (const input of inputs) {
    const source = sourceOf(input, naming);
    if (!source) continue;
    const key = JSON.stringify([source.dataset_catrn, source.field, source.type]);
    if (!sources.has(key)) sources.set(key, source);
  }
  return sources;
}

function sourceOf(input: FacetObject, { keyOf, catrnOf }: NamingContext): ColumnSource | null {
  const name = nameOf(input);
  if (!name) return null;
  const steps = objectsOf(input, "transformations");
  const direct = steps.length === 0 || steps.some((step) => textOf(step, "type") === "DIRECT");
  const step = steps.find((each) => (textOf(each, "type") === "DIRECT") === direct);
  const field = textOf(input, "field");
  if (field !== undefined && !fitsBytes(field, maxColumnBytes)) return null;
  const subtype = textOf(step, "subtype")?.slice(0, maxEdgeSubtype).toWellFormed();
  const description = textOf(step, "description")?.slice(0, maxEdgeDescription).toWellFormed();
  return {
    dataset_catrn: catrnOf(keyOf(name)),
    ...(field === undefined ? {} : { field }),
    type: direct ? "DIRECT" : "INDIRECT",
    ...(subtype === undefined ? {} : { subtype }),
    ...(description === undefined ? {} : { description }),
    ...(steps.some((each) => each.masking === true) ? { masking: true } : {}),
  };
}
