import { system as systemActor } from "#contract/actor.ts";
import { carryOver } from "#metadata/catalogue/carry-over.ts";
import { changingWithin } from "#metadata/catalogue/changing.ts";
import { applyStatus, lockStatuses } from "#metadata/catalogue/statuses.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { retryingTransaction } from "#metadata/postgres/retrying.ts";
import { inLogMs } from "./applied.ts";
import type { SourceDeps } from "./deps.ts";
import type { QueueStatements } from "./queue.queries.ts";

/** Maximum number of entities that leave in one round. */
const limit = 500;

/** Maximum number of milliseconds for which a deletion waits for the last batch of its entity. */
const waitMs = 60 * 60 * 1_000;

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
  await tx.query(statements.leave, [
    rows.map(({ catrn }) => catrn),
    rows.map(({ receivedAt }) => receivedAt),
    rows.map(({ successor }) => successor ?? null),
  ]);
}

/**
 * Marks entities DELETED that the source made and no longer reports, as if somebody had done so over the
 * API, and deletes such runs, which have no such status. What a collector reports by now is left unchanged.
 */
export async function publishRemovals(deps: SourceDeps): Promise<void> {
  const { db, clock, log, applied, filtered, source: { statements: sql, root, system, renameMs } } =
    deps;
  const now = clock.now();
  // What leaves since before has its last batch applied, or that batch never was in the log.
  const settled = (await applied.until() ?? 0) - inLogMs;
  const waited = Math.max(now - waitMs, settled);
  const gone = await retryingTransaction(db, async (tx) => {
    const rows = await tx.query(sql.pendingRemovals, [
      root,
      new Date(waited),
      limit,
      renameMs / 1_000,
    ]);
    if (rows.length === 0) return 0;
    await tx.query(sql.deleteRemovals, [rows.map(({ catrn }) => catrn)]);
    const others = rows.filter(({ id }) => id === null);
    await tx.query(sql.dropRuns, [
      others.map(({ catrn }) => catrn),
      others.map(({ received_at }) => received_at),
    ]);
    const ids = rows.flatMap(({ id }) => id ?? []);
    const successions = rows.flatMap(({ id: from, successor: to, guarded }) =>
      from !== null && to !== null ? [{ from, to, grants: !(filtered && guarded) }] : []
    );
    const locked = await lockStatuses(tx, [...ids, ...successions.map(({ to }) => to)]);
    const gone = locked.filter(({ id }) => ids.includes(id));
    const deleted = { status: "DELETED" as const, switchAt: null };
    await changingWithin(tx, systemActor, async (change) => {
      await carryOver(change, successions);
      await applyStatus(change, gone, deleted, new Date(now));
    });
    return gone.length;
  });
  if (gone > 0) {
    log.info(`deleted entities that ${system} no longer reports`, { entities: gone });
  }
}
