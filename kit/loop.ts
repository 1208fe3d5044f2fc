import { type Clock, systemClock } from "#kit/clock.ts";
import { backoff, type BackoffOptions } from "#kit/retry.ts";

export interface LoopOptions {
  /**
   * One round of work. Resolves with the milliseconds to wait before the next round (0: none); waking the
   * loop ends the wait early. The signal aborts when the loop is stopped.
   */
  round: (signal: AbortSignal) => Promise<number>;
  /**
   * Called when a round failed, for the `failures`-th time in a row; the next round follows after a backoff.
   * Throw from it when waiting cannot repair the failure: the loop then counts as crashed.
   */
  failed: (error: unknown, failures: number) => void | Promise<void>;
  retry: BackoffOptions;
  /** Subscribes to events that wake the loop; returns a function that unsubscribes. */
  listen?: (wake: () => void) => () => void;
  /** Milliseconds that `stop` waits for the running round; by default until it has ended. */
  stopMs?: number;
  clock?: Clock;
}

/**
 * The loop of a worker: runs rounds one after the other until it is stopped. It waits between rounds,
 * continues after failures, and can be started again after a stop or a crash.
 */
export class Loop {
  readonly #wakeup: Wakeup;
  #abort = new AbortController();
  #running: Promise<void> | undefined;
  #unlisten: (() => void) | undefined;

  constructor(private readonly options: LoopOptions) {
    this.#wakeup = new Wakeup(options.clock);
  }

  /** Whether it was started and has not been stopped since. */
  get started(): boolean {
    return this.#running !== undefined;
  }

  /** Aborts when the loop is stopped. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Runs the first round at once, and resolves; does nothing when the loop is already started. */
  start(onCrash: (error: unknown) => void): Promise<void> {
    if (!this.#running) {
      this.#abort = new AbortController();
      this.#unlisten = this.options.listen?.(() => this.wake());
      this.#running = this.#run(this.#abort.signal).catch(onCrash);
    }
    return Promise.resolve();
  }

  /** Starts the next round at once; during a round, another one follows it. */
  wake(): void {
    this.#wakeup.signal();
  }

  /** Within a round: forgets earlier wake-ups, because the round is about to look at what caused them. */
  forget(): void {
    this.#wakeup.reset();
  }

  /** Within a round: waits until the loop is woken or stopped, at most `ms` milliseconds. */
  async wait(ms: number): Promise<void> {
    await this.#wakeup.wait(ms, this.#abort.signal);
  }

  /** Resolves when the running round has ended or `stopMs` is over; idempotent. */
  async stop(): Promise<void> {
    this.#abort.abort();
    this.#unlisten?.();
    this.#unlisten = undefined;
    const { stopMs, clock = systemClock } = this.options;
    if (stopMs === undefined) await this.#running;
    else {
      const ended = new AbortController();
      await Promise.race([this.#running, clock.sleep(stopMs, ended.signal)]);
      ended.abort();
    }
    this.#running = undefined;
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { round, failed, retry, clock = systemClock } = this.options;
    for (let failures = 0; !signal.aborted;) {
      try {
        this.#wakeup.reset();
        const waitMs = await round(signal);
        failures = 0;
        if (waitMs > 0) await this.#wakeup.wait(waitMs, signal);
      } catch (error) {
        if (signal.aborted) return;
        await failed(error, ++failures);
        await clock.sleep(backoff(failures, retry), signal);
      }
    }
  }
}

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
