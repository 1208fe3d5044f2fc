import { unavailable } from "#kit/errors.ts";
import { ThreadAbortedError } from "#kit/thread-aborted.ts";
import { ConcurrencyLimiter } from "#kit/limiter.ts";
import type { Metrics } from "#kit/metrics.ts";
import { ThreadPool } from "#kit/threads.ts";

/** Comparisons at once, each in a thread of its own: one comparison takes a processor for tenths of a second. */
export const maxConcurrentComparisons = 1;
/** Comparisons that wait, in all and of one address. */
export const comparisonsWaiting = 50;
export const comparisonsWaitingPerAddress = 5;
/** Milliseconds that a comparison waits for its turn, and that it may take. */
const turnTimeout = 10_000;
const deadlineMs = 30_000;
/** Milliseconds without a sign-in after which the thread ends. */
const idleMs = 60_000;

/** A password, and the bcrypt hashes to compare it with. */
export interface HashJob {
  password: string;
  hashes: string[];
}

/**
 * The hashes that a password has. `from`: the network of the client, whose share of the queue is used. Throws
 * `QueueFullError`, and 503 when a comparison does not end.
 */
export type CompareHashes = (job: HashJob, from: string) => Promise<string[]>;

/** Compares passwords with hashes in a thread, so that nobody's sign-in stops the requests of others. */
export function hashComparison(metrics: Metrics): CompareHashes {
  const threads = new ThreadPool<HashJob, string[]>({
    name: "passwords",
    script: new URL("./hash-thread.ts", import.meta.url),
    metrics,
    threads: maxConcurrentComparisons,
    maxQueued: comparisonsWaiting,
    deadlineMs,
    heapMb: 128,
    idleMs,
  });
  const turns = new ConcurrencyLimiter({
    concurrency: maxConcurrentComparisons,
    maxWaiting: comparisonsWaiting,
    maxWaitingPerKey: comparisonsWaitingPerAddress,
    waitMs: turnTimeout,
    refused: "Too many people sign in at once",
    waiting: metrics.gauge(
      "tributary_form_checks_waiting",
      "Password checks of LOGIN_FORM waiting for their turn",
    ),
  });
  return async (job, from) => {
    if (job.hashes.length === 0) return [];
    try {
      return await turns.run(() => threads.run(job), from);
    } catch (error) {
      if (error instanceof ThreadAbortedError) {
        throw unavailable("The password was not checked in time");
      }
      throw error;
    }
  };
}
