import type { Database } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import type { OwnProcess, WorkerStatus } from "#platform/ops/workers/watch.ts";

/** The last report of a process. */
export interface ProcessRow {
  holder: string;
  services: string[];
  version: string;
  started_at: string;
  seen_at: string;
  /** Seconds since its last report, by the clock of the metadata store. */
  silent: number;
  workers: WorkerStatus[];
}

const reportStatement = statement("process-tell")`
  INSERT INTO process (holder, services, version, started_at, seen_at, workers)
  VALUES ($1, $2, $3, $4, now(), $5)
  ON CONFLICT (holder) DO UPDATE SET seen_at = excluded.seen_at, workers = excluded.workers`;

/** Writes how this process stands. */
export async function recordProcess(
  db: Database,
  { holder, services, version, startedAt }: OwnProcess,
  workers: WorkerStatus[],
): Promise<void> {
  await db.query(reportStatement, [holder, services, version, startedAt, JSON.stringify(workers)]);
}

const leave = statement("process-leave")`DELETE FROM process WHERE holder = $1`;

/** Removes the row of a process that ends in order. */
export async function leaveProcesses(db: Database, holder: string): Promise<void> {
  await db.query(leave, [holder]);
}

/** Seconds after which a process that does not report is forgotten. */
export const forgottenAfter = 60;

/** Maximum number of processes listed. */
export const maxProcesses = 200;

const known = statement<ProcessRow>("process-list")`
  SELECT holder, services, version, iso(started_at) AS started_at, iso(seen_at) AS seen_at,
         extract(epoch FROM now() - seen_at)::float8 AS silent, workers
    FROM process WHERE seen_at > now() - $1 * interval '1 second'
   ORDER BY started_at, holder LIMIT $2`;

/** Every process of the instance that reported within the last minute, the oldest first. */
export function knownProcesses(db: Database): Promise<ProcessRow[]> {
  return db.query(known, [forgottenAfter, maxProcesses]);
}

const forget = statement<{ count: number }>("process-forget")`
  WITH gone AS (
    DELETE FROM process WHERE holder IN (
      SELECT holder FROM process WHERE seen_at < now() - $1 * interval '1 second' LIMIT $2)
    RETURNING 1)
  SELECT count(*) AS count FROM gone`;

/** Forgets at most `max` processes that ended without a word; how many. Called by housekeeping. */
export async function forgetProcesses(db: Database, max: number): Promise<number> {
  return (await db.query(forget, [forgottenAfter, max]))[0]!.count;
}
