import { messageOf } from "#kit/errors.ts";
import { backoff } from "#kit/retry.ts";
import type { Health, Worker } from "#kit/worker.ts";
import { LeasedLoop } from "#metadata/postgres/leases.ts";
import { type BackupSeries, newestBackup, writeScheduled } from "#platform/backup/directory.ts";
import type { Context } from "#platform/context.ts";

const lease = { name: "backup", ttlMs: 60_000 };
/** Milliseconds between two looks at whether a backup is due. */
const pollEvery = 10_000;
/** Milliseconds between two renewals of the lease while a backup is written. */
const renewEvery = 15_000;
/** Milliseconds before a failed backup is tried again, doubled at each further failure up to `max`. */
const retryAfter = { initial: 60_000, max: 60 * 60_000 };

/** The scheduled backups; does nothing unless `backup.directory` is set. */
export function backupWorker(context: Context): Worker {
  return new BackupWorker(context);
}

/** Writes a backup when it is due, in the one process that holds the lease; others stand by. */
class BackupWorker implements Worker {
  readonly name = "backup";
  readonly #series: BackupSeries | null;
  readonly #loop: LeasedLoop;
  readonly #metrics;
  #failures = 0;
  #retryAt = 0;
  #cause = "";

  constructor(private readonly context: Context) {
    const { config, leases, clock, log, metrics } = context;
    const { directory, retain } = config.backup;
    this.#series = directory ? { directory, retain, instance: config.instance } : null;
    this.#metrics = backupMetrics(metrics);
    this.#loop = new LeasedLoop({
      lease,
      leases,
      clock,
      log,
      standbyMs: pollEvery,
      retry: { initial: pollEvery, max: pollEvery },
      lead: () => this.#runDue(),
      failed: (error) => log.warn("scheduled backups wait for the metadata store", { error }),
    });
  }

  start(onCrash: (error: unknown) => void): Promise<void> {
    if (!this.#series) return Promise.resolve();
    this.#metrics.interval.set({}, this.context.config.backup.every / 1_000);
    return this.#loop.start(onCrash);
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
  }

  health(): Health {
    if (!this.#series) return { ready: true, state: "disabled" };
    if (!this.#loop.leading) return { ready: true, state: "standby" };
    if (this.#failures === 0) return { ready: true, state: "running" };
    return { ready: true, state: "backup_failed", detail: this.#cause };
  }

  async #runDue(): Promise<number> {
    const { clock, config } = this.context;
    if (this.#retryAt > clock.now()) return pollEvery;
    try {
      const newest = await newestBackup(this.#series!);
      if (newest !== null) this.#metrics.lastSuccess.set({}, newest / 1_000);
      const dueAt = newest === null ? 0 : newest + config.backup.every;
      if (dueAt <= clock.now()) await this.#write(this.#series!);
    } catch (error) {
      this.#fail(error);
    }
    return pollEvery;
  }

  async #write(series: BackupSeries): Promise<void> {
    const { clock, log } = this.context;
    const started = clock.now();
    const renewing = setInterval(() => void this.#loop.renew().catch(() => {}), renewEvery);
    try {
      const { location, manifest, bytes } = await writeScheduled(this.context, series);
      const ms = clock.now() - started;
      this.#metrics.duration.set({}, ms / 1_000);
      this.#metrics.lastSuccess.set({}, started / 1_000);
      [this.#failures, this.#cause] = [0, ""];
      log.info("backup written", { location, files: manifest.files.length, bytes, ms });
    } finally {
      clearInterval(renewing);
    }
  }

  #fail(error: unknown): void {
    const { clock, log } = this.context;
    this.#metrics.failures.inc();
    const retryMs = backoff(++this.#failures, retryAfter);
    this.#retryAt = clock.now() + retryMs;
    this.#cause = messageOf(error);
    log.error("backup failed", { directory: this.#series!.directory, error, retryMs });
  }
}

function backupMetrics(metrics: Context["metrics"]) {
  return {
    interval: metrics.gauge(
      "tributary_backup_interval_seconds",
      "Time between two scheduled backups, as configured",
    ),
    lastSuccess: metrics.gauge(
      "tributary_backup_last_success_timestamp_seconds",
      "Start of the newest complete scheduled backup, in seconds since the epoch",
    ),
    duration: metrics.gauge(
      "tributary_backup_duration_seconds",
      "Duration of the last scheduled backup",
    ),
    failures: metrics.counter(
      "tributary_backup_failures_total",
      "Scheduled backups that failed; each is retried",
    ),
  };
}
