import type { Counter, Histogram } from "#kit/metrics.ts";
import type { Health, Worker } from "#kit/worker.ts";
import { LeasedLoop } from "#metadata/postgres/leases.ts";
import type { Context } from "#platform/context.ts";
import { type HousekeepingHooks, housekeepingJobs, type Job } from "./jobs.ts";

const leaseName = "housekeeping";
const leaseTtl = 60_000;
/** Milliseconds between two checks of the lease and of due jobs. */
const pollEvery = 10_000;
/** Milliseconds before a failed job runs again, at first; doubled at each further failure, up to the job's own period. */
const retryAfter = 30_000;

/** Housekeeping of this process; does nothing when `housekeeping.enabled` is off. */
export function housekeepingWorker(context: Context, hooks: HousekeepingHooks = {}): Worker {
  const { config, leases, clock, log, metrics } = context;
  const jobs = housekeepingJobs(context, hooks);
  const { enabled } = config.housekeeping;
  return new HousekeepingWorker({ enabled, jobs, leases, clock, log, metrics });
}

interface HousekeepingOptions extends Pick<Context, "leases" | "clock" | "log" | "metrics"> {
  enabled: boolean;
  jobs: Job[];
}

/**
 * Runs each job when it is due, in the one process that holds the lease; others stand by. A failed
 * job is logged and retried with backoff. Jobs may stop between two batches. Two processes
 * that both believe to hold the lease do no harm, since each batch is a transaction that checks what
 * it changes.
 */
export class HousekeepingWorker implements Worker {
  readonly name = "housekeeping";
  readonly #items: Counter;
  readonly #runs: Counter;
  readonly #seconds: Histogram;
  readonly #dueAt = new Map<string, number>();
  /** Failures in a row, by job. */
  readonly #failures = new Map<string, number>();
  readonly #loop: LeasedLoop;

  constructor(private readonly options: HousekeepingOptions) {
    const { metrics } = options;
    this.#loop = new LeasedLoop({
      ...options,
      lease: { name: leaseName, ttlMs: leaseTtl },
      standbyMs: pollEvery,
      retry: { initial: pollEvery, max: pollEvery },
      lead: () => this.#runDue(),
      failed: (error) => options.log.warn("housekeeping waits for the metadata store", { error }),
    });
    this.#items = metrics.counter(
      "tributary_housekeeping_items_total",
      "Items that housekeeping removed or changed",
      ["task"],
    );
    this.#runs = metrics.counter(
      "tributary_housekeeping_runs_total",
      "Runs of housekeeping jobs, by outcome",
      ["task", "outcome"],
    );
    this.#seconds = metrics.histogram(
      "tributary_housekeeping_run_seconds",
      "Duration of runs of housekeeping jobs",
      ["task"],
    );
  }

  start(onCrash: (error: unknown) => void): Promise<void> {
    if (this.options.enabled) this.#loop.start(onCrash);
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
  }

  health(): Health {
    if (!this.options.enabled) return { ready: true, state: "disabled" };
    // Another process runs the jobs, and reports those that fail.
    if (!this.#loop.leading) return { ready: true, state: "standby" };
    const failing = [...this.#failures.keys()].join(", ");
    return { ready: true, state: "running", ...(failing ? { detail: `failing: ${failing}` } : {}) };
  }

  async #runDue(): Promise<number> {
    for (const job of this.options.jobs) {
      const due = (this.#dueAt.get(job.name) ?? 0) <= this.options.clock.now();
      if (!due) continue;
      if (!await this.#loop.renew()) break;
      await this.#runJob(job);
    }
    return pollEvery;
  }

  async #runJob(job: Job): Promise<void> {
    const { clock, log } = this.options;
    const started = clock.now();
    this.#dueAt.set(job.name, started + job.every);
    let items = 0;
    let outcome = "done";
    try {
      for await (const count of job.batches(new Date(started))) {
        items += count;
        this.#items.inc({ task: job.name }, count);
        if (await this.#loop.renew()) continue;
        outcome = "interrupted";
        this.#dueAt.delete(job.name);
        break;
      }
      this.#failures.delete(job.name);
    } catch (error) {
      outcome = "failed";
      log.warn("housekeeping job failed", { job: job.name, error, retryMs: this.#retry(job) });
    }
    this.#record(job, { outcome, items, ms: clock.now() - started });
  }

  /** Schedules a failed job; returns after how many milliseconds. */
  #retry(job: Job): number {
    const failures = (this.#failures.get(job.name) ?? 0) + 1;
    this.#failures.set(job.name, failures);
    const delay = Math.min(job.every, retryAfter * 2 ** (failures - 1));
    this.#dueAt.set(job.name, this.options.clock.now() + delay);
    return delay;
  }

  #record(job: Job, { outcome, items, ms }: { outcome: string; items: number; ms: number }): void {
    this.#runs.inc({ task: job.name, outcome });
    this.#seconds.observe({ task: job.name }, ms / 1_000);
    const level = items > 0 ? "info" : "debug";
    this.options.log[level]("housekeeping job ran", { job: job.name, outcome, items, ms });
  }
}
