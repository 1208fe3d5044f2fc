import { type Clock, systemClock } from "#kit/clock.ts";
import { messageOf } from "#kit/errors.ts";
import type { Logger } from "#kit/log.ts";
import type { Metrics } from "#kit/metrics.ts";
import { backoff } from "#kit/retry.ts";
import type { Health, Worker } from "#kit/worker.ts";

/** State of a worker that crashed too often in a row; it is still restarted, but rarely. */
export const exhausted = "given_up";

export interface SupervisorOptions {
  log: Logger;
  metrics: Metrics;
  /** Called once when a worker crashed too often in a row; called again only if it was healthy in between. */
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
  /** When the present run began, milliseconds since the epoch; null when it does not run. */
  runningSince: number | null;
  /** The last failure; cleared once the worker has run well for `healthyAfter`. */
  error: unknown;
  /** Set while the worker waits for its restart. */
  restart: Promise<void> | undefined;
}

interface Failure {
  error: unknown;
  /** True when the start was rejected, false when the worker crashed later. */
  refused: boolean;
}

/** Maximum delay before a worker that has not failed permanently is restarted, milliseconds. */
export const longestRestartMs = 15_000;

/** Delays before a restart, milliseconds: `soon` at first, the longer ones once a worker has exhausted its retries. */
const soon = { initial: 500, max: longestRestartMs };
const slowly = { initial: 60_000, max: 60_000 };

/**
 * Starts workers in order, restarts crashed ones with backoff, and stops all in reverse order. A worker that
 * keeps crashing becomes `given_up` and is then restarted about once a minute; the others continue.
 */
export class Supervisor {
  readonly #children: Child[];
  readonly #options: Required<SupervisorOptions>;
  readonly #abort = new AbortController();
  #starting: Promise<void> | undefined;

  constructor(workers: Worker[], options: SupervisorOptions) {
    const { maxFailures = 8, healthyAfter = 60_000, clock = systemClock } = options;
    this.#options = { ...options, maxFailures, healthyAfter, clock };
    this.#children = workers.map((worker) => ({
      worker,
      failures: 0,
      runningSince: null,
      error: undefined,
      restart: undefined,
    }));
  }

  /** Rejects with the error of the first worker that fails to start. */
  start(): Promise<void> {
    return this.#starting ??= this.#startAll();
  }

  /** Resolves when all workers are stopped, including those that were still starting. */
  async stop(): Promise<void> {
    this.#abort.abort();
    await this.#starting?.catch(() => {});
    await Promise.all(this.#children.map((child) => child.restart));
    for (const child of [...this.#children].reverse()) await child.worker.stop();
  }

  /** Health by worker name; not ready: waiting for a restart, or not recovered since its retries were exhausted. */
  health(): Record<string, Health> {
    return Object.fromEntries(
      this.#children.map((child) => [child.worker.name, this.#healthOf(child)]),
    );
  }

  #healthOf(child: Child): Health {
    const { maxFailures } = this.#options;
    const detail = messageOf(child.error);
    if (child.failures >= maxFailures && !this.#isWell(child)) {
      return { ready: false, state: exhausted, detail };
    }
    if (child.restart) return { ready: false, state: "restarting", detail };
    return child.worker.health();
  }

  #isWell({ runningSince }: Child): boolean {
    const { clock, healthyAfter } = this.#options;
    return runningSince !== null && clock.now() - runningSince > healthyAfter;
  }

  async #startAll(): Promise<void> {
    for (const child of this.#children) {
      if (this.#abort.signal.aborted) return;
      const failed = await this.#run(child);
      if (failed?.refused) throw failed.error;
      if (failed) this.#crashed(child, failed.error);
    }
  }

  /** Starts the worker; resolves with the failure if it was refused or crashed meanwhile, else null. */
  async #run(child: Child): Promise<Failure | null> {
    let failed: Failure | null = null;
    let isUp = false;
    try {
      await child.worker.start((error) => {
        if (failed) return;
        failed = { error, refused: false };
        if (isUp) this.#crashed(child, error);
      });
    } catch (error) {
      failed = { error, refused: true };
    }
    if (failed) return failed;
    isUp = true;
    child.runningSince = this.#options.clock.now();
    return null;
  }

  #crashed(child: Child, error: unknown): void {
    const restart = this.#restart(child, error).finally(() => {
      // The worker may have crashed again by now.
      if (child.restart === restart) child.restart = undefined;
    });
    child.restart = restart;
  }

  async #restart(child: Child, crash: unknown): Promise<void> {
    const { log, clock } = this.#options;
    const { signal } = this.#abort;
    const { worker } = child;
    for (let error = crash; !signal.aborted;) {
      await clock.sleep(this.#failed(child, error), signal);
      if (signal.aborted) return;
      try {
        await worker.stop();
        if (signal.aborted) return;
        const failed = await this.#run(child);
        if (!failed) return log.info("worker restarted", { worker: worker.name });
        error = new Error(`restart failed: ${messageOf(failed.error)}`, { cause: failed.error });
      } catch (failure) {
        error = new Error(`stop failed: ${messageOf(failure)}`, { cause: failure });
      }
    }
  }

  /** Records a failure; returns the wait before the next run, milliseconds. */
  #failed(child: Child, error: unknown): number {
    const { log, metrics, maxFailures, giveUp } = this.#options;
    const { name } = child.worker;
    if (this.#isWell(child)) child.failures = 0;
    child.failures++;
    child.runningSince = null;
    child.error = error;
    metrics.counter("tributary_worker_crashes_total", "Worker runs that ended in an error", [
      "worker",
    ]).inc({ worker: name });
    log.error("worker crashed", { worker: name, failures: child.failures, error });
    if (child.failures === maxFailures) giveUp(name, error);
    return child.failures < maxFailures ? backoff(child.failures, soon) : backoff(1, slowly);
  }
}
