import { tracesSpans } from "#contract/topics.ts";
import type { Clock } from "#kit/clock.ts";
import { unavailable } from "#kit/errors.ts";
import { withTimeout } from "#kit/retry.ts";
import type { EventLog } from "#eventlog/port.ts";

/** Milliseconds after which the number of partitions is read again. */
const freshMs = 60_000;

/** How many partitions the topic of span facts has, which may differ from what is configured. */
export class Partitions {
  #known: number | undefined;
  #fetchedAt = 0;

  constructor(private readonly events: EventLog, private readonly clock: Clock) {}

  /** Rejects with 503 when it was never known and the event log does not say within `timeoutMs`. */
  async count(timeoutMs: number): Promise<number> {
    const now = this.clock.now();
    if (this.#known === undefined) return await this.#ask(timeoutMs);
    // The known number stays in use while it is read again, also when that fails.
    if (now - this.#fetchedAt > freshMs) this.#ask(timeoutMs).catch(() => {});
    return this.#known;
  }

  async #ask(timeoutMs: number): Promise<number> {
    this.#fetchedAt = this.clock.now();
    const late = () => unavailable("The event log did not answer in time");
    const bounds = await withTimeout(this.events.bounds(tracesSpans), timeoutMs, late);
    if (bounds.length === 0) throw unavailable(`The event log has no topic ${tracesSpans}`);
    return this.#known = bounds.length;
  }
}
