import { plannedEachTime } from "#metadata/postgres/statement.ts";

/** Changing partitions blocks all readers of activity, so give up early and try again later. */
export const shortLockWait = "SET LOCAL lock_timeout = '3s'";

/** $1 cutoff. */
export const dropActivity = plannedEachTime<{ count: number }>("activity-partitions-drop")`
  SELECT activity_drop_before($1) AS count`;

/** $1 now, $2 days. */
export const makeActivity = plannedEachTime("activity-partitions-make")`
  SELECT activity_partition($1::timestamptz, $2),
         activity_partition($1::timestamptz + make_interval(days => $2), $2)`;
