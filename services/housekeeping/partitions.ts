import type { Database } from "#metadata/postgres/database.ts";
import { retryingTransaction } from "#metadata/postgres/retrying.ts";
import { plannedEachTime } from "#metadata/postgres/statement.ts";

/** Days of activity in one partition. */
export const activityPartitionDays = 30;

/** Drops activity partitions that end before `cutoff`; returns how many. */
export function dropActivityPartitions(db: Database, cutoff: Date): Promise<number> {
  return retryingTransaction(db, async (tx) => {
    await tx.query(shortLockWait);
    const rows = await tx.query(dropActivity, [cutoff.toISOString()]);
    return rows[0]!.count;
  });
}

/** Creates the activity partitions for `now` and the following period. */
export function makeActivityPartitions(db: Database, now: Date): Promise<void> {
  return retryingTransaction(db, async (tx) => {
    await tx.query(shortLockWait);
    await tx.query(makeActivity, [now.toISOString(), activityPartitionDays]);
  });
}

/** Changing partitions blocks all readers of activity, so give up early and try again later. */
const shortLockWait = "SET LOCAL lock_timeout = '3s'";

/** $1 cutoff. */
const dropActivity = plannedEachTime<{ count: number }>("activity-partitions-drop")`
  SELECT activity_drop_before($1) AS count`;

/** $1 now, $2 days. */
const makeActivity = plannedEachTime("activity-partitions-make")`
  SELECT activity_partition($1::timestamptz, $2),
         activity_partition($1::timestamptz + make_interval(days => $2), $2)`;
