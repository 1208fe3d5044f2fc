import type { Database, Queryable } from "#metadata/database.ts";
import { retryingTransaction } from "#metadata/retrying.ts";
import * as sql from "#services/api/housekeeping/expiry.queries.ts";

// Each function removes at most `lot` rows that are older than `cutoff` (a row of exactly that time
// stays) and returns how many it removed.

/** Search sessions by their last use. */
export function expireSearchSessions(db: Queryable, cutoff: Date, lot: number): Promise<number> {
  return removed(db, sql.searchSessions, [cutoff.toISOString(), lot]);
}

/** Search sessions beyond the `kept` that were used last, however young. */
export function removeSurplusSessions(db: Queryable, kept: number, lot: number): Promise<number> {
  return removed(db, sql.surplusSessions, [kept, lot]);
}

/** Outcomes of ingested parts: without one, the same part would be applied again. */
export function expireAppliedBatches(db: Queryable, cutoff: Date, lot: number): Promise<number> {
  return removed(db, sql.appliedBatches, [cutoff.toISOString(), lot]);
}

/**
 * Outbox rows, but never the last one, nor one after `reached`: the position of the projected graph,
 * or null where there is none.
 */
export function expireOutbox(
  db: Queryable,
  cutoff: Date,
  reached: number | null,
  lot: number,
): Promise<number> {
  return removed(db, sql.outbox, [cutoff.toISOString(), reached, lot]);
}

/** Edges by the time they ceased to be declared. */
export function expireEdgeHistory(db: Queryable, cutoff: Date, lot: number): Promise<number> {
  return removed(db, sql.edgeHistory, [cutoff.toISOString(), lot]);
}

/** Intervals of deletion by their end; those without an end when their entity was purged. */
export function expireDeletions(db: Queryable, cutoff: Date, lot: number): Promise<number> {
  return removed(db, sql.deletions, [cutoff.toISOString(), lot]);
}

/** Alerts that are no longer open, with what they say, by the time they were resolved. */
export function expireResolvedAlerts(db: Queryable, cutoff: Date, lot: number): Promise<number> {
  return removed(db, sql.resolvedAlerts, [cutoff.toISOString(), lot]);
}

/** Changes of alerts: one that was not announced by then is not announced any more. */
export function expireAlertEvents(db: Queryable, cutoff: Date, lot: number): Promise<number> {
  return removed(db, sql.alertEvents, [cutoff.toISOString(), lot]);
}

/** Activity of times that have no partition of their own. */
export function expireStrayActivity(db: Queryable, cutoff: Date, lot: number): Promise<number> {
  return removed(db, sql.strayActivity, [cutoff.toISOString(), lot]);
}

/** Fails deliveries that were made before `cutoff` and wait still, an attempt in hand excepted. */
export function failOverdueDeliveries(db: Queryable, cutoff: Date, lot: number): Promise<number> {
  return removed(db, sql.overdueDeliveries, [cutoff.toISOString(), lot]);
}

/** Deliveries with their attempts, by their end. */
export function expireDeliveries(db: Queryable, cutoff: Date, lot: number): Promise<number> {
  return removed(db, sql.endedDeliveries, [cutoff.toISOString(), lot]);
}

/** The texts of messages of which no delivery is left; that they were told is still known. */
export function expireMessages(db: Queryable, cutoff: Date, lot: number): Promise<number> {
  return removed(db, sql.toldMessages, [cutoff.toISOString(), lot]);
}

/** What is known of changes whose messages are gone: one that is read again would be told again. */
export function expireKnownChanges(db: Queryable, cutoff: Date, lot: number): Promise<number> {
  return removed(db, sql.knownChanges, [cutoff.toISOString(), lot]);
}

/** Silences by their end. */
export function expireSilences(db: Queryable, cutoff: Date, lot: number): Promise<number> {
  return removed(db, sql.pastSilences, [cutoff.toISOString(), lot]);
}

/** Drops partitions of activity that lie wholly before `cutoff`; returns how many. */
export function dropActivityPartitions(db: Database, cutoff: Date): Promise<number> {
  return retryingTransaction(db, async (tx) => {
    await tx.query(sql.shortLockWait);
    const rows = await tx.query<{ count: number }>(sql.dropActivity, [cutoff.toISOString()]);
    return rows[0]!.count;
  });
}

/** Days of activity in one partition. */
export const activityPartitionDays = 30;

/** Makes the partitions of activity that hold `now` and the period after it. */
export function makeActivityPartitions(db: Database, now: Date): Promise<void> {
  return retryingTransaction(db, async (tx) => {
    await tx.query(sql.shortLockWait);
    await tx.query(sql.makeActivity, [now.toISOString(), activityPartitionDays]);
  });
}

async function removed(db: Queryable, statement: string, values: unknown[]): Promise<number> {
  const rows = await db.query<{ count: number }>(statement, values);
  return rows[0]!.count;
}
