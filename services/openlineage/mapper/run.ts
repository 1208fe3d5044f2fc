import type { RunStatus } from "#contract/entities.ts";
import { runCatrn, testCatrn } from "#platform/naming/openlineage/catrns.ts";
import { isUuid, unnamedJob } from "../state/events.ts";
import { objectsOf, textOf, valueOf } from "../state/facets.ts";
import { sides } from "../state/model.ts";
import { effectiveIo, outcomeOf, type RunOutcome } from "../state/runs.ts";
import type { RunFacts } from "./facts.ts";
import { instant, type Item, type MappedItems, mappedItems } from "./item.ts";
import { isStreamingJob, isTestJob } from "./job.ts";
import { runMetrics } from "./metrics.ts";
import { runMetadata } from "./run-metadata.ts";

interface RunRules {
  now: number;
  timeoutMs: number;
}

/** Milliseconds for which a run whose job has no name waits for it. */
export const unnamedWaitMs = 10 * 60 * 1_000;

export interface MappedRun extends MappedItems {
  outcome: RunOutcome;
}

/** A run of a job, with the tests that it made. */
export function mapRun(facts: RunFacts, { now, timeoutMs }: RunRules): MappedRun {
  const { run: { state }, job } = facts;
  const rules = { now, timeoutMs, streaming: isStreamingJob(job) };
  const outcome = outcomeOf(state, rules, facts.tasks);
  const named = job.name.name !== unnamedJob;
  if (!named && state.first + unnamedWaitMs > now) {
    return { ...mappedItems([], state.first + unnamedWaitMs), outcome };
  }
  const tests = mapTests(facts, outcome);
  const silent = isTestJob(job) && tests.length > 0;
  const items = silent ? tests : [runItem(facts, outcome), ...tests];
  return { ...mappedItems(items, outcome.dueAt, runMetrics(facts)), outcome };
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

/** When a run began and ended, and how. */
function timesOf({ startedAt, endedAt, status, reason }: RunOutcome) {
  return {
    start_time: instant(startedAt),
    ...(endedAt === null ? {} : { end_time: instant(endedAt) }),
    status,
    ...(reason === null ? {} : { status_reason: reason }),
  };
}

/** A test that a run made, and what came of it. */
interface TestResult {
  /** CATRN of the test. */
  catrn: string;
  name: string;
  /** What its runs are called, as in an alert: the test, and its column if the name leaves that out. */
  runName: string;
  /** What it asserts, such as `not_null`. */
  type: string;
  column: string | undefined;
  datasets: string[];
  status: RunStatus;
  reason: string | undefined;
}

/** Maximum number of tests of a run that are posted. */
export const maxTests = 1_000;

/** Longest reason, in characters. */
const maxReason = 2_000;

/**
 * The tests that a run made, each with its run. What is posted of a test itself depends on its name alone,
 * so that the runs of a test never contend for it.
 */
function mapTests(facts: RunFacts, outcome: RunOutcome): Item[] {
  const made = new Map<string, TestResult>();
  for (const test of [...assertionsOf(facts), ...testsOf(facts)]) {
    const existing = made.get(test.catrn);
    // The same assertion twice: the worse result counts.
    if (!existing || rank(test) > rank(existing)) made.set(test.catrn, test);
  }
  const sorted = [...made.values()].sort((a, b) => a.catrn < b.catrn ? -1 : 1);
  return sorted.slice(0, maxTests).flatMap((
    test,
  ) => [testItem(test), resultItem(test, facts, outcome)]);
}

const ranks: Partial<Record<RunStatus, number>> = { SKIPPED: 0, SUCCESS: 1, UNKNOWN: 2, FAILED: 3 };
const rank = ({ status, reason }: TestResult) =>
  (ranks[status] ?? 0) + (reason === undefined ? 0 : 0.5);

function* assertionsOf({ run, catrnOf }: RunFacts): Generator<TestResult> {
  for (const side of sides) {
    for (const { key, facets } of effectiveIo(run, side)) {
      const dataset = catrnOf(key);
      for (const given of objectsOf(valueOf(facets, "dataQualityAssertions"), "assertions")) {
        const assertion = textOf(given, "assertion");
        if (assertion === undefined) continue;
        const column = textOf(given, "column");
        const plain = column === undefined ? assertion : `${assertion}/${column}`;
        const name = textOf(given, "name") ?? plain;
        const runName = name === plain || column === undefined ? name : `${name} (${column})`;
        const result = given.success === true ? "pass" : "fail";
        yield madeOf(given, {
          dataset,
          datasets: [dataset],
          name,
          runName,
          type: assertion,
          column,
          result,
        });
      }
    }
  }
}

/** Tests of the run as a whole: they concern its inputs; the first one names them. */
function* testsOf({ run, jobKey, catrnOf }: RunFacts): Generator<TestResult> {
  const given = ["test", "testRun"].flatMap((name) =>
    objectsOf(valueOf(run.state.facets, name), "tests")
  );
  if (given.length === 0) return;
  const inputs = effectiveIo(run, "inputs").map(({ key }) => catrnOf(key)).sort();
  const datasets = [...new Set(inputs)];
  for (const test of given) {
    const name = textOf(test, "name");
    if (name === undefined) continue;
    const type = textOf(test, "type") ?? name;
    const result = textOf(test, "status")?.toLowerCase() ?? "";
    const dataset = datasets[0] ?? jobKey;
    const named = { name, runName: name, type, column: undefined };
    yield madeOf(test, { dataset, datasets, ...named, result });
  }
}

interface AssertionResult
  extends Pick<TestResult, "datasets" | "name" | "runName" | "type" | "column"> {
  dataset: string;
  result: string;
}

function madeOf(
  given: Record<string, unknown>,
  { dataset, result, ...test }: AssertionResult,
): TestResult {
  const warns = textOf(given, "severity")?.toLowerCase() === "warn";
  const status = statusOf(result, warns);
  const details = [["expected", "expected"], ["actual", "actual"], ["content", "of"]].flatMap(
    ([member, word]) => {
      const value = textOf(given, member!);
      return value === undefined ? [] : [`${word} ${value}`];
    },
  );
  const failed = status === "FAILED" || status === "UNKNOWN";
  const words = [...(warns && failed ? ["a warning"] : []), ...details].join(", ");
  const reason = failed && words !== "" ? words.slice(0, maxReason).toWellFormed() : undefined;
  return { catrn: testCatrn(dataset, test.name), ...test, status, reason };
}

function statusOf(result: string, warns: boolean): RunStatus {
  if (/^(?:pass|success|ok)/.test(result)) return "SUCCESS";
  if (/^skip/.test(result)) return "SKIPPED";
  if (/^(?:fail|error|warn)/.test(result)) return warns ? "UNKNOWN" : "FAILED";
  return "UNKNOWN";
}

function testItem({ catrn, name, type, column, datasets }: TestResult): Item {
  return {
    catrn,
    name,
    type: "JOB",
    data_quality_test: {
      suite_name: "OpenLineage",
      dataset_list: datasets,
      expectation: { type, category: "ASSERTION", ...(column === undefined ? {} : { column }) },
    },
  };
}

/** CATRN of what came of a test in a run. */
export function testRunCatrn(test: string, { run, job }: Pick<RunFacts, "run" | "job">): string {
  const { runId } = run.state;
  const { namespace, name } = job.name;
  // Other jobs may test the same dataset in a run of the same id.
  return runCatrn(test, isUuid(runId) ? runId : `${namespace}/${name}/${runId}`);
}

function resultItem(
  { catrn, runName, status, reason }: TestResult,
  facts: RunFacts,
  outcome: RunOutcome,
): Item {
  return {
    catrn: testRunCatrn(catrn, facts),
    name: runName,
    type: "JOB_RUN",
    data_quality_test_run: {
      data_quality_test_catrn: catrn,
      start_time: instant(outcome.startedAt),
      end_time: instant(outcome.endedAt ?? outcome.startedAt),
      status,
      ...(reason === undefined ? {} : { status_reason: reason }),
    },
  };
}
