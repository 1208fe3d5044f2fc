/** Counts failures of unknown kind of the one record at which each partition stands. */
export class Strikes {
  readonly #byPartition = new Map<number, { offset: number; count: number }>();

  /** How often the record has failed, this time included. */
  strike({ partition, offset }: { partition: number; offset: number }): number {
    const last = this.#byPartition.get(partition);
    const count = last?.offset === offset ? last.count + 1 : 1;
    this.#byPartition.set(partition, { offset, count });
    return count;
  }
}
