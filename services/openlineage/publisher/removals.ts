import { system } from "#contract/actor.ts";
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
}

/** Has entities and runs leave, once what was last posted of them is applied. */
export async function leave(tx: Transaction, removals: Removal[]): Promise<void> {
  const latest = new Map<string, number>();
  for (const { catrn, receivedAt } of removals) {
    latest.set(catrn, Math.max(receivedAt, latest.get(catrn) ?? receivedAt));
  }
  if (latest.size > 0) await tx.query(facts.leave, [[...latest.keys()], [...latest.values()]]);
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
    const rows = await tx.query(pendingRemovals, [openLineageRoot, new Date(waited), limit]);
    if (rows.length === 0) return 0;
    await tx.query(deleteRemovals, [rows.map(({ catrn }) => catrn)]);
    const others = rows.filter(({ id }) => id === null);
    await tx.query(dropRuns, columns(others, (one) => [one.catrn, one.received_at], 2));
    const locked = await lockStatuses(tx, rows.flatMap(({ id }) => id === null ? [] : [id]));
    const deleted = { status: "DELETED" as const, switchAt: null };
    await changingWithin(
      tx,
      system,
      (change) => applyStatus(change, locked, deleted, new Date(now)),
    );
    return locked.length;
  });
  if (gone > 0) {
    log.info("deleted entities that OpenLineage no longer reports", { entities: gone });
  }
}
