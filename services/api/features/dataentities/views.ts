import { messageOf } from "#kit/errors.ts";
import type { Counter, Gauge } from "#kit/metrics.ts";
import type { Context } from "#platform/context.ts";
import { addViewCounts } from "#services/api/features/dataentities/queries.ts";

/** Entities whose views may be pending; while that many are, views of others are not counted. */
const maxWaiting = 10_000;

/**
 * Counts views without delaying readers: one statement runs at a time, and the next one writes the
 * views that arrive meanwhile. Pending views are lost when the process dies or the metadata store
 * rejects them, which is acceptable: the count only orders a list.
 */
export class ViewCounter {
  readonly #waitingGauge: Gauge;
  readonly #lost: Counter;
  #waiting = new Map<number, number>();
  #writing: Promise<void> | undefined;

  constructor(
    private readonly context: Pick<Context, "db" | "log" | "metrics">,
    private readonly limit = maxWaiting,
  ) {
    const { metrics } = context;
    this.#waitingGauge = metrics.gauge("tributary_views_waiting", "Entities with uncounted views");
    this.#lost = metrics.counter("tributary_views_lost_total", "Views that were not counted");
  }

  record(id: number): void {
    const known = this.#waiting.get(id);
    if (known === undefined && this.#waiting.size >= this.limit) return this.#lost.inc();
    this.#waiting.set(id, (known ?? 0) + 1);
    this.#waitingGauge.set({}, this.#waiting.size);
    this.#writing ??= this.#write();
  }

  /** Resolves when every view recorded so far has been written or discarded. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  async #write(): Promise<void> {
    while (this.#waiting.size > 0) {
      const views = this.#waiting;
      this.#waiting = new Map();
      this.#waitingGauge.set({}, 0);
      try {
        await addViewCounts(this.context.db, views);
      } catch (error) {
        this.#lost.inc({}, [...views.values()].reduce((sum, n) => sum + n, 0));
        this.context.log.warn("views were not counted", {
          entities: views.size,
          error: messageOf(error),
        });
      }
    }
    // No `await` after the last check, so that a later view starts the next statement.
    this.#writing = undefined;
  }
}
