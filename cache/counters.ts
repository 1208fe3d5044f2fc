import { type Clock, systemClock } from "#kit/clock.ts";
import type { Counters } from "#cache/port.ts";

/** Counters that are stored one by one. */
export const maxCounters = 100_000;
/** Counters that further keys share; a power of two. */
const sharedCounters = 65_536;

interface MemoryCountersOptions {
  maxCounters?: number;
  clock?: Clock;
}

interface Counter {
  count: number;
  expiresAt: number;
}

/** For limits of one process that count more than attempts, such as bytes; at once. */
interface WeightedCounters {
  valueOf(key: string): number;
  /** Adds `weight`, a whole number; the new value. */
  add(key: string, ttlMs: number, weight: number): number;
}

/**
 * Counters in process memory, bounded, without eviction. When they are too many, further keys share
 * counters until those have been quiet for their time: counts are then too high, never too low, so that nobody gets rid of
 * a counter by filling the store.
 */
export function memoryCounters(options: MemoryCountersOptions = {}): Counters & WeightedCounters {
  const store = new CounterStore(options);
  return {
    read: (key) => Promise.resolve(store.read(key)),
    increment: (key, ttlMs) => Promise.resolve(store.increment(key, ttlMs, 1)),
    valueOf: (key) => store.read(key),
    add: (key, ttlMs, weight) => store.increment(key, ttlMs, weight),
    clear: (key) => Promise.resolve(store.clear(key)),
  };
}

class CounterStore {
  readonly #own = new Map<string, Counter>();
  readonly #counts = new Float64Array(sharedCounters);
  readonly #ends = new Float64Array(sharedCounters);
  /** Unknown to clients, so that they cannot choose with whom they share. */
  readonly #seed = crypto.getRandomValues(new Uint32Array(1))[0]!;
  readonly #max: number;
  readonly #clock: Clock;

  constructor({ maxCounters: max = maxCounters, clock = systemClock }: MemoryCountersOptions) {
    this.#max = max;
    this.#clock = clock;
  }

  read(key: string): number {
    const now = this.#clock.now();
    const own = this.#own.get(key);
    if (own && own.expiresAt > now) return own.count;
    const at = this.#placeOf(key);
    return this.#ends[at]! > now ? this.#counts[at]! : 0;
  }

  increment(key: string, ttlMs: number, weight: number): number {
    const now = this.#clock.now();
    const own = this.#own.get(key);
    if (own && own.expiresAt > now) return own.count += weight;
    this.#own.delete(key);
    const at = this.#placeOf(key);
    if (this.#ends[at]! > now || !this.#hasCapacity(now)) {
      return this.#share(at, now, ttlMs, weight);
    }
    this.#own.set(key, { count: weight, expiresAt: now + ttlMs });
    return weight;
  }

  /** A shared counter stays: it counts for others too. */
  clear(key: string): void {
    this.#own.delete(key);
  }

  /** Prolonged by every increment, so that the last one counts for its whole time. */
  #share(at: number, now: number, ttlMs: number, weight: number): number {
    if (this.#ends[at]! <= now) this.#counts[at] = 0;
    this.#ends[at] = Math.max(this.#ends[at]!, now + ttlMs);
    return this.#counts[at] = this.#counts[at]! + weight;
  }

  /** Expired counters are the oldest or, where times differ, soon will be. */
  #hasCapacity(now: number): boolean {
    for (const [key, { expiresAt }] of this.#own) {
      if (expiresAt > now) break;
      this.#own.delete(key);
    }
    return this.#own.size < this.#max;
  }

  /** FNV-1a. */
  #placeOf(key: string): number {
    let hash = 0x811c9dc5 ^ this.#seed;
    for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
    return (hash ^ hash >>> 15) & sharedCounters - 1;
  }
}
