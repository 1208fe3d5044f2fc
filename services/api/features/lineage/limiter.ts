import { ConcurrencyLimiter } from "#kit/limiter.ts";
import type { Counter } from "#kit/metrics.ts";
import type { Context } from "#platform/context.ts";
import { Debts } from "#platform/http/debts.ts";
import { type Caller, callerKey, isPerson } from "#platform/operations/caller.ts";
import { lineageQueue, lineageTime } from "#services/api/features/lineage/limits.ts";

/** Milliseconds charged when a request begins to wait, and corrected when it has ended: several do not wait for one point in time. */
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

  async #rest(key: string): Promise<void> {
    const { atOnceMs, share } = lineageTime;
    const over = this.#used.of(key) - atOnceMs;
    this.#used.charge(key, expectedMs);
    if (over <= 0) return;
    this.#delayed.inc({});
    await this.context.clock.sleep(over / share);
  }
}
