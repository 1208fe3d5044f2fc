/**
 * Counts the batches that collectors wait for in this process, so that what comes in floods can leave them the
 * processors.
 */
export class BatchesInFlight {
  #count = 0;

  /** Whether a collector waits. */
  get any(): boolean {
    return this.#count > 0;
  }

  /** Runs `work`, which takes in a batch and ends when its collector is answered. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#count++;
    try {
      return await work();
    } finally {
      this.#count--;
    }
  }
}
