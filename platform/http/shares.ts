import { AppError } from "#kit/errors.ts";
import { ConcurrencyLimiter } from "#kit/limiter.ts";
import type { Metrics } from "#kit/metrics.ts";
import type { Config } from "#platform/config/schema.ts";
import { type Caller, callerKey, isPerson } from "#platform/operations/caller.ts";

/** Seconds after which a client with too many requests may retry. */
const retryAfter = 1;

/** Limits the concurrent requests of each remote address. */
export class AddressShares {
  readonly #running = new Map<string, number>();

  /** `max`: concurrent requests per address; 0: no limit. */
  constructor(private readonly max: number) {}

  /** Runs the work of a request; 429 when its address has too many running. */
  async during<T>(address: string | undefined, work: () => Promise<T>): Promise<T> {
    if (this.max === 0 || address === undefined) return await work();
    const running = this.#running.get(address) ?? 0;
    if (running >= this.max) {
      throw new AppError(
        `More than ${this.max} requests of one address (server.max-requests-per-address)`,
        { status: 429, code: "SYS002", retryable: true, retryAfter },
      );
    }
    this.#running.set(address, running + 1);
    try {
      return await work();
    } finally {
      const left = this.#running.get(address)! - 1;
      if (left > 0) this.#running.set(address, left);
      else this.#running.delete(address);
    }
  }
}

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
