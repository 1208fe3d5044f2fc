import { type Clock, systemClock } from "#kit/clock.ts";

/** Longest time that a timer of the runtime can wait, milliseconds. */
const longest = 2 ** 31 - 1;

/** A signal that is kept until it is waited for, so that none is lost. For one waiter at a time. */
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

  /** Resolves when it is signalled or `abort` aborts, after `ms` milliseconds at the latest. */
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
