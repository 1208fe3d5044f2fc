import { longestPause } from "#platform/ops/states/recovery.ts";
import type { Clock } from "#kit/clock.ts";
import { AppError, messageOf } from "#kit/errors.ts";
import type { Logger } from "#kit/log.ts";
import { Loop } from "#kit/loop.ts";
import type { Metrics } from "#kit/metrics.ts";
import type { Health, Worker } from "#kit/worker.ts";
import { classify, type Database } from "#metadata/postgres/database.ts";
import type { Wakeups } from "#metadata/postgres/wakeups.ts";
import type { Policy } from "./decision.ts";
import { reviewDelayed } from "./review.ts";

const delayedCountSql = "SELECT count(*) AS delayed FROM notification WHERE state = 'held'";

export interface ReviewerOptions {
  db: Database;
  wakeups: Wakeups;
  clock: Clock;
  log: Logger;
  metrics: Metrics;
  policy: Policy;
  /** Nothing is delayed any more: remaining delayed messages are sent. */
  releaseAll: boolean;
  /** Milliseconds between two looks without a wake-up. */
  pollMs?: number;
}

/** Reviews delayed messages when alerts close; any number of processes may run it. */
export class Reviewer implements Worker {
  readonly name = "review of held messages";
  readonly #delayedGauge;
  readonly #loop: Loop;
  #health: Health = { ready: false, state: "stopped" };

  constructor(private readonly options: ReviewerOptions) {
    const { clock, metrics, wakeups } = options;
    this.#delayedGauge = metrics.gauge(
      "tributary_notifier_held_messages",
      "Messages delayed because an upstream alert is open",
    );
    this.#loop = new Loop({
      clock,
      listen: (wake) => wakeups.on("notification_review", wake),
      round: () => this.#review(),
      retry: { initial: 200, max: longestPause("waiting_for_metadata", "review of held messages") },
      failed: (error) => this.#failed(error),
    });
  }

  start(onCrash: (error: unknown) => void): Promise<void> {
    this.#health = { ready: true, state: "running" };
    return this.#loop.start(onCrash);
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
    this.#health = { ready: false, state: "stopped" };
  }

  health(): Health {
    return this.#health;
  }

  async #review(): Promise<number> {
    const { db, policy, releaseAll, pollMs = 5_000 } = this.options;
    const reviewed = await reviewDelayed(db, policy, releaseAll);
    const [count] = await db.query<{ delayed: number }>(delayedCountSql);
    this.#delayedGauge.set({}, count!.delayed);
    this.#health = { ready: true, state: "running" };
    return reviewed === 0 ? pollMs : 0;
  }

  #failed(error: unknown): void {
    const down = error instanceof AppError && error.retryable;
    if (!down && classify(error) === "unknown") throw error;
    this.options.log.warn("delayed messages are not reviewed", { error: messageOf(error) });
    this.#health = { ready: false, state: "waiting_for_metadata" };
  }
}
