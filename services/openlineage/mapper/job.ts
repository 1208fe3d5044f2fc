import { catrnNamespace } from "#platform/naming/openlineage/names.ts";
import { objectOf, objectsOf, textOf, valueOf } from "../state/facets.ts";
import { isStreaming } from "../state/events.ts";
import { type IoRules, jobIo } from "../state/job-io.ts";
import { feedingJobs } from "../state/explicit.ts";
import type { JobState } from "../state/model.ts";
import { columnLineageOf } from "./columns.ts";
import type { JobFacts } from "./facts.ts";
import {
  composed,
  type Item,
  type MappedItem,
  metadataOf,
  nameText,
  ownersOf,
  tagsOf,
  textMember,
} from "./item.ts";

/** A job as a transformer; one that started others is a DAG, whose members they are. */
export function mapJob(facts: JobFacts, rules: IoRules): MappedItem {
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
  return composed([item], earliest(inputs.dueAt, outputs.dueAt, children.dueAt));
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
