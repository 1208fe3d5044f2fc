/** What a process counts of itself between two reports; reports of all processes of a minute are added up. */
export class ProcessFigures {
  #requests = 0;
  #failed = 0;

  /** Counts one answered request of the API; `status`: that of its answer. */
  answered(status: number): void {
    this.#requests++;
    if (status >= 500) this.#failed++;
  }

  /** Returns the counts by series, and forgets them. */
  drain(): Map<string, number> {
    const counts = new Map([["requests", this.#requests], ["requests/failed", this.#failed]]);
    [this.#requests, this.#failed] = [0, 0];
    return counts;
  }

  /** Takes back what was drained and could not be stored. */
  restore(counts: Map<string, number>): void {
    this.#requests += counts.get("requests") ?? 0;
    this.#failed += counts.get("requests/failed") ?? 0;
  }
}
