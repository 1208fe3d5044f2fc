import { ConcurrencyLimiter } from "#kit/limiter.ts";
import type { Metrics } from "#kit/metrics.ts";
import type { Config } from "#platform/config/schema.ts";
import { type Caller, callerKey, isPerson } from "#platform/operations/caller.ts";

/** Requests of one person, and of all, that wait for their turn, and milliseconds for which they do. */
export const callerQueue = { maxWaitingPerKey: 256, maxWaiting: 10_000, waitMs: 30_000 } as const;

/**
 * The share that one person has of the process and of its connections to the engines: so many requests at once, the
 * others wait. Where nobody signs in there are no persons; the service key is the operator's, and collectors wait until
 * what they bring is applied, so neither is counted.
 */
export class CallerShares {
  readonly #limiter: ConcurrencyLimiter | null;

  constructor(
    { config: { server }, metrics }: {
      config: { server: Pick<Config["server"], "max-requests-per-caller"> };
      metrics: Metrics;
    },
  ) {
    const max = server["max-requests-per-caller"];
    this.#limiter = max === 0 ? null : new ConcurrencyLimiter({
      ...callerQueue,
      concurrency: Infinity,
      concurrencyPerKey: max,
      refused: "Too many requests wait",
      refusedKey: `You send too many requests at once (server.max-requests-per-caller: ${max})`,
      waiting: metrics.gauge(
        "tributary_http_requests_waiting",
        "Requests waiting because their callers have reached their limit of concurrent requests",
      ),
      refusals: metrics.counter(
        "tributary_http_requests_refused_total",
        "Requests refused because too many were waiting, in total or from one caller",
        ["limit"],
      ),
    });
  }

  /** Runs the work of a request in its caller's turn. Throws 429 when too many of that caller wait, or for too long. */
  async during<T>(caller: Caller, work: () => Promise<T>): Promise<T> {
    if (!this.#limiter || !isPerson(caller)) return await work();
    const leave = await this.#limiter.enter(callerKey(caller));
    try {
      return await work();
    } finally {
      leave();
    }
  }
}
