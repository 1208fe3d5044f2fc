/** A set of pairs of ids, which are too large to be one number together. */
export class PairSet {
  readonly #pairs = new Map<number, Set<number>>();

  has(from: number, to: number): boolean {
    return this.#pairs.get(from)?.has(to) ?? false;
  }

  /** False when the pair was there already. */
  add(from: number, to: number): boolean {
    const ends = this.#pairs.get(from);
    if (!ends) this.#pairs.set(from, new Set([to]));
    else if (ends.has(to)) return false;
    else ends.add(to);
    return true;
  }
}
