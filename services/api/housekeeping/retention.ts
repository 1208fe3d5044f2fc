import type { Config } from "#platform/config/schema.ts";
import type { Context } from "#platform/context.ts";
import type { KeptFor, KeptUpTo } from "#services/api/housekeeping/kept.ts";

type Tools = Pick<Context, "db" | "config" | "graph">;

const day = 24 * 60 * 60_000;

/**
 * Removes the expired rows of one entry of the table at `now`, at most `most` at once, each time in
 * its own transaction; yields the number of rows after each.
 */
export async function* sweep(
  context: Tools,
  row: KeptFor | KeptUpTo,
  now: Date,
  most: number,
): AsyncGenerator<number> {
  const bound = boundOf(row, context.config, now);
  if (bound === null) return;
  for (let gone = most; gone >= most;) yield gone = await sweepOnce(context, row, bound, most);
}

/** One step of a sweep: removes rows older than, or beyond, `bound`; returns their number. */
export async function sweepOnce(
  context: Pick<Context, "db" | "graph">,
  row: KeptFor | KeptUpTo,
  bound: Date | number,
  most: number,
): Promise<number> {
  const first = bound instanceof Date ? bound.toISOString() : bound;
  const more = "also" in row && row.also ? [await row.also(context)] : [];
  const [answer] = await context.db.query<{ count: number }>(row.sql, [first, most, ...more]);
  return answer!.count;
}

/** The time before which, or the number beyond which, rows are removed; null to keep all. */
function boundOf(row: KeptFor | KeptUpTo, config: Config, now: Date): Date | number | null {
  const { ttl } = config.housekeeping;
  if ("kept" in row) return typeof row.kept === "number" ? row.kept : ttl[row.kept];
  const days = [row.retentionKey].flat().map((key) => ttl[key]);
  return days.every((n) => n !== undefined) ? daysBefore(now, Math.max(...days)) : null;
}

/** The time `days` days of 24 hours before `now`. */
export function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * day);
}
