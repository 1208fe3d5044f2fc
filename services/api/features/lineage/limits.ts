import { ConcurrencyLimiter } from "#kit/limiter.ts";
import { limit } from "#kit/limits.ts";
import type { Counter } from "#kit/metrics.ts";
import type { Context } from "#platform/context.ts";
import { Debts } from "#platform/http/refusals.ts";
import { type Caller, callerKey, isPerson } from "#platform/operations/caller.ts";
import { okJson, type Reply } from "#platform/operations/declare.ts";
import type { LineageAnswer } from "#services/api/features/lineage/answer.ts";
import { maxRequestedColumns } from "#services/api/features/lineage/columns.ts";
import { maxMoments } from "#services/api/features/lineage/past.ts";

/** Questions of lineage that one process answers: a caller leaves half of the places to others. */
export const lineageQueue = {
  concurrency: 4,
  concurrencyPerKey: 2,
  maxWaiting: 256,
  maxWaitingPerKey: 64,
} as const;

/**
 * Time of walks that one person may use at once in one process, the share of the time from then on, and the longest time
 * for which a request waits for it, in milliseconds: the processors are left to others, and nobody waits long for a large
 * answer.
 */
export const lineageTime = { atOnceMs: 1_000, share: 0.25, maxRestMs: 2_000 } as const;

const walks = "lineage of entities, groups and columns";

/** Limits on questions of lineage. */
export const lineageLimits = [
  limit(walks, "answered at once by one process", lineageQueue.concurrency, "they wait"),
  limit(walks, "answered at once for one caller", lineageQueue.concurrencyPerKey, "they wait"),
  limit(walks, "time of one person at once, ms", lineageTime.atOnceMs, "they wait"),
  limit(
    walks,
    "time of one person from then on, % of the time",
    lineageTime.share * 100,
    "they wait",
  ),
  limit(walks, "waiting", lineageQueue.maxWaiting, "503 with Retry-After"),
  limit(walks, "of one caller waiting", lineageQueue.maxWaitingPerKey, "429 with Retry-After"),
  limit(
    "GET /api/datasets/{data_entity_id}/columns/lineage/…",
    "columns named",
    maxRequestedColumns,
  ),
  limit(
    "changes of lineage",
    "points in time examined for a response",
    maxMoments,
    "the response has a cursor to continue",
  ),
];

/**
 * Milliseconds charged when a request begins to wait, and corrected when it has ended: several do not wait for one point
 * in time.
 */
const expectedMs = 10;

/**
 * The queue of all walks, whichever API requested them. Each caller has its share of the places; who has used much time
 * lately waits before taking one, so that one person does not keep the processors from all others.
 */
export class LineageQueue {
  readonly #limiter: ConcurrencyLimiter;
  readonly #used: Debts;
  readonly #delayed: Counter;

  constructor(private readonly context: Pick<Context, "clock" | "config" | "metrics">) {
    const { clock, config, metrics } = context;
    this.#limiter = new ConcurrencyLimiter({
      ...lineageQueue,
      waitMs: config.lineage.timeout,
      refused: "Too many lineage questions are being answered",
      refusedKey: "You ask too many lineage questions at once",
      waiting: metrics.gauge(
        "tributary_lineage_waiting",
        "Lineage requests waiting for their turn",
      ),
      refusals: metrics.counter(
        "tributary_lineage_refused_total",
        "Lineage requests refused because too many were waiting, in total or from one caller",
        ["limit"],
      ),
    });
    const { atOnceMs, share, maxRestMs } = lineageTime;
    const max = atOnceMs + share * maxRestMs;
    this.#used = new Debts(clock, { perSecond: share * 1_000, max });
    this.#delayed = metrics.counter(
      "tributary_lineage_delayed_total",
      "Lineage requests delayed because their caller had used its share of time",
    );
    this.#delayed.inc({}, 0);
  }

  /** Runs a walk in its caller's turn, with its outcome. Errors as of `ConcurrencyLimiter.run`. */
  async run<T>(work: () => Promise<T>, caller: Caller): Promise<T> {
    const key = callerKey(caller);
    if (!isPerson(caller)) return await this.#limiter.run(work, key);
    await this.#rest(key);
    const { clock } = this.context;
    let spent = 0;
    const timed = async () => {
      const begun = clock.now();
      try {
        return await work();
      } finally {
        spent = clock.now() - begun;
      }
    };
    try {
      return await this.#limiter.run(timed, key);
    } finally {
      this.#used.charge(key, spent - expectedMs);
    }
  }

  /** As `run`; the response with the answer of the walk. */
  async reply(work: () => Promise<LineageAnswer>, caller: Caller): Promise<Reply> {
    const { json, headers } = await this.run(work, caller);
    return okJson(json, headers);
  }

  async #rest(key: string): Promise<void> {
    const { atOnceMs, share } = lineageTime;
    const over = this.#used.of(key) - atOnceMs;
    this.#used.charge(key, expectedMs);
    if (over <= 0) return;
    this.#delayed.inc({});
    await this.context.clock.sleep(over / share);
  }
}
