import type { Transaction } from "#metadata/postgres/database.ts";
import { mappedItems } from "#platform/items.ts";
import { leave } from "#platform/composed-source/removals.ts";
import { type MappedRow, round, type RoundResult } from "#platform/composed-source/round.ts";
import { earliest, mapJob } from "../mapper/job.ts";
import { unnamedWaitMs } from "../mapper/run.ts";
import { unnamedJob } from "../state/events.ts";
import { type Child, currentChildren, parentsOf } from "../state/hierarchy.ts";
import type { JobState } from "../state/model.ts";
import type { StoredRun } from "../state/runs.ts";
import * as facts from "./facts.queries.ts";
import { ioRules, type PublisherDeps } from "./deps.ts";
import { type ClaimedRow, queue, takeJobs, unpost } from "./rows.queries.ts";
import { catrnsOf, parsed, withIo } from "./runs.ts";

/** Maximum number of jobs of a round. */
const limit = 100;

/** Posts jobs, with what they read and write. */
export function publishJobs(deps: PublisherDeps): Promise<RoundResult> {
  return round(deps, {
    table: "ol_job",
    limit,
    take: (tx, now, max) => tx.query(takeJobs, [now, max]),
    mapRows: (tx, rows) => mapRows(deps, tx, rows),
  });
}

async function mapRows(
  deps: PublisherDeps,
  tx: Transaction,
  rows: ClaimedRow[],
): Promise<MappedRow[]> {
  const keys = rows.map(({ key }) => key);
  const rules = ioRules(deps);
  const states = new Map(rows.map(({ key, state }) => [key, parsed<JobState>(state)]));
  const runs = await runsOf(tx, keys, rules.remembered);
  const below = await childrenOf(tx, keys);
  const catrnOf = await catrnsOf(tx, [
    ...[...runs.values()].flatMap((stored) => stored.flatMap(({ io }) => io.map(({ key }) => key))),
    ...[...states.values()].flatMap(({ inputs, outputs }) =>
      [...inputs?.v ?? [], ...outputs?.v ?? []].map(({ key }) => key)
    ),
  ]);
  const childTtl = { now: rules.now, ttlMs: deps.config["job-ttl"] };
  const waits = new Map(
    rows.map(({ key }) => [key, waitOf(states.get(key)!, runs.get(key) ?? [], rules.now)]),
  );
  await leaveUnnamed(tx, rows, { states, waits });
  return rows.map((row) => {
    const state = states.get(row.key)!;
    const own = runs.get(row.key) ?? [];
    const { namespace } = state.name;
    const wait = waits.get(row.key)!;
    if (wait !== null) {
      return { row, namespace, mapped: mappedItems([], Number.isFinite(wait) ? wait : null) };
    }
    const children = currentChildren(below.get(row.key) ?? [], childTtl);
    const names = { catrnOf, keyOf: deps.keys.dataset, jobKeyOf: deps.keys.job };
    const job = { key: row.key, state, runs: own, children, ...names };
    return { row, namespace, mapped: mapJob(job, rules) };
  });
}

/** Until when a job without a name is not posted, Infinity if none of its runs stays without; null for others. */
function waitOf({ name }: JobState, runs: StoredRun[], now: number): number | null {
  if (name.name !== unnamedJob) return null;
  const first = earliest(...runs.map(({ state }) => state.first)) ?? Infinity;
  return first + unnamedWaitMs > now ? first + unnamedWaitMs : null;
}

/** A job without a name leaves when its runs turned out to be of others, until another run stays without. */
async function leaveUnnamed(
  tx: Transaction,
  rows: ClaimedRow[],
  { states, waits }: { states: Map<string, JobState>; waits: Map<string, number | null> },
): Promise<void> {
  const unnamed = rows.filter(({ key }) => states.get(key)!.name.name === unnamedJob);
  const remaining = unnamed.filter(({ key }) => waits.get(key) === null);
  const removals = unnamed.filter((row) => waits.get(row.key) !== null && row.received_at > 0);
  if (remaining.length > 0) await tx.query(queue.stay, [remaining.map(({ key }) => key)]);
  if (removals.length === 0) return;
  await tx.query(unpost, [removals.map(({ key }) => key)]);
  await leave(tx, queue, removals.map((row) => ({ catrn: row.key, receivedAt: row.received_at })));
}

async function runsOf(
  tx: Transaction,
  keys: string[],
  remembered: number,
): Promise<Map<string, StoredRun[]>> {
  const rows = await tx.query(facts.countingRuns, [keys, remembered]);
  return Map.groupBy(await withIo(tx, rows), (_, at) => rows[at]!.job_key);
}

/** The jobs that each job started, without those whose link is dropped since it closes a cycle. */
async function childrenOf(tx: Transaction, keys: string[]): Promise<Map<string, Child[]>> {
  const rows = await tx.query(facts.children, [keys]);
  if (rows.length === 0) return new Map();
  const above = await tx.query(facts.ancestors, [keys]);
  const linked = above.map(({ key, state }) => ({ key, parent: parsed<JobState>(state).parent }));
  const parents = parentsOf(linked);
  // A child that is not above its parent is on no cycle.
  const onPath = new Set(linked.map(({ key }) => key));
  const linkedRows = rows.filter(({ key, parent_key }) =>
    !onPath.has(key) || parents.get(key) === parent_key
  );
  return Map.groupBy(linkedRows, ({ parent_key }) => parent_key);
}
