/**
 * A map whose entries are put in the order of their age, for taking the oldest ones out again. It keeps
 * one iterator: a new one each time would step over all entries that were deleted before.
 */
export class AgeOrderedMap<K, V> {
  readonly #entries = new Map<K, V>();
  #walk = this.#entries.entries();
  #oldest: [K, V] | undefined;

  get size(): number {
    return this.#entries.size;
  }

  get(key: K): V | undefined {
    return this.#entries.get(key);
  }

  keys(): Iterable<K> {
    return this.#entries.keys();
  }

  /** As the youngest, also when it was there before. */
  put(key: K, value: V): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
  }

  delete(key: K): boolean {
    return this.#entries.delete(key);
  }

  oldest(): [K, V] | undefined {
    for (;;) {
      const known = this.#oldest;
      if (known && this.#entries.get(known[0]) === known[1]) return known;
      const next = this.#walk.next();
      this.#oldest = next.done ? undefined : next.value;
      if (!next.done) continue;
      // Whatever the walk has passed is gone, so nothing is left.
      this.#walk = this.#entries.entries();
      return undefined;
    }
  }
}
