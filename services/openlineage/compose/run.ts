import { runCatrn } from "#platform/naming/openlineage/catrns.ts";
import { objectsOf, textOf, valueOf } from "../state/facets.ts";
import { unnamedJob } from "../state/events.ts";
import { effectiveIo, outcomeOf, type RunOutcome } from "../state/runs.ts";
import { type Composed, composed, instant, type Item, metadataOf } from "./item.ts";
import type { RunFacts } from "./facts.ts";
import { isStreamingJob, isTestJob } from "./job.ts";
import { composeTests } from "./tests.ts";

export interface RunRules {
  now: number;
  timeoutMs: number;
}

/** Milliseconds for which a run whose job has no name waits for it. */
export const unnamedWaitMs = 10 * 60 * 1_000;

export interface ComposedRun extends Composed {
  outcome: RunOutcome;
}

/** A run of a job, with the tests that it made. */
export function composeRun(facts: RunFacts, { now, timeoutMs }: RunRules): ComposedRun {
  const { run: { state }, job } = facts;
  const outcome = outcomeOf(state, { now, timeoutMs, streaming: isStreamingJob(job) });
  const named = job.name.name !== unnamedJob;
  if (!named && state.first + unnamedWaitMs > now) {
    return { ...composed([], state.first + unnamedWaitMs), outcome };
  }
  const tests = composeTests(facts, outcome);
  const silent = isTestJob(job) && tests.length > 0;
  const items = silent ? tests : [runItem(facts, outcome), ...tests];
  return { ...composed(items, outcome.dueAt), outcome };
}

function runItem(facts: RunFacts, outcome: RunOutcome): Item {
  const { run: { state }, jobKey } = facts;
  return {
    catrn: runCatrn(jobKey, state.runId),
    name: state.runId,
    type: "JOB_RUN",
    ...runMetadata(facts),
    data_transformer_run: { transformer_catrn: jobKey, ...timesOf(outcome) },
  };
}

/** The members that runs of jobs and of tests share. */
export function timesOf({ startedAt, endedAt, status, reason }: RunOutcome) {
  return {
    start_time: instant(startedAt),
    ...(endedAt === null ? {} : { end_time: instant(endedAt) }),
    status,
    ...(reason === null ? {} : { status_reason: reason }),
  };
}

function runMetadata({ run, catrnOf }: RunFacts) {
  const facet = (of: string) => valueOf(run.state.facets, of);
  const [parent] = objectsOf({ list: [facet("parent")?.run] }, "list");
  const versions = effectiveIo(run, "inputs").flatMap(({ key, facets }) => {
    const version = textOf(valueOf(facets, "version"), "datasetVersion");
    return version === undefined ? [] : [`${catrnOf(key)} ${version}`];
  });
  return metadataOf({
    parent_run: textOf(parent, "runId"),
    nominal_start_time: textOf(facet("nominalTime"), "nominalStartTime"),
    nominal_end_time: textOf(facet("nominalTime"), "nominalEndTime"),
    engine: textOf(facet("processing_engine"), "name"),
    engine_version: textOf(facet("processing_engine"), "version"),
    external_query_id: textOf(facet("externalQuery"), "externalQueryId"),
    input_versions: versions.length === 0 ? undefined : versions.sort(),
  });
}
