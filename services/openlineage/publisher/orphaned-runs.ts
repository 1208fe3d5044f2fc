import type { Transaction } from "#metadata/postgres/database.ts";
import { leave, type Removal } from "#platform/composed-source/removals.ts";
import { runCatrn } from "#platform/naming/openlineage/catrns.ts";
import type { ComposedRun } from "../mapper/run.ts";
import { testRunCatrn } from "../mapper/tests.ts";
import type { RunFacts } from "../mapper/facts.ts";
import { type ClaimedRun, queue } from "./rows.queries.ts";

/** A run that is mapped again. */
export interface RemappedRun {
  row: ClaimedRun;
  facts: RunFacts;
  composed: ComposedRun;
}

/** What a run is posted as. */
interface PostedAs {
  /** CATRN of the job under which it stands; null when only its tests do. */
  job: string | null;
  /** CATRNs of its tests. */
  tests: string[];
}

/** What a run is posted as from now on. */
export function postedAs({ composed: { items } }: RemappedRun): PostedAs {
  const run = items.find((item) => item.data_transformer_run);
  const tests = items.flatMap(({ catrn, data_quality_test }) => data_quality_test ? [catrn] : []);
  return { job: run?.data_transformer_run?.transformer_catrn ?? null, tests };
}

/**
 * What runs were posted as and are no longer leaves: under a job that turned out to be another, and tests of a dataset
 * that has another name now. A test that another run made as well stays.
 */
export async function recordOrphaned(tx: Transaction, runs: RemappedRun[]): Promise<void> {
  await leave(tx, queue, runs.flatMap(removalsOf));
}

function removalsOf(run: RemappedRun): Removal[] {
  const { row, facts } = run;
  const now = postedAs(run);
  const tests = row.tests.filter((catrn) => !now.tests.includes(catrn));
  const catrns = tests.flatMap((catrn) => [catrn, testRunCatrn(catrn, facts)]);
  if (row.posted_job !== null && row.posted_job !== now.job) {
    catrns.push(runCatrn(row.posted_job, facts.run.state.runId));
  }
  return catrns.map((catrn) => ({ catrn, receivedAt: row.received_at }));
}
