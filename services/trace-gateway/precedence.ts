import type { Clock } from "#kit/clock.ts";

/** Milliseconds between two looks whether the receivers are idle. */
const lookMs = 20;
/** Milliseconds that counting steps back at most, lot by lot; so far edges may be behind under load. */
const patienceMs = 2_000;

/**
 * Accepting spans comes before counting them: what was not accepted may be lost with its exporter, what
 * was accepted is safe in the log. So while requests are at work, counting waits a little, and then
 * takes a larger lot, which costs less a span.
 */
export class Precedence {
  /** `busy`: whether a receiver has a request at work. */
  constructor(private readonly busy: () => boolean, private readonly clock: Clock) {}

  /** Resolves when the receivers are idle, patience is at its end, or `signal` aborts. */
  async giveWay(signal: AbortSignal): Promise<void> {
    for (let waited = 0; waited < patienceMs && this.busy() && !signal.aborted; waited += lookMs) {
      await this.clock.sleep(lookMs, signal);
    }
  }
}
