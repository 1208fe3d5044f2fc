import { type Clock, systemClock } from "#kit/clock.ts";

/** Longest delay of a timer in this runtime, milliseconds. */
const longest = 2 ** 31 - 1;

/** A signal that is retained until somebody waits for it, so that none is lost. For one waiter at a time. */
export class Wakeup {
  #signalled = false;
  #waiting: AbortController | undefined;

  constructor(private readonly clock: Clock = systemClock) {}

  signal(): void {
    this.#signalled = true;
    this.#waiting?.abort();
  }

  /** Forgets earlier signals. */
  reset(): void {
    this.#signalled = false;
  }

  /** Resolves when signalled, when `abort` aborts, or after `ms` milliseconds. */
  async wait(ms: number, abort: AbortSignal): Promise<void> {
    if (this.#signalled || abort.aborted) return;
    const waiting = new AbortController();
    const end = () => waiting.abort();
    abort.addEventListener("abort", end, { once: true });
    this.#waiting = waiting;
    await this.clock.sleep(Math.min(ms, longest), waiting.signal);
    this.#waiting = undefined;
    abort.removeEventListener("abort", end);
  }
}
