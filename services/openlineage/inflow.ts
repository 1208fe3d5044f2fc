import type { Clock } from "#kit/clock.ts";

/** Milliseconds after the newest event in which more are expected. */
const flowingMs = 200;

/** Bounds of a rest in milliseconds: while events flow, and otherwise. */
const maxFlowingMs = 600;
const maxRestMs = 200;

/** Work during a flow takes at most a quarter of the time. */
const restsPerWork = 3;

/**
 * How long merging and composing rest. While events flow, those who post them come first: they wait for answers, and
 * what is left to lie is merged and composed together afterwards, for less. So a burst costs its senders least, and is
 * visible as soon.
 */
export class Inflow {
  #newest = -Infinity;

  constructor(private readonly clock: Clock) {}

  /** An event was received at this time. */
  came(receivedAt: number): void {
    this.#newest = Math.max(this.#newest, receivedAt);
  }

  /**
   * Milliseconds to rest after work that took `tookMs`; `least` at the least. What had its hands `full` goes on at
   * once, unless events flow.
   */
  restAfter(tookMs: number, { least, full }: { least: number; full: boolean }): number {
    if (this.clock.now() - this.#newest < flowingMs) {
      return Math.min(maxFlowingMs, Math.max(least, restsPerWork * tookMs));
    }
    return full ? 0 : Math.min(maxRestMs, Math.max(least, tookMs));
  }
}
