import type { Logger } from "#kit/log.ts";
import type { Clock } from "#kit/clock.ts";
import { bounded } from "#kit/text.ts";
import type { Health } from "#kit/worker.ts";
import { messageOf } from "#kit/errors.ts";
import { Loop } from "#kit/loop.ts";
import { withTimeout } from "#kit/retry.ts";
import type { Database } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import { masked } from "#platform/secrets.ts";

/** The worker that keeps a projected graph up to date. */
export const projectorName = "graph projector";

/** How a worker stands, as other processes and operators see it. */
export interface WorkerStatus {
  name: string;
  ready: boolean;
  state: string;
  /** When it was first seen in this state, RFC 3339. */
  since: string;
  /** Why, or what else there is to know; without secrets. */
  cause: string | null;
}

/** This process among those of the instance. */
export interface OwnProcess {
  /** Unique: `<host>:<process id>:<random>`. */
  holder: string;
  services: string[];
  version: string;
  /** RFC 3339. */
  startedAt: string;
  workers(): WorkerStatus[];
  /** Where it listens; undefined until it does. */
  url(): string | undefined;
}

/** Maximum length of a cause, in UTF-16 units. */
export const maxCause = 500;

/** Status of the workers of this process, and since when. Read it at least once a second: it detects changes only then. */
export class WorkerWatch {
  readonly #since = new Map<string, { state: string; at: number }>();
  #health: () => Record<string, Health> = () => ({});

  constructor(private readonly clock: Clock) {}

  /** From now on it looks at these. */
  observe(health: () => Record<string, Health>): void {
    this.#health = health;
  }

  statuses(): WorkerStatus[] {
    return Object.entries(this.#health()).map(([name, { ready, state, detail }]) => ({
      name,
      ready,
      state,
      since: new Date(this.#sinceOf(name, state)).toISOString(),
      cause: detail ? bounded(masked(detail), maxCause) : null,
    }));
  }

  #sinceOf(name: string, state: string): number {
    const known = this.#since.get(name);
    if (known?.state === state) return known.at;
    const at = this.clock.now();
    this.#since.set(name, { state, at });
    return at;
  }
}

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

/** Writes how this process stands. */
const reportStatement = statement("process-tell")`
  INSERT INTO process (holder, services, version, started_at, seen_at, workers)
  VALUES ($1, $2, $3, $4, now(), $5)
  ON CONFLICT (holder) DO UPDATE SET seen_at = excluded.seen_at, workers = excluded.workers`;

const leave = statement("process-leave")`DELETE FROM process WHERE holder = $1`;

/** Seconds after which a process that does not report is forgotten. */
const forgottenAfter = 60;

/** Maximum number of processes listed. */
export const maxProcesses = 200;

const knownStatement = statement<ProcessRow>("process-list")`
  SELECT holder, services, version, iso(started_at) AS started_at, iso(seen_at) AS seen_at,
         extract(epoch FROM now() - seen_at)::float8 AS silent, workers
    FROM process WHERE seen_at > now() - $1 * interval '1 second'
   ORDER BY started_at, holder LIMIT $2`;

/** Every process of the instance that reported within the last minute, the oldest first. */
export function knownProcesses(db: Database): Promise<ProcessRow[]> {
  return db.query(knownStatement, [forgottenAfter, maxProcesses]);
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

/** Milliseconds between two looks, and between two reports when nothing changes. */
const checkMs = 1_000;
const reportMs = 5_000;

/** Milliseconds that the end of the process waits for its last report. */
const leaveMs = 1_000;

/**
 * Reports the worker status of this process to other processes of the instance: when it changes, and every five
 * seconds. Returns a handle that ends it and takes the process off the list.
 */
export function reportProcess(
  { db, clock, log }: { db: Database; clock: Clock; log: Logger },
  own: OwnProcess,
): () => Promise<void> {
  let lastReported = { at: -Infinity, workers: "" };
  const loop = new Loop({
    clock,
    retry: { initial: checkMs, max: 10_000 },
    stopMs: leaveMs,
    failed: (error) =>
      log.debug("worker states could not be reported to other processes", {
        error: messageOf(error),
      }),
    async round() {
      const workers = own.workers();
      const current = { at: clock.now(), workers: essence(workers) };
      if (current.workers !== lastReported.workers || current.at - lastReported.at >= reportMs) {
        const { holder, services, version, startedAt } = own;
        const columns = [holder, services, version, startedAt, JSON.stringify(workers)];
        await db.query(reportStatement, columns);
        lastReported = current;
      }
      return checkMs;
    },
  });
  loop.start((error) =>
    log.error("worker states are no longer reported to other processes", { error })
  );
  return async () => {
    await loop.stop();
    const late = () => new Error("the metadata store does not answer");
    await withTimeout(db.query(leave, [own.holder]), leaveMs, late).catch(() => {});
  };
}

/** What is worth a report at once: causes with numbers in them change all the time. */
function essence(workers: WorkerStatus[]): string {
  return workers.map(({ name, state }) => `${name}=${state}`).join();
}
