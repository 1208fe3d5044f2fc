import { system } from "#contract/actor.ts";
import { carryOver } from "#metadata/catalogue/carry-over.ts";
import { changingWithin } from "#metadata/catalogue/changing.ts";
import { applyStatus, lockStatuses } from "#metadata/catalogue/statuses.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { retryingTransaction } from "#metadata/postgres/retrying.ts";
import { openLineageRoot } from "#platform/naming/openlineage/catrns.ts";
import { deleteRemovals, dropRuns, pendingRemovals } from "./removals.queries.ts";
import { columns } from "../store/rows.ts";
import { inLogMs } from "./applied.ts";
import * as facts from "./facts.queries.ts";
import type { PublisherDeps } from "./deps.ts";

/** Maximum number of entities that leave in one round. */
const limit = 500;

/** Maximum number of milliseconds for which a deletion waits for the last batch of its entity. */
const waitMs = 60 * 60 * 1_000;

/** What OpenLineage no longer stands for, and as of when it was last posted. */
export interface Removal {
  catrn: string;
  receivedAt: number;
  /** CATRN under which it goes on: what people wrote on it goes there. */
  successor?: string;
}

/** Has entities and runs leave, once what was last posted of them is applied. */
export async function leave(tx: Transaction, removals: Removal[]): Promise<void> {
  const latest = new Map<string, Removal>();
  for (const removal of removals) {
    const other = latest.get(removal.catrn);
    if (!other || other.receivedAt <= removal.receivedAt) latest.set(removal.catrn, removal);
  }
  if (latest.size === 0) return;
  const rows = [...latest.values()];
  await tx.query(
    facts.leave,
    columns(rows, (one) => [one.catrn, one.receivedAt, one.successor ?? null]),
  );
}

/**
 * Marks entities DELETED that OpenLineage made and no longer stands for, as if somebody had done so over the
 * API, and deletes such runs, which have no such status. What a collector reports by now is left unchanged.
 */
export async function publishRemovals(deps: PublisherDeps): Promise<void> {
  const { db, clock, log, applied } = deps;
  const now = clock.now();
  // What leaves since before has its last batch applied, or that batch never was in the log.
  const settled = (await applied.until() ?? 0) - inLogMs;
  const waited = Math.max(now - waitMs, settled);
  const gone = await retryingTransaction(db, async (tx) => {
    const rows = await tx.query(pendingRemovals, [
      openLineageRoot,
      new Date(waited),
      limit,
      deps.renameMs / 1_000,
    ]);
    if (rows.length === 0) return 0;
    await tx.query(deleteRemovals, [rows.map(({ catrn }) => catrn)]);
    const others = rows.filter(({ id }) => id === null);
    await tx.query(dropRuns, columns(others, (one) => [one.catrn, one.received_at], 2));
    const ids = rows.flatMap(({ id }) => id ?? []);
    const successions = rows.flatMap(({ id: from, successor: to }) =>
      from !== null && to !== null ? [{ from, to }] : []
    );
    const locked = await lockStatuses(tx, [...ids, ...successions.map(({ to }) => to)]);
    const gone = locked.filter(({ id }) => ids.includes(id));
    const deleted = { status: "DELETED" as const, switchAt: null };
    await changingWithin(tx, system, async (change) => {
      await carryOver(change, successions);
      await applyStatus(change, gone, deleted, new Date(now));
    });
    return gone.length;
  });
  if (gone > 0) {
    log.info("deleted entities that OpenLineage no longer reports", { entities: gone });
  }
}
