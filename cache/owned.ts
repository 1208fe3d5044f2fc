import type { OwnedValues } from "#cache/port.ts";
import { type Clock, systemClock } from "#kit/clock.ts";
import type { Metrics } from "#kit/metrics.ts";

/** Values of one owner, and of all. */
export const maxOfOwner = 200;
export const maxOwned = 20_000;

interface OwnedOptions {
  metrics: Metrics;
  clock?: Clock;
  maxOfOwner?: number;
  max?: number;
}

interface Entry {
  owner: string;
  value: string;
  expiresAt: number;
}

/**
 * Values of strangers in process memory. When full, it evicts the oldest value of the owner with the most: an owner with few keeps its
 * own, however many others there are with more.
 */
export class MemoryOwned implements OwnedValues {
  readonly #entries = new Map<string, Entry>();
  /** Keys of each owner, the oldest first. */
  readonly #byOwner = new Map<string, Set<string>>();
  readonly #clock: Clock;
  readonly #maxOfOwner: number;
  readonly #max: number;
  readonly #size;
  readonly #evictions;

  constructor(options: OwnedOptions) {
    this.#clock = options.clock ?? systemClock;
    this.#maxOfOwner = options.maxOfOwner ?? maxOfOwner;
    this.#max = options.max ?? maxOwned;
    this.#size = options.metrics.gauge(
      "tributary_owned_values",
      "Values held in memory for people who have not signed in yet",
    );
    this.#evictions = options.metrics.counter(
      "tributary_owned_values_evictions_total",
      "Values evicted before they expired because their network exceeded its limit",
    );
  }

  put(owner: string, key: string, value: string, ttlMs: number): Promise<void> {
    const keys = this.#byOwner.get(owner) ?? new Set();
    this.#byOwner.set(owner, keys.add(key));
    this.#entries.set(key, { owner, value, expiresAt: this.#clock.now() + ttlMs });
    if (keys.size > this.#maxOfOwner) this.#evict(keys);
    if (this.#entries.size > this.#max) this.#makeRoom();
    this.#size.set({}, this.#entries.size);
    return Promise.resolve();
  }

  take(key: string): Promise<string | null> {
    const entry = this.#entries.get(key);
    if (entry) this.#remove(key, entry.owner);
    const isFresh = entry && entry.expiresAt > this.#clock.now();
    return Promise.resolve(isFresh ? entry.value : null);
  }

  #evict([oldest]: Set<string>): void {
    this.#remove(oldest!, this.#entries.get(oldest!)!.owner);
    this.#evictions.inc();
  }

  /** Expired values go first. */
  #makeRoom(): void {
    const now = this.#clock.now();
    for (const [key, { owner, expiresAt }] of this.#entries) {
      if (expiresAt <= now) this.#remove(key, owner);
    }
    if (this.#entries.size <= this.#max) return;
    let max = new Set<string>();
    for (const keys of this.#byOwner.values()) if (keys.size > max.size) max = keys;
    this.#evict(max);
  }

  #remove(key: string, owner: string): void {
    this.#entries.delete(key);
    const keys = this.#byOwner.get(owner);
    keys?.delete(key);
    if (keys?.size === 0) this.#byOwner.delete(owner);
    this.#size.set({}, this.#entries.size);
  }
}
