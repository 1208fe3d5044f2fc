import type { Database, Transaction } from "#metadata/postgres/database.ts";
import { retryingTransaction } from "#metadata/postgres/retrying.ts";
import type { Statement } from "#metadata/postgres/statement.ts";
import * as sql from "./purge.queries.ts";

/** The result of purging a batch of entities. */
interface PurgeResult {
  /** Entities examined; fewer than the batch size means that no more are due. */
  found: number;
  removed: number;
  /** Still referenced, so kept as hollow entities under their ids. */
  hollowed: number;
}

/**
 * Purges at most `limit` entities that were deleted before `cutoff`. Removes what they declared
 * (edges go to the history) and all rows that belong to them; what they were called stays for as long
 * as the history. An entity that is still referenced
 * becomes hollow and appears in lineage again, like any unknown CATRN; the others are deleted.
 * Records no activity: the feed already has the deletion.
 */
export function purgeDeleted(db: Database, cutoff: Date, limit: number): Promise<PurgeResult> {
  return retryingTransaction(db, async (tx) => {
    const before = cutoff.toISOString();
    const due = await idsOf(tx, sql.due, [before, limit]);
    if (due.length === 0) return { found: 0, removed: 0, hollowed: 0 };
    const ids = await idsOf(tx, sql.lockDeleted, [due, before]);
    for (const statement of sql.declarations) await tx.query(statement, [ids]);
    for (const statement of sql.dependants) await tx.query(statement, [ids]);
    const referenced = await idsOf(tx, sql.referenced, [ids]);
    const gone = without(ids, referenced);
    await tx.query(sql.remember, [ids]);
    await remove(tx, gone);
    await hollow(tx, referenced);
    return { found: due.length, removed: gone.length, hollowed: referenced.length };
  });
}

async function remove(tx: Transaction, ids: number[]): Promise<void> {
  await tx.query(sql.endDeletion, [ids]);
  await tx.query(sql.remove, [ids]);
}

async function hollow(tx: Transaction, ids: number[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.query(sql.empty, [ids]);
  const rows = await tx.query(sql.showEdges, [ids]);
  const moved = rows[0]!.ids;
  if (moved.length > 0) await tx.query(sql.append, [moved]);
}

interface Swept {
  /** The id after which to continue; null when every hollow entity has been examined. */
  next: number | null;
  removed: number;
}

/**
 * Removes hollow entities that are no longer referenced and were not written since `cutoff`, among
 * the first `limit` hollow ones after the id `after`.
 */
export function sweepHollow(
  db: Database,
  cutoff: Date,
  after: number,
  limit: number,
): Promise<Swept> {
  return retryingTransaction(db, async (tx) => {
    const before = cutoff.toISOString();
    const seen = await idsOf(tx, sql.hollowAfter, [after, limit]);
    const next = seen.length < limit ? null : seen.at(-1)!;
    const idle = without(seen, await idsOf(tx, sql.referenced, [seen]));
    if (idle.length === 0) return { next, removed: 0 };
    const locked = await idsOf(tx, sql.lockHollow, [idle, before]);
    const gone = without(locked, await idsOf(tx, sql.referenced, [locked]));
    for (const statement of sql.dependants) await tx.query(statement, [gone]);
    await tx.query(sql.remember, [gone]);
    await remove(tx, gone);
    return { next, removed: gone.length };
  });
}

async function idsOf(
  tx: Transaction,
  statement: Statement<{ id: number }>,
  values: unknown[],
): Promise<number[]> {
  return (await tx.query(statement, values)).map((row) => row.id);
}

function without(ids: number[], others: number[]): number[] {
  const left = new Set(ids);
  for (const id of others) left.delete(id);
  return [...left];
}
