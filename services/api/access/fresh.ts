import type { Clock } from "#kit/clock.ts";
import type { Metrics } from "#kit/metrics.ts";

export interface FreshOptions {
  /** Label of its metrics. */
  name: string;
  /** Milliseconds after which a value is loaded anew: the longest time in which it may be outdated. */
  lifetimeMs: number;
  /** Most values kept; beyond them the oldest is dropped. */
  most: number;
  clock: Clock;
  metrics: Metrics;
}

interface Kept<T> {
  /** When loading began: what is older than this was seen. */
  at: number;
  value: Promise<T>;
}

/** Values by key that are loaded when asked for and outdated for a bounded time only; failures are not kept. */
export class Fresh<T> {
  readonly #kept = new Map<string, Kept<T>>();
  readonly #options: FreshOptions;
  readonly #entries;
  readonly #lookups;

  constructor(options: FreshOptions) {
    this.#options = options;
    this.#entries = options.metrics.gauge(
      "tributary_access_cache_entries",
      "Values that are kept for checks of access",
      ["cache"],
    );
    this.#lookups = options.metrics.counter(
      "tributary_access_cache_lookups_total",
      "Look-ups of checks of access, by whether the value was kept",
      ["cache", "result"],
    );
  }

  /** The value of a key; callers at the same time share one `load`. */
  get(key: string, load: () => Promise<T>): Promise<T> {
    const { name, lifetimeMs, clock } = this.#options;
    const age = clock.now() - (this.#kept.get(key)?.at ?? -Infinity);
    const fresh = age >= 0 && age < lifetimeMs;
    this.#lookups.inc({ cache: name, result: fresh ? "hit" : "miss" });
    return fresh ? this.#kept.get(key)!.value : this.#load(key, load);
  }

  #load(key: string, load: () => Promise<T>): Promise<T> {
    const { name, most, clock } = this.#options;
    const kept: Kept<T> = { at: clock.now(), value: load() };
    // Put last, since the first is dropped.
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    if (this.#kept.size > most) this.#kept.delete(this.#kept.keys().next().value!);
    this.#entries.set({ cache: name }, this.#kept.size);
    kept.value.catch(() => {
      if (this.#kept.get(key) === kept) this.#kept.delete(key);
    });
    return kept.value;
  }
}
