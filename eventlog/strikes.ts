/** Records of which strikes are remembered; more do not fail side by side. */
const remembered = 1_000;

/** Counts failures of unknown kind of records that are delivered again and again. */
export class Strikes {
  readonly #counts = new Map<string, number>();

  /** How often the record has failed, this time included. */
  strike({ partition, offset }: { partition: number; offset: number }): number {
    const record = `${partition}/${offset}`;
    const count = (this.#counts.get(record) ?? 0) + 1;
    this.#counts.delete(record);
    this.#counts.set(record, count);
    if (this.#counts.size > remembered) this.#counts.delete(this.#counts.keys().next().value!);
    return count;
  }
}
