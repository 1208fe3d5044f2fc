import type { Clock } from "#kit/clock.ts";
import type { Gauge } from "#kit/metrics.ts";

export interface ShortCacheOptions {
  /** Milliseconds that an answer is kept, from the start of its look-up. */
  ttlMs: number;
  /** Most answers; beyond it the oldest is dropped. */
  maxEntries: number;
  clock: Clock;
  /** Number of answers that are kept. */
  entries: Gauge;
}

interface Entry<V> {
  begun: number;
  value: Promise<V>;
}

/**
 * Answers of a look-up, each kept for so short a time that nobody has to be told when it changes. Callers at the
 * same time share one look-up; failures are not kept.
 */
export class ShortCache<V> {
  /** In the order in which they were looked up, and so of their end. */
  readonly #held = new Map<string, Entry<V>>();

  constructor(private readonly options: ShortCacheOptions) {}

  get(key: string, lookUp: () => Promise<V>): Promise<V> {
    const now = this.options.clock.now();
    const held = this.#held.get(key);
    if (held && this.#isFresh(held, now)) return held.value;
    this.#held.delete(key);
    this.#makeRoom(now);
    const entry = { begun: now, value: lookUp() };
    this.#held.set(key, entry);
    this.#measure();
    entry.value.catch(() => {
      if (this.#held.get(key) === entry) this.#held.delete(key);
      this.#measure();
    });
    return entry.value;
  }

  /** A clock that was set back must not keep an answer alive. */
  #isFresh({ begun }: Entry<V>, now: number): boolean {
    return now >= begun && now - begun < this.options.ttlMs;
  }

  #makeRoom(now: number): void {
    for (const [key, entry] of this.#held) {
      if (this.#isFresh(entry, now) && this.#held.size < this.options.maxEntries) return;
      this.#held.delete(key);
    }
  }

  #measure(): void {
    this.options.entries.set({}, this.#held.size);
  }
}
