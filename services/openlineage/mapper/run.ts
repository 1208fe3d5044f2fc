import { runCatrn } from "#platform/naming/openlineage/catrns.ts";
import { unnamedJob } from "../state/events.ts";
import { outcomeOf, type RunOutcome } from "../state/runs.ts";
import { composed, instant, type Item, type MappedItem } from "./item.ts";
import type { RunFacts } from "./facts.ts";
import { runMetrics } from "./metrics.ts";
import { isStreamingJob, isTestJob } from "./job.ts";
import { runMetadata } from "./run-metadata.ts";
import { mapTests } from "./tests.ts";

export interface RunRules {
  now: number;
  timeoutMs: number;
}

/** Milliseconds for which a run whose job has no name waits for it. */
export const unnamedWaitMs = 10 * 60 * 1_000;

export interface ComposedRun extends MappedItem {
  outcome: RunOutcome;
}

/** A run of a job, with the tests that it made. */
export function mapRun(facts: RunFacts, { now, timeoutMs }: RunRules): ComposedRun {
  const { run: { state }, job } = facts;
  const rules = { now, timeoutMs, streaming: isStreamingJob(job) };
  const outcome = outcomeOf(state, rules, facts.tasks);
  const named = job.name.name !== unnamedJob;
  if (!named && state.first + unnamedWaitMs > now) {
    return { ...composed([], state.first + unnamedWaitMs), outcome };
  }
  const tests = mapTests(facts, outcome);
  const silent = isTestJob(job) && tests.length > 0;
  const items = silent ? tests : [runItem(facts, outcome), ...tests];
  return { ...composed(items, outcome.dueAt, runMetrics(facts)), outcome };
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
