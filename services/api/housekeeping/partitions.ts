import type { Database } from "#metadata/postgres/database.ts";
import { retryingTransaction } from "#metadata/postgres/retrying.ts";
import * as sql from "#services/api/housekeeping/partitions.queries.ts";

/** Days of activity in one partition. */
export const activityPartitionDays = 30;

/** Drops activity partitions that end before `cutoff`; returns how many. */
export function dropActivityPartitions(db: Database, cutoff: Date): Promise<number> {
  return retryingTransaction(db, async (tx) => {
    await tx.query(sql.shortLockWait);
    const rows = await tx.query(sql.dropActivity, [cutoff.toISOString()]);
    return rows[0]!.count;
  });
}

/** Creates the activity partitions for `now` and the following period. */
export function makeActivityPartitions(db: Database, now: Date): Promise<void> {
  return retryingTransaction(db, async (tx) => {
    await tx.query(sql.shortLockWait);
    await tx.query(sql.makeActivity, [now.toISOString(), activityPartitionDays]);
  });
}
