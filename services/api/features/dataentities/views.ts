import { messageOf } from "#kit/errors.ts";
import type { Logger } from "#kit/log.ts";
import type { Queryable } from "#metadata/database.ts";
import { addViewCounts } from "#services/api/features/dataentities/queries.ts";

/** Entities whose views may wait at a time; beyond that, views of others are not counted. */
const maxWaiting = 10_000;

/**
 * Counts views without making readers wait: one statement is under way at a time, and what is viewed
 * meanwhile goes with the next. Views that wait when the process dies, or that the metadata store
 * does not take, are lost: the count orders a list, nothing rests on it.
 */
export class ViewCounter {
  #waiting = new Map<number, number>();
  #writing: Promise<void> | undefined;

  constructor(private readonly db: Queryable, private readonly log: Logger) {}

  record(id: number): void {
    const known = this.#waiting.get(id);
    if (known === undefined && this.#waiting.size >= maxWaiting) return;
    this.#waiting.set(id, (known ?? 0) + 1);
    this.#writing ??= this.#write().finally(() => void (this.#writing = undefined));
  }

  /** Resolves when every view recorded so far was written or given up. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  async #write(): Promise<void> {
    while (this.#waiting.size > 0) {
      const views = this.#waiting;
      this.#waiting = new Map();
      try {
        await addViewCounts(this.db, views);
      } catch (error) {
        this.log.warn("views were not counted", { entities: views.size, error: messageOf(error) });
      }
    }
  }
}
