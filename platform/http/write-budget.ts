import { memoryCounters } from "#cache/counters.ts";
import type { Clock } from "#kit/clock.ts";
import { AppError } from "#kit/errors.ts";
import type { Metrics } from "#kit/metrics.ts";
import type { Config } from "#platform/config/schema.ts";
import { type Caller, callerKey } from "#platform/operations/caller.ts";
import type { Route } from "#platform/operations/declare.ts";

/** Bytes that a change counts for at least: also a short one leaves rows. */
const minOfChange = 1_024;
const windowMs = 24 * 3_600_000;
/** Seconds after which a refused caller may retry; the budget comes back a day after its first change. */
const retryAfter = 3_600;

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
    throw new AppError(
      `You have written ${this.#max} bytes today (server.max-written-per-caller)`,
      { status: 429, code: "SYS002", retryable: true, retryAfter },
    );
  }

  /** Charges a caller for a change with a body of so many bytes. Throws as `check`: others may have come meanwhile. */
  charge(route: Route, caller: Caller, bytes: number): void {
    this.check(route, caller);
    if (!this.#counts(route, caller)) return;
    this.#written.add(callerKey(caller), windowMs, Math.max(minOfChange, bytes));
  }

  #counts({ spec }: Route, { kind }: Caller): boolean {
    const isChange = spec.method !== "get" && !spec.reads && spec.access !== "collector";
    return isChange && this.#max > 0 && kind !== "service-key";
  }
}
