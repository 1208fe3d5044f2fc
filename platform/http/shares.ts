import { memoryCounters } from "#cache/counters.ts";
import type { Clock } from "#kit/clock.ts";
import { tooManyRequests } from "#kit/errors.ts";
import { ConcurrencyLimiter } from "#kit/limiter.ts";
import type { Metrics } from "#kit/metrics.ts";
import type { Config } from "#platform/config/schema.ts";
import { type Caller, callerKey, isPerson } from "#platform/operations/caller.ts";
import type { Route } from "#platform/operations/declare.ts";

/** Seconds after which a client with too many requests may retry. */
const sharesRetryAfter = 1;

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
      throw tooManyRequests(
        `More than ${this.max} requests of one address (server.max-requests-per-address)`,
        sharesRetryAfter,
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

/** Bytes that a change counts for at least: also a short one leaves rows. */
const minOfChange = 1_024;
const budgetMs = 24 * 3_600_000;
/** Seconds after which a refused caller may retry; the budget comes back a day after its first change. */
const budgetRetryAfter = 3_600;

interface WriteBudgetOptions {
  config: { server: Pick<Config["server"], "max-written-per-caller"> };
  metrics: Metrics;
  clock: Clock;
}

/**
 * Bounds what a caller can have stored: bytes of the bodies of its changes in a day, in each process. Every row that a request
 * can create is of such a change, or has a bound of its own (`services/api/rows-of-callers.test.ts`). What collectors bring is
 * bounded where it is ingested; the service key is the operator's.
 */
export class WriteBudget {
  readonly #written;
  readonly #refused;
  readonly #max: number;

  constructor({ config, metrics, clock }: WriteBudgetOptions) {
    this.#max = config.server["max-written-per-caller"];
    this.#written = memoryCounters({ clock });
    this.#refused = metrics.counter(
      "tributary_http_changes_refused_total",
      "Changes refused because their caller had reached the daily limit",
    );
    this.#refused.inc({}, 0);
  }

  /** Throws 429 for a change by a caller that has nothing left; what is refused costs nothing. */
  check(route: Route, caller: Caller): void {
    if (!this.#counts(route, caller)) return;
    if (this.#written.valueOf(callerKey(caller)) < this.#max) return;
    this.#refused.inc();
    throw tooManyRequests(
      `You have written ${this.#max} bytes today (server.max-written-per-caller)`,
      budgetRetryAfter,
    );
  }

  /** Charges a caller for a change with a body of so many bytes. Throws as `check`: others may have come meanwhile. */
  charge(route: Route, caller: Caller, bytes: number): void {
    this.check(route, caller);
    if (!this.#counts(route, caller)) return;
    this.#written.add(callerKey(caller), budgetMs, Math.max(minOfChange, bytes));
  }

  #counts({ spec }: Route, { kind }: Caller): boolean {
    const isChange = spec.method !== "get" && !spec.reads && spec.access !== "collector";
    return isChange && this.#max > 0 && kind !== "service-key";
  }
}
