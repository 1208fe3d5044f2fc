import type { Clock } from "#kit/clock.ts";

/** Maximum time that a low-precedence chunk waits, so that it is applied however many others come. */
export const maxWaitMs = 100;

/** Milliseconds after the last other chunk in which low-precedence ones are applied one at a time. */
export const aroundMs = 2_000;

/**
 * Applies low-precedence chunks (from OpenLineage, which may come in floods) when no other chunk is being applied:
 * clients wait for those. While others come, they are applied one at a time, too.
 */
export class LowPriorityScheduler {
  #otherChunks = 0;
  #lowPriority = 0;
  #lastOther = -Infinity;
  readonly #waiting = new Set<AbortController>();

  constructor(private readonly clock: Clock) {}

  /** Runs `work` in its turn, with its outcome. */
  async run<T>(gives: boolean, work: () => Promise<T>): Promise<T> {
    const end = this.clock.now() + maxWaitMs;
    // Between the last look and the count nothing else may begin.
    for (let left = this.#wait(gives, end); left > 0; left = this.#wait(gives, end)) {
      await this.#change(left);
    }
    this.#count(gives, 1);
    try {
      return await work();
    } finally {
      this.#count(gives, -1);
      for (const waiting of this.#waiting) waiting.abort();
    }
  }

  /** Milliseconds that are left to wait; 0 or less when its turn has come. */
  #wait(gives: boolean, end: number): number {
    const now = this.clock.now();
    return gives && this.#isBusy(now) ? end - now : 0;
  }

  /** Resolves when a part has ended, at the latest after `ms`. */
  async #change(ms: number): Promise<void> {
    const waiting = new AbortController();
    this.#waiting.add(waiting);
    await this.clock.sleep(ms, waiting.signal);
    this.#waiting.delete(waiting);
  }

  #isBusy(now: number): boolean {
    return this.#otherChunks > 0 || this.#lowPriority > 0 && now - this.#lastOther < aroundMs;
  }

  #count(gives: boolean, change: 1 | -1): void {
    if (gives) {
      this.#lowPriority += change;
      return;
    }
    this.#otherChunks += change;
    this.#lastOther = this.clock.now();
  }
}
