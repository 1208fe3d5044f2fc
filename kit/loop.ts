import { type Clock, systemClock } from "#kit/clock.ts";
import { backoff, type BackoffOptions } from "#kit/retry.ts";
import { Wakeup } from "#kit/wakeup.ts";

export interface LoopOptions {
  /**
   * One round of work. Resolves with the milliseconds until the next, which comes sooner when the loop is
   * woken; 0: at once. The signal aborts when the loop is stopped.
   */
  round: (signal: AbortSignal) => Promise<number>;
  /**
   * Called when a round failed, the `failures`-th in a row; the next round comes after a backoff. If
   * this throws, the loop has crashed: for failures that no waiting repairs.
   */
  failed: (error: unknown, failures: number) => void | Promise<void>;
  retry: BackoffOptions;
  /** Subscribes to what wakes the loop; returns how to unsubscribe. */
  listen?: (wake: () => void) => () => void;
  /** Milliseconds that a round at work is given when the loop is stopped; unless told, all it takes. */
  stopMs?: number;
  clock?: Clock;
}

/**
 * The loop of a worker: rounds, one after the other, until it is stopped. It waits between them, goes on
 * after failures, and can be started again after a stop or a crash.
 */
export class Loop {
  readonly #wakeup: Wakeup;
  #abort = new AbortController();
  #running: Promise<void> | undefined;
  #unlisten: (() => void) | undefined;

  constructor(private readonly options: LoopOptions) {
    this.#wakeup = new Wakeup(options.clock);
  }

  /** Whether it was started and not stopped since. */
  get started(): boolean {
    return this.#running !== undefined;
  }

  /** Aborts when the loop is stopped. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Begins with a round at once; does nothing when it was started. */
  start(onCrash: (error: unknown) => void): void {
    if (this.#running) return;
    this.#abort = new AbortController();
    this.#unlisten = this.options.listen?.(() => this.wake());
    this.#running = this.#run(this.#abort.signal).catch(onCrash);
  }

  /** The next round comes at once; while one is at work, another follows. */
  wake(): void {
    this.#wakeup.signal();
  }

  /** Within a round: forgets earlier wake-ups, since what they told of is about to be looked at. */
  forget(): void {
    this.#wakeup.reset();
  }

  /** Within a round: waits until the loop is woken or stopped, `ms` milliseconds at most. */
  async wait(ms: number): Promise<void> {
    await this.#wakeup.wait(ms, this.#abort.signal);
  }

  /** Resolves when the round at work has ended, or its time is up; idempotent. */
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
