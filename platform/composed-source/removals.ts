import { columnsOf } from "#metadata/postgres/statement.ts";
import { system as systemActor } from "#contract/actor.ts";
import { carryOver } from "#metadata/catalogue/carry-over.ts";
import { changingWithin } from "#metadata/catalogue/changing.ts";
import { applyStatus, lockStatuses } from "#metadata/catalogue/statuses.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { retryingTransaction } from "#metadata/postgres/retrying.ts";
import { inLogMs } from "./applied.ts";
import type { RemovalStore, SourceDeps } from "./deps.ts";
import type { PendingRemoval, QueueStatements } from "./queue.queries.ts";

/** Maximum number of entities that leave in one round. */
export const maxRemovals = 500;

/** Maximum number of milliseconds for which a deletion waits for the last batch of its entity. */
const waitMs = 60 * 60 * 1_000;

/** Milliseconds for which a name that a RENAME took away stays, since a swap gives it to another table at once. */
export const defaultRenameMs = 5_000;

/** What a source no longer reports, and as of when it was last posted. */
export interface Removal {
  catrn: string;
  receivedAt: number;
  /** CATRN under which it goes on: what people wrote on it goes there. */
  successor?: string;
}

/** Has entities and runs leave, once what was last posted of them is applied. */
export async function leave(
  tx: Transaction,
  statements: Pick<QueueStatements<string>, "leave">,
  removals: Removal[],
): Promise<void> {
  const latest = new Map<string, Removal>();
  for (const removal of removals) {
    const other = latest.get(removal.catrn);
    if (!other || other.receivedAt <= removal.receivedAt) latest.set(removal.catrn, removal);
  }
  if (latest.size === 0) return;
  const rows = [...latest.values()];
  await tx.query(statements.leave, columnsOf(rows, "catrn", "receivedAt", "successor"));
}

/** The removals of a source with a row queue. Runs, which have no status, are deleted. */
export function queueRemovals(
  sql: QueueStatements<string>,
  { root, renameMs }: {
    /** What the CATRNs of its data sources begin with. */
    root: string;
    /** `defaultRenameMs`, but in tests. */
    renameMs: number;
  },
): RemovalStore {
  return {
    pending: (tx, before, limit) =>
      tx.query(sql.pendingRemovals, [root, new Date(before), limit, renameMs / 1_000]),
    async forget(tx, removals) {
      await tx.query(sql.stay, [removals.map(({ catrn }) => catrn)]);
      const others = removals.filter(({ id }) => id === null);
      await tx.query(sql.dropRuns, columnsOf(others, "catrn", "received_at"));
    },
  };
}

/**
 * Marks entities DELETED that the source made and no longer reports, as if somebody had done so over the
 * API. What a collector reports by now is left unchanged. Resolves with how many left, at most `maxRemovals`.
 */
export async function publishRemovals(deps: SourceDeps): Promise<number> {
  const { db, clock, log, metrics, applied, source: { removals, system } } = deps;
  const now = clock.now();
  // What leaves since before has its last batch applied, or that batch never was in the log.
  const settled = (await applied.until() ?? 0) - inLogMs;
  const waited = Math.max(now - waitMs, settled);
  const { left, deleted } = await retryingTransaction(db, async (tx) => {
    const rows = await removals.pending(tx, waited, maxRemovals);
    if (rows.length === 0) return { left: 0, deleted: 0 };
    await removals.forget(tx, rows);
    return { left: rows.length, deleted: await deleteEntities(deps, tx, rows) };
  });
  if (left > 0) metrics.removed?.(left);
  if (deleted > 0) {
    log.info(`deleted entities that ${system} no longer reports`, { entities: deleted });
  }
  return left;
}

/** How many were deleted; what people wrote on those that go on under another name goes there. */
async function deleteEntities(
  { clock, filtered }: SourceDeps,
  tx: Transaction,
  rows: PendingRemoval[],
): Promise<number> {
  const ids = rows.flatMap(({ id }) => id ?? []);
  const successions = rows.flatMap(({ id: from, successor: to, guarded }) =>
    from !== null && to !== null ? [{ from, to, grants: !(filtered && guarded) }] : []
  );
  const locked = await lockStatuses(tx, [...ids, ...successions.map(({ to }) => to)]);
  const gone = locked.filter(({ id }) => ids.includes(id));
  const deleted = { status: "DELETED" as const, switchAt: null };
  await changingWithin(tx, systemActor, async (change) => {
    await carryOver(change, successions);
    await applyStatus(change, gone, deleted, new Date(clock.now()));
  });
  return gone.length;
}
