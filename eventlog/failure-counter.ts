/** Maximum number of records whose failures are counted at once; in practice fewer fail at the same time. */
const maxRecords = 1_000;

/** Counts how often each record failed for an unknown reason, over all its deliveries. */
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
