import type { Clock } from "#kit/clock.ts";
import type { Database } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";

/** Maximum number of published batches that wait to be applied before more are mapped. */
export const maxAhead = 2;

/** Milliseconds after which batches are no longer waited for: the consumer stands still, or is busy with others. */
export const maxWaitMs = 2_000;

const pollMs = 20;

const applied = statement<{ batch: string }>("composed-batches-applied")`
  SELECT batch FROM applied_batch WHERE batch = ANY($1::text[])`;

/** Keeps what is posted near what is applied: a row that waits here is posted once, whatever is said of it meanwhile. */
export interface Backpressure {
  posted(batches: string[]): void;
  /** Resolves when more may be posted. */
  waitForCapacity(signal: AbortSignal): Promise<void>;
}

/** For a publisher without a consumer that applies batches. */
export const noBackpressure: Backpressure = {
  posted: () => undefined,
  waitForCapacity: () => Promise.resolve(),
};

export class AppliedBackpressure implements Backpressure {
  #ahead = new Set<string>();

  constructor(private readonly deps: { db: Database; clock: Clock }) {}

  posted(batches: string[]): void {
    for (const batch of batches) this.#ahead.add(batch);
  }

  async waitForCapacity(signal: AbortSignal): Promise<void> {
    const { db, clock } = this.deps;
    const end = clock.now() + maxWaitMs;
    while (this.#ahead.size > maxAhead && !signal.aborted) {
      for (const { batch } of await db.query(applied, [[...this.#ahead]])) {
        this.#ahead.delete(batch);
      }
      if (this.#ahead.size <= maxAhead) return;
      if (clock.now() >= end) this.#ahead.clear();
      else await clock.sleep(pollMs, signal);
    }
  }
}
