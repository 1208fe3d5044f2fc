import { type Clock, systemClock } from "#kit/clock.ts";
import { messageOf } from "#kit/errors.ts";
import type { Logger } from "#kit/log.ts";
import type { Metrics } from "#kit/metrics.ts";
import { backoff } from "#kit/retry.ts";
import type { Health, Worker } from "#kit/worker.ts";

export interface SupervisorOptions {
  log: Logger;
  metrics: Metrics;
  /** Called once when a worker cannot be kept alive; the process is expected to end. */
  giveUp: (worker: string, error: unknown) => void;
  /** Consecutive failed runs before giving up. */
  maxFailures?: number;
  /** Milliseconds after which a run counts as healthy and the failures are forgotten. */
  healthyAfter?: number;
  clock?: Clock;
}

interface Child {
  worker: Worker;
  failures: number;
  startedAt: number;
  restarting: boolean;
}

/** Starts workers in order, restarts crashed ones with backoff, and stops all in reverse order. */
export class Supervisor {
  readonly #children: Child[];
  readonly #options: Required<SupervisorOptions>;
  readonly #abort = new AbortController();

  constructor(workers: Worker[], options: SupervisorOptions) {
    this.#options = { maxFailures: 8, healthyAfter: 60_000, clock: systemClock, ...options };
    this.#children = workers.map((worker) => ({
      worker,
      failures: 0,
      startedAt: 0,
      restarting: false,
    }));
  }

  /** Rejects with the first worker's error that fails to start. */
  async start(): Promise<void> {
    for (const child of this.#children) await this.#run(child);
  }

  async stop(): Promise<void> {
    this.#abort.abort();
    for (const child of [...this.#children].reverse()) await child.worker.stop();
  }

  /** Health by worker name; a worker between two runs is not ready. */
  health(): Record<string, Health> {
    return Object.fromEntries(
      this.#children.map((c) => [
        c.worker.name,
        c.restarting ? { ready: false, state: "restarting" } : c.worker.health(),
      ]),
    );
  }

  async #run(child: Child): Promise<void> {
    child.startedAt = this.#options.clock.now();
    let crashed = false;
    await child.worker.start((error) => {
      if (crashed) return;
      crashed = true;
      void this.#restart(child, error);
    });
    child.restarting = false;
  }

  async #restart(child: Child, error: unknown): Promise<void> {
    const { log, metrics, clock } = this.#options;
    const name = child.worker.name;
    child.restarting = true;
    while (!this.#abort.signal.aborted) {
      if (clock.now() - child.startedAt > this.#options.healthyAfter) child.failures = 0;
      child.failures++;
      metrics.counter("tributary_worker_crashes_total", "Worker runs that ended in an error", [
        "worker",
      ]).inc({ worker: name });
      log.error("worker crashed", { worker: name, failures: child.failures, error });
      if (child.failures >= this.#options.maxFailures) return this.#options.giveUp(name, error);
      await clock.sleep(backoff(child.failures, { initial: 500, max: 15_000 }), this.#abort.signal);
      if (this.#abort.signal.aborted) return;
      try {
        await child.worker.stop();
        await this.#run(child);
        log.info("worker restarted", { worker: name });
        return;
      } catch (next) {
        error = new Error(`restart failed: ${messageOf(next)}`, { cause: next });
      }
    }
  }
}
