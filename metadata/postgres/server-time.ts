import type { Queryable } from "./database.ts";
import { statement } from "./statement.ts";

/** SQL: the time now, in milliseconds since the epoch. */
export const serverTimeSql = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint";

const read = statement<{ now: number }>("server-time")`SELECT ${serverTimeSql} AS now`;

/**
 * The time of PostgreSQL, in milliseconds since the epoch: one clock for every process, so that what is received later
 * never counts as earlier because the clock of a process jumped.
 */
export async function readServerTime(db: Queryable): Promise<number> {
  const [row] = await db.query(read);
  return row!.now;
}
