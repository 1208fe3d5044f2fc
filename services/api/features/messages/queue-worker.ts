import { messageOf } from "#kit/errors.ts";
import type { Health, Worker } from "#kit/worker.ts";
import { isMetadataDown } from "#metadata/postgres/database.ts";
import { LeasedLoop } from "#metadata/postgres/leased-loop.ts";
import type { Context } from "#platform/context.ts";
import { longestPause } from "#platform/ops/states/recovery.ts";

export type QueueDeps = Pick<Context, "db" | "leases" | "wakeups" | "clock" | "log">;

interface QueueOptions extends QueueDeps {
  name: string;
  /** Name of the lease, and milliseconds after which another process takes over from one that is gone. */
  lease: { name: string; ttlMs: number };
  /** Where the metadata store announces that there is work. */
  channel: string;
  /** What waits while the metadata store is down, for the log. */
  items: string;
}

const measureMs = 10_000;

/** Processes a queue in the metadata store, in the one process that holds its lease. */
export abstract class QueueWorker<T> implements Worker {
  readonly name: string;
  readonly #options: QueueOptions;
  readonly #loop: LeasedLoop;
  #measuredAt = -Infinity;
  #isWaiting = false;
  /** Why the last attempt failed, for health; undefined once one succeeded, or another process leads. */
  protected problem: string | undefined;

  constructor(options: QueueOptions) {
    this.#options = options;
    this.name = options.name;
    this.#loop = new LeasedLoop({
      ...options,
      standbyMs: 5_000,
      retry: { initial: 100, max: longestPause("waiting_for_metadata") },
      listen: (wake) => options.wakeups.on(options.channel, wake),
      lead: (_lease, signal) => this.#round(signal),
      standBy: () => void (this.problem = undefined),
      failed: (error) => this.#failed(error),
    });
  }

  /** What is due now. */
  protected abstract take(): Promise<T[]>;
  /** Does it; resolves with the milliseconds until there may be more. */
  protected abstract work(items: T[], signal: AbortSignal): Promise<number>;
  /** Writes the metrics of the queue, now and then. */
  protected abstract measure(): Promise<void>;

  /** Within `work`: whether this process still holds the lease, which is renewed. */
  protected renew(): Promise<boolean> {
    return this.#loop.renew();
  }

  start(onCrash: (error: unknown) => void): Promise<void> {
    return this.#loop.start(onCrash);
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
  }

  health(): Health {
    if (this.#isWaiting) return { ready: false, state: "waiting_for_metadata" };
    if (this.problem) return { ready: false, state: "retrying", detail: this.problem };
    return { ready: true, state: this.#loop.leading ? "running" : "standby" };
  }

  async #round(signal: AbortSignal): Promise<number> {
    const items = await this.take();
    this.#isWaiting = false;
    const waitMs = await this.work(items, signal);
    const now = this.#options.clock.now();
    if (now - this.#measuredAt >= measureMs) {
      this.#measuredAt = now;
      await this.measure();
    }
    return waitMs;
  }

  #failed(error: unknown): void {
    if (!isMetadataDown(error)) throw error;
    const { log, items } = this.#options;
    log[this.#isWaiting ? "debug" : "warn"](`${items} wait for the metadata store`, {
      error: messageOf(error),
    });
    this.#isWaiting = true;
  }
}
