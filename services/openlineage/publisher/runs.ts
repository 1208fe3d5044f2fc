import type { Queryable, Transaction } from "#metadata/postgres/database.ts";
import { type ComposedRow, round, type RoundResult } from "#platform/composed-source/round.ts";
import { mapRun } from "../mapper/run.ts";
import type { IoState, JobState, RunState } from "../state/model.ts";
import { hasOwnEvents, type StoredRun, type TaskOutcomes } from "../state/runs.ts";
import { dirtyJobs } from "../store/dirty.queries.ts";
import { arrayText, columns } from "../store/rows.ts";
import type { StoredState } from "../store/tables.queries.ts";
import * as facts from "./facts.queries.ts";
import { postedAs, recordOrphaned, type RemappedRun } from "./orphaned-runs.ts";
import type { PublisherDeps } from "./deps.ts";
import { type ClaimedRun, type Table, takeRuns } from "./rows.queries.ts";
import { updateRunStatuses } from "./runs.queries.ts";

/** Maximum number of runs of a round. */
const limit = 100;

/** Posts runs, with the tests that they made. */
export async function publishRuns(deps: PublisherDeps): Promise<RoundResult> {
  const silent = new Set<string>();
  const result = await round<ClaimedRun, Table>(deps, {
    table: "ol_run",
    limit,
    take: (tx, now, max) => tx.query(takeRuns, [now, max]),
    mapRows: (tx, rows) => composed(deps, tx, rows, silent),
  });
  // In a transaction of its own: who merges locks jobs before runs.
  if (silent.size > 0) await deps.db.query(dirtyJobs, [[...silent].sort(), false]);
  return result;
}

async function composed(
  { clock, config }: PublisherDeps,
  tx: Transaction,
  rows: ClaimedRun[],
  silent: Set<string>,
): Promise<ComposedRow[]> {
  const jobKeys = [...new Set(rows.map((row) => row.job_key))];
  const jobs = new Map(
    (await tx.query(facts.jobStates, [jobKeys])).map((
      { key, state },
    ) => [key, parsed<JobState>(state)]),
  );
  const runs = await withIo(tx, rows);
  const catrnOf = await catrnsOf(tx, runs.flatMap(({ io }) => io.map(({ key }) => key)));
  const tasks = await tasksOf(tx, runs);
  const rules = { now: clock.now(), timeoutMs: config["run-timeout"] };
  const remapped = rows.map((row, at): RemappedRun => {
    const job = jobs.get(row.job_key)!;
    const run = runs[at]!;
    const facts = { run, jobKey: row.job_key, job, catrnOf, tasks: tasks.get(row.key) };
    const mapped = mapRun(facts, rules);
    if (mapped.outcome.silent && row.status !== mapped.outcome.status) silent.add(row.job_key);
    return { row, facts, composed: mapped };
  });
  await recordOrphaned(tx, remapped);
  await tx.query(updateRunStatuses, columns(remapped, valuesOf));
  return remapped.map(({ row, facts: { job }, composed }) => (
    { row, namespace: job.name.namespace, composed }
  ));
}

/** What came of the runs that those started which sent no events themselves. */
async function tasksOf(tx: Transaction, runs: StoredRun[]): Promise<Map<string, TaskOutcomes>> {
  const keys = runs.filter(({ state }) => !hasOwnEvents(state)).map(({ key }) => key);
  const rows = keys.length === 0 ? [] : await tx.query(facts.taskOutcomes, [keys]);
  return new Map(rows.map(({ key, ...outcomes }) => [key, outcomes]));
}

function valuesOf(run: RemappedRun): unknown[] {
  const { status, endedAt } = run.composed.outcome;
  const { job, tests } = postedAs(run);
  return [run.row.key, status, endedAt, job, arrayText(tests)];
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
  const known = new Map<string, string>();
  const wanted = [...new Set(keys)];
  if (wanted.length > 0) {
    const rows = await on.query(facts.datasetCatrns, [wanted]);
    for (const { key, catrn } of rows) known.set(key, catrn);
  }
  return (key) => known.get(key) ?? key;
}

/** A state as it is stored. */
export function parsed<S>(text: string): S {
  return JSON.parse(text) as S;
}
