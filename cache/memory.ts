import { memoryCounters } from "#cache/counters.ts";
import { MemoryOwned } from "#cache/owned.ts";
import type { Cache, CacheCommands } from "#cache/port.ts";
import { type Clock, systemClock } from "#kit/clock.ts";
import type { Metrics } from "#kit/metrics.ts";

interface MemoryCacheOptions {
  metrics: Metrics;
  /** Most entries; beyond it the least recently used one is removed. */
  maxEntries?: number;
  /** Most characters, keys and values together. */
  maxCharacters?: number;
  /** Name of its content in metrics; default: `cache`. */
  name?: string;
  clock?: Clock;
}

interface Entry {
  value: string;
  expiresAt: number;
}

/** A cache in process memory, bounded in number and size; evicts the least recently used first. */
export function memoryCache(options: MemoryCacheOptions): Cache {
  const store = new Store(options);
  const commands: CacheCommands = {
    get: (key) => Promise.resolve(store.read(key)?.value ?? null),
    set: (key, value, ttlMs) => Promise.resolve(store.write(key, value, ttlMs)),
    replace: (key, value, ttlMs) =>
      Promise.resolve(store.read(key) ? store.write(key, value, ttlMs) : undefined),
    delete: (key) => Promise.resolve(store.remove(key)),
    take: (key) => {
      const value = store.read(key)?.value ?? null;
      store.remove(key);
      return Promise.resolve(value);
    },
    increment: (key, ttlMs) => Promise.resolve(store.increment(key, ttlMs)),
  };
  const others = () => ({
    counters: memoryCounters(options),
    owned: new MemoryOwned({ metrics: options.metrics, clock: options.clock }),
  });
  const cache: Cache = {
    ...commands,
    ...others(),
    engine: "memory",
    strict: commands,
    clear() {
      store.clear();
      Object.assign(cache, others());
      return Promise.resolve();
    },
    ping: () => Promise.resolve(),
    close: () => Promise.resolve(store.clear()),
  };
  return cache;
}

class Store {
  readonly #entries = new Map<string, Entry>();
  readonly #maxEntries: number;
  readonly #maxCharacters: number;
  readonly #clock: Clock;
  readonly #size;
  readonly #evictions;
  #characters = 0;

  constructor({ metrics, ...options }: MemoryCacheOptions) {
    this.#maxEntries = options.maxEntries ?? 10_000;
    this.#maxCharacters = options.maxCharacters ?? 16_000_000;
    this.#clock = options.clock ?? systemClock;
    const name = options.name ?? "cache";
    this.#size = metrics.gauge(`tributary_${name}_entries`, `Entries of the in-memory ${name}`);
    this.#evictions = metrics.counter(
      `tributary_${name}_evictions_total`,
      `Entries that left the in-memory ${name} before their time`,
    );
  }

  read(key: string): Entry | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    if (entry.expiresAt <= this.#clock.now()) {
      this.remove(key);
      return undefined;
    }
    // A Map keeps insertion order, so its first key is the one used longest ago.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry;
  }

  write(key: string, value: string, ttlMs: number): void {
    this.#put(key, { value, expiresAt: this.#clock.now() + ttlMs });
  }

  increment(key: string, ttlMs: number): number {
    const entry = this.read(key);
    const next = Number(entry?.value ?? 0) + 1;
    const expiresAt = entry?.expiresAt ?? this.#clock.now() + ttlMs;
    this.#put(key, { value: String(next), expiresAt });
    return next;
  }

  remove(key: string): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#entries.delete(key);
    this.#characters -= key.length + entry.value.length;
    this.#size.set({}, this.#entries.size);
  }

  clear(): void {
    this.#entries.clear();
    this.#characters = 0;
    this.#size.set({}, 0);
  }

  #put(key: string, entry: Entry): void {
    this.remove(key);
    this.#entries.set(key, entry);
    this.#characters += key.length + entry.value.length;
    while (this.#entries.size > this.#maxEntries || this.#characters > this.#maxCharacters) {
      this.remove(this.#entries.keys().next().value!);
      this.#evictions.inc();
    }
    this.#size.set({}, this.#entries.size);
  }
}
