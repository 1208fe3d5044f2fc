import type { Clock } from "#kit/clock.ts";
import type { Gauge, Metrics } from "#kit/metrics.ts";

interface ShortCacheOptions {
  /** Milliseconds that an answer is cached, from the start of its look-up. */
  ttlMs: number;
  /** Most answers; beyond it the oldest is dropped. */
  maxEntries: number;
  /** Label of its metrics. */
  name: string;
  clock: Clock;
  metrics: Metrics;
}

interface Entry<V> {
  begun: number;
  value: Promise<V>;
}

/**
 * Cached results of a lookup, each for so short a time that no invalidation is needed. Callers at the
 * same time share one look-up; failures are not kept.
 */
export class ShortCache<V> {
  /** In the order in which they were looked up, and so of their end. */
  readonly #cached = new Map<string, Entry<V>>();

  readonly #entries;
  readonly #lookups;

  constructor(private readonly options: ShortCacheOptions) {
    const { metrics } = options;
    this.#entries = lookupCacheEntries(metrics);
    this.#lookups = metrics.counter(
      "tributary_lookup_cache_requests_total",
      "Requests to lookup caches, by hit or miss",
      ["cache", "result"],
    );
  }

  get(key: string, fetch: () => Promise<V>): Promise<V> {
    const now = this.options.clock.now();
    const cached = this.#cached.get(key);
    const fresh = cached !== undefined && this.#isFresh(cached, now);
    this.#lookups.inc({ cache: this.options.name, result: fresh ? "hit" : "miss" });
    return fresh ? cached.value : this.renew(key, fetch);
  }

  /** The answer that is cached, if there is one; nothing is looked up. */
  peek(key: string): Promise<V> | undefined {
    const cached = this.#cached.get(key);
    return cached && this.#isFresh(cached, this.options.clock.now()) ? cached.value : undefined;
  }

  /** Looks up, whatever is cached, and caches the answer. */
  renew(key: string, fetch: () => Promise<V>): Promise<V> {
    const now = this.options.clock.now();
    this.#cached.delete(key);
    this.#evict(now);
    const entry = { begun: now, value: fetch() };
    this.#cached.set(key, entry);
    this.#measure();
    entry.value.catch(() => {
      if (this.#cached.get(key) === entry) this.#cached.delete(key);
      this.#measure();
    });
    return entry.value;
  }

  /** A clock that was set back must not keep an answer alive. */
  #isFresh({ begun }: Entry<V>, now: number): boolean {
    return now >= begun && now - begun < this.options.ttlMs;
  }

  #evict(now: number): void {
    for (const [key, entry] of this.#cached) {
      if (this.#isFresh(entry, now) && this.#cached.size < this.options.maxEntries) return;
      this.#cached.delete(key);
    }
  }

  #measure(): void {
    this.#entries.set({ cache: this.options.name }, this.#cached.size);
  }
}

/** How much is cached, by the name of the cache. */
export function lookupCacheEntries(metrics: Metrics): Gauge {
  return metrics.gauge(
    "tributary_lookup_cache_entries",
    "Entries of lookup caches",
    ["cache"],
  );
}
