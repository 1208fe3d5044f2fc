import type { Clock } from "#kit/clock.ts";
import type { BatchesInFlight } from "#platform/batches-in-process.ts";

/** Milliseconds after the newest event in which more are expected. */
const flowingMs = 200;

/** Milliseconds without an event after which a new burst begins. */
const burstGapMs = 500;

/** Milliseconds from its beginning in which a flow is a burst; a longer flow must not outrun its consumer. */
const burstMs = 5_000;

/** Bounds of a rest in milliseconds: in a burst, and otherwise. */
const maxInBurstMs = 800;
const maxPauseMs = 200;

/** In a burst, work takes a fifth of the time. */
const pausePerWork = 4;

/** While a collector waits for its batch, work takes a third of the time, however long the flow has lasted. */
const whileCollecting = { pausePerWork: 2, maxMs: 500 };

/**
 * How long merging and mapping rest. In a burst, those who post events come first: they wait for answers, and what is
 * left to lie is merged and mapped together afterwards, for less. So a burst costs its senders least, and is visible
 * as soon.
 */
export class IntakeThrottle {
  #newest = -Infinity;
  #begun = -Infinity;

  constructor(
    private readonly clock: Clock,
    private readonly batchesInFlight?: Pick<BatchesInFlight, "any">,
  ) {}

  /** Events were received from the one time to the other. */
  came(first: number, last: number): void {
    if (first - this.#newest >= burstGapMs) this.#begun = first;
    this.#newest = Math.max(this.#newest, last);
  }

  /**
   * Milliseconds to rest after work that took `tookMs`; `min` at the least. What had its hands `full` goes on at
   * once, unless there is a burst, or a collector waits, which gets the processors meanwhile.
   */
  pauseAfter(tookMs: number, { min, full }: { min: number; full: boolean }): number {
    const now = this.clock.now();
    if (now - this.#newest < flowingMs && now - this.#begun < burstMs) {
      return Math.min(maxInBurstMs, Math.max(min, pausePerWork * tookMs));
    }
    const usual = full ? 0 : Math.min(maxPauseMs, Math.max(min, tookMs));
    if (!this.batchesInFlight?.any) return usual;
    const { pausePerWork: times, maxMs } = whileCollecting;
    return Math.max(usual, Math.min(maxMs, times * tookMs));
  }
}
