import type { Queryable, Transaction } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import { leave, type Removal } from "#platform/composed-source/removals.ts";
import { type MappedRow, round, type RoundResult } from "#platform/composed-source/round.ts";
import { runCatrn } from "#platform/naming/openlineage/catrns.ts";
import type { RunFacts } from "../mapper/facts.ts";
import { type MappedRun, mapRun, testRunCatrn } from "../mapper/run.ts";
import type { IoState, JobState, RunState } from "../state/model.ts";
import { hasOwnEvents, type StoredRun, type TaskOutcomes } from "../state/runs.ts";
import { dirtyJobs } from "../store/dirty.queries.ts";
import { arrayText, columns } from "../store/rows.ts";
import type { StoredState } from "../store/tables.queries.ts";
import type { PublisherDeps } from "./deps.ts";
import * as facts from "./facts.queries.ts";
import { type ClaimedRun, queue, type Table, takeRuns } from "./rows.queries.ts";

/** Maximum number of runs of a round. */
const limit = 100;

/** Posts runs, with the tests that they made. */
export async function publishRuns(deps: PublisherDeps): Promise<RoundResult> {
  const silent = new Set<string>();
  const result = await round<ClaimedRun, Table>(deps, {
    table: "ol_run",
    limit,
    take: (tx, now, max) => tx.query(takeRuns, [now, max]),
    mapRows: (tx, rows) => mapRows(deps, tx, rows, silent),
  });
  // In a transaction of its own: who merges locks jobs before runs.
  if (silent.size > 0) await deps.db.query(dirtyJobs, [[...silent].sort(), false]);
  return result;
}

/** A run with what it was mapped from and to. */
interface RunWithFacts {
  row: ClaimedRun;
  facts: RunFacts;
  mapped: MappedRun;
}

async function mapRows(
  { clock, config }: PublisherDeps,
  tx: Transaction,
  rows: ClaimedRun[],
  silent: Set<string>,
): Promise<MappedRow[]> {
  const jobKeys = [...new Set(rows.map((row) => row.job_key))];
  const states = await tx.query(facts.jobStates, [jobKeys]);
  const jobs = new Map(states.map(({ key, state }) => [key, parsed<JobState>(state)]));
  const runs = await withIo(tx, rows);
  const catrnOf = await catrnsOf(tx, runs.flatMap(({ io }) => io.map(({ key }) => key)));
  const tasks = await tasksOf(tx, runs);
  const rules = { now: clock.now(), timeoutMs: config["run-timeout"] };
  const withFacts = rows.map((row, at): RunWithFacts => {
    const job = jobs.get(row.job_key)!;
    const run = runs[at]!;
    const facts = { run, jobKey: row.job_key, job, catrnOf, tasks: tasks.get(row.key) };
    const mapped = mapRun(facts, rules);
    if (mapped.outcome.silent && row.status !== mapped.outcome.status) silent.add(row.job_key);
    return { row, facts, mapped };
  });
  await leave(tx, queue, withFacts.flatMap(removalsOf));
  await tx.query(updateRunStatuses, columns(withFacts, valuesOf));
  return withFacts.map(({ row, facts: { job }, mapped }) => (
    { row, namespace: job.name.namespace, mapped }
  ));
}

/** What came of the runs that those started which sent no events themselves. */
async function tasksOf(tx: Transaction, runs: StoredRun[]): Promise<Map<string, TaskOutcomes>> {
  const keys = runs.filter(({ state }) => !hasOwnEvents(state)).map(({ key }) => key);
  const rows = keys.length === 0 ? [] : await tx.query(facts.taskOutcomes, [keys]);
  return new Map(rows.map(({ key, ...outcomes }) => [key, outcomes]));
}

function valuesOf(run: RunWithFacts): unknown[] {
  const { status, endedAt } = run.mapped.outcome;
  const { job, tests } = postedAs(run);
  return [run.row.key, status, endedAt, job, arrayText(tests)];
}

/** The CATRN of the job under which a run stands from now on, null when only its tests do, and those of its tests. */
function postedAs({ mapped: { items } }: RunWithFacts) {
  const run = items.find((item) => item.data_transformer_run);
  const tests = items.flatMap(({ catrn, data_quality_test }) => data_quality_test ? [catrn] : []);
  return { job: run?.data_transformer_run?.transformer_catrn ?? null, tests };
}

/**
 * Removals of what a run was posted as and is no longer: under a job that turned out to be another, and tests of a
 * dataset that has another name now. A test that another run made as well stays.
 */
function removalsOf(run: RunWithFacts): Removal[] {
  const { row, facts } = run;
  const now = postedAs(run);
  const tests = row.tests.filter((catrn) => !now.tests.includes(catrn));
  const catrns = tests.flatMap((catrn) => [catrn, testRunCatrn(catrn, facts)]);
  if (row.posted_job !== null && row.posted_job !== now.job) {
    catrns.push(runCatrn(row.posted_job, facts.run.state.runId));
  }
  return catrns.map((catrn) => ({ catrn, receivedAt: row.received_at }));
}

/** Runs with their inputs and outputs, in the order of the rows. */
export async function withIo(on: Queryable, rows: StoredState[]): Promise<StoredRun[]> {
  const keys = [...new Set(rows.map(({ key }) => key))];
  const io = new Map<string, IoState[]>(keys.map((key) => [key, []]));
  for (const row of await on.query(facts.ioOfRuns, [keys])) {
    io.get(row.run_key)!.push(parsed<IoState>(row.state));
  }
  return rows.map(({ key, state }) => ({ key, state: parsed<RunState>(state), io: io.get(key)! }));
}

/** The CATRN of each dataset by its key; for one that was not published yet, the key itself. */
export async function catrnsOf(
  on: Queryable,
  keys: string[],
): Promise<(key: string) => string> {
  const wanted = [...new Set(keys)];
  const rows = wanted.length === 0 ? [] : await on.query(facts.datasetCatrns, [wanted]);
  const known = new Map(rows.map(({ key, catrn }) => [key, catrn]));
  return (key) => known.get(key) ?? key;
}

/** A state as it is stored. */
export function parsed<S>(text: string): S {
  return JSON.parse(text) as S;
}

/**
 * $1 keys of runs, $2 their statuses, $3 when they ended: shown over HTTP; $4 jobs and $5 tests,
 * as texts of arrays, that they are posted as.
 */
const updateRunStatuses = statement("ol-tell-runs")`
  UPDATE ol_run t SET status = r.status, ended_at = r.ended_at, posted_job = r.job, tests = r.tests::text[]
    FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[])
      AS r (key, status, ended_at, job, tests)
   WHERE t.key = r.key AND (t.status, t.ended_at, t.posted_job, t.tests)
           IS DISTINCT FROM (r.status, r.ended_at, r.job, r.tests::text[])`;
