import type { Clock } from "#kit/clock.ts";
import { AppError, messageOf } from "#kit/errors.ts";
import { Latch } from "#kit/latch.ts";
import type { Logger } from "#kit/log.ts";
import type { Metrics } from "#kit/metrics.ts";
import { backoff } from "#kit/retry.ts";
import type { Health, Worker } from "#kit/worker.ts";
import { classify, type Database } from "#metadata/database.ts";
import type { Wakeups } from "#metadata/wakeups.ts";
import type { Policy } from "./decision.ts";
import { reviewHeld } from "./review.ts";
import * as sql from "./review.queries.ts";

export interface ReviewerOptions {
  db: Database;
  wakeups: Wakeups;
  clock: Clock;
  log: Logger;
  metrics: Metrics;
  policy: Policy;
  /** Nothing is held back any more: what still is goes out. */
  releaseAll: boolean;
  /** Milliseconds between two looks without a wake-up. */
  pollMs?: number;
}

/** Looks at held messages again when alerts close; any number of processes may. */
export class Reviewer implements Worker {
  readonly name = "review of held messages";
  readonly #latch = new Latch();
  readonly #held;
  #stopping = new AbortController();
  #loop: Promise<void> | undefined;
  #unlisten: (() => void) | undefined;
  #health: Health = { ready: false, state: "stopped" };

  constructor(private readonly options: ReviewerOptions) {
    this.#held = options.metrics.gauge(
      "tributary_notifier_held_messages",
      "Messages that are told as consequences of others and wait for those to close",
    );
  }

  start(onCrash: (error: unknown) => void): Promise<void> {
    this.#stopping = new AbortController();
    this.#health = { ready: true, state: "running" };
    this.#unlisten = this.options.wakeups.on("notification_review", () => this.#latch.open());
    this.#loop = this.#run().catch(onCrash);
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#latch.open();
    this.#unlisten?.();
    await this.#loop;
    this.#health = { ready: false, state: "stopped" };
  }

  health(): Health {
    return this.#health;
  }

  async #run(): Promise<void> {
    const { db, policy, releaseAll, pollMs = 5_000 } = this.options;
    for (let failures = 0; !this.#stopping.signal.aborted;) {
      try {
        this.#latch.shut();
        const reviewed = await reviewHeld(db, policy, releaseAll);
        const [count] = await db.query<{ held: number }>(sql.count);
        this.#held.set({}, count!.held);
        this.#health = { ready: true, state: "running" };
        failures = 0;
        if (reviewed === 0) await this.#latch.passed(pollMs);
      } catch (error) {
        await this.#giveWay(error, ++failures);
      }
    }
  }

  async #giveWay(error: unknown, failures: number): Promise<void> {
    const { log, clock } = this.options;
    const down = error instanceof AppError && error.retryable;
    if (!down && classify(error) === "unknown") throw error;
    log.warn("held messages are not looked at", { error: messageOf(error) });
    this.#health = { ready: false, state: "waiting_for_metadata" };
    await clock.sleep(backoff(failures, { initial: 200, max: 5_000 }), this.#stopping.signal);
  }
}
