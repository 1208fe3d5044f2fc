import type { Database } from "#metadata/postgres/database.ts";
import { retryingTransaction } from "#metadata/postgres/retrying.ts";
import { plannedEachTime } from "#metadata/postgres/statement.ts";
import type { Config } from "#platform/config/schema.ts";
import type { Context } from "#platform/context.ts";
import type { AgeRetention, CountRetention } from "./retention.queries.ts";

type Deps = Pick<Context, "db" | "config" | "graph">;

const day = 24 * 60 * 60_000;

/**
 * Removes the expired rows of one entry of the table at `now`, at most `max` at once, each time in
 * its own transaction; yields the number of rows after each.
 */
export async function* sweep(
  context: Deps,
  row: AgeRetention | CountRetention,
  now: Date,
  max: number,
): AsyncGenerator<number> {
  const bound = boundOf(row, context.config, now);
  if (bound === null) return;
  for (let gone = max; gone >= max;) yield gone = await sweepOnce(context, row, bound, max);
}

/** One step of a sweep: removes rows older than, or beyond, `bound`; returns their number. */
export async function sweepOnce(
  context: Pick<Context, "db" | "graph">,
  row: AgeRetention | CountRetention,
  bound: Date | number,
  max: number,
): Promise<number> {
  const first = bound instanceof Date ? bound.toISOString() : bound;
  const more = "also" in row && row.also ? [await row.also(context)] : [];
  const [answer] = await context.db.query(row.sql, [first, max, ...more]);
  return answer!.count;
}

/** The time before which, or the number beyond which, rows are removed; null to keep all. */
function boundOf(
  row: AgeRetention | CountRetention,
  config: Config,
  now: Date,
): Date | number | null {
  const { ttl } = config.housekeeping;
  if ("max" in row) return typeof row.max === "number" ? row.max : ttl[row.max];
  const days = [row.retentionKey].flat().map((key) => ttl[key]);
  return days.every((n) => n !== undefined) ? daysBefore(now, Math.max(...days)) : null;
}

/** The time `days` days of 24 hours before `now`. */
export function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * day);
}

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
