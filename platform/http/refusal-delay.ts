import type { Clock } from "#kit/clock.ts";
import type { Counter, Metrics } from "#kit/metrics.ts";
import { networkOf } from "#kit/network.ts";
import { Debts } from "#platform/http/debts.ts";

/** Refusals of one network that are answered at once, and seconds in which it gets as many again. */
export const refusalsAtOnce = 100;
export const refusalRecoverySeconds = 10;

/** Milliseconds by which further ones are late. */
export const refusalDelayMs = 1_000;

/** Paths whose clients retry after a 429: their requests were valid, so only wrong tokens count. */
const intakes = /^\/(ingestion|integrations|api\/v1\/lineage|v1\/traces)(\/|$)/;

/**
 * Delays answers to a network that is refused again and again (401, 429), so that a flood of refused requests leaves the
 * event loop and the database to others. Requests that succeed are never delayed, not even those of the same network.
 */
export class RefusalDelay {
  readonly #refusals: Debts;
  readonly #delayed: Counter;

  constructor(private readonly clock: Clock, metrics: Metrics) {
    const perSecond = refusalsAtOnce / refusalRecoverySeconds;
    this.#refusals = new Debts(clock, { perSecond, max: 2 * refusalsAtOnce });
    this.#delayed = metrics.counter(
      "tributary_http_refusals_delayed_total",
      "Responses with 401 or 429 that were delayed because their network had received many",
    );
    this.#delayed.inc({}, 0);
  }

  /** To be called before a request of this address is answered with `status`. */
  async answered(
    address: string | undefined,
    status: number,
    { path, signal }: { path: string; signal?: () => AbortSignal },
  ): Promise<void> {
    const isRefusal = status === 401 || status === 429 && !intakes.test(path);
    if (address === undefined || !isRefusal) return;
    const network = networkOf(address);
    const isMany = this.#refusals.of(network) >= refusalsAtOnce;
    this.#refusals.charge(network, 1);
    if (!isMany) return;
    this.#delayed.inc({});
    await this.clock.sleep(refusalDelayMs, signal?.());
  }
}
