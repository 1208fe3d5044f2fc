import { type Clock, systemClock } from "#kit/clock.ts";
import { messageOf } from "#kit/errors.ts";
import type { Logger } from "#kit/log.ts";

/** Milliseconds in which one kind of rejection is logged once. */
const quietMs = 5_000;
/** Maximum number of kinds; beyond it all are reset. */
const maxKinds = 100;

/**
 * Writes why requests were not taken. During an outage that is thousands of times a second the same, so
 * of each kind one line is written in five seconds, with how many there were since the last. The
 * counters of requests and spans have them all.
 */
export class RejectionLog {
  readonly #kinds = new Map<string, { at: number; since: number }>();

  constructor(private readonly log: Logger, private readonly clock: Clock = systemClock) {}

  logRejection(error: unknown): void {
    const now = this.clock.now();
    const kind = messageOf(error);
    const known = this.#kinds.get(kind);
    if (known && now - known.at < quietMs) return void known.since++;
    if (this.#kinds.size >= maxKinds) this.#kinds.clear();
    this.#kinds.set(kind, { at: now, since: 0 });
    this.log.warn("trace request refused", { error, alike: known?.since ?? 0 });
  }
}
