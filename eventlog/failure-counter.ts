/** Most records whose failures are counted at a time; fewer than that fail at once in practice. */
const maxRecords = 1_000;

/** Counts how often records failed for an unknown reason, over all their deliveries. */
export class FailureCounter {
  readonly #counts = new Map<string, number>();

  /** Counts one more failure of the record; returns how often it has failed so far. */
  count({ partition, offset }: { partition: number; offset: number }): number {
    const record = `${partition}/${offset}`;
    const count = (this.#counts.get(record) ?? 0) + 1;
    this.#counts.delete(record);
    this.#counts.set(record, count);
    if (this.#counts.size > maxRecords) this.#counts.delete(this.#counts.keys().next().value!);
    return count;
  }
}
