import type { ConnectionProblem } from "#contract/connections/connection.ts";
import { messageOf } from "#kit/errors.ts";
import { Loop } from "#kit/loop.ts";
import type { Health, Worker } from "#kit/worker.ts";
import { chunksOf, createAlerts, resolveAlerts, stackAlerts } from "#metadata/catalogue/alerts.ts";
import { isMetadataDown } from "#metadata/postgres/database.ts";
import type { Lease } from "#metadata/postgres/leases.ts";
import { statement } from "#metadata/postgres/statement.ts";
import { longestPause } from "#platform/ops/recovery.ts";
import { type CollectorDeps, leaseMs, leaseName, transactionUnderLease } from "./deps.ts";
import { executeRun, type RunEnd, RunInterrupted, selectionOf } from "./run/execute.ts";
import { RunReport } from "./run/sink.ts";
import * as queries from "./runs.queries.ts";

/** Most milliseconds between two looks for runs; a request wakes the worker at once. */
const pollMs = 2_000;

/** Milliseconds that runs are given to stop. */
const stopMs = 8_000;

/** Open runs that are looked at in one round. */
const maxLooked = 50;

/** The channel on which runs are announced. */
const runChannel = "connection_run";

type State = "stopped" | "running" | "waiting" | "disabled";

/**
 * Runs connections: queues those that are due, and begins what waits, each under the lease of its connection. What
 * another process left is begun again once its lease is over.
 */
export class CollectorWorker implements Worker {
  readonly name = "collector";
  readonly #loop: Loop;
  readonly #active = new Map<number, ActiveRun>();
  #state: State = "stopped";

  constructor(private readonly deps: CollectorDeps) {
    this.#loop = new Loop({
      clock: deps.clock,
      round: (signal) => this.#round(signal),
      failed: (error) => this.#failed(error),
      listen: (wake) => deps.wakeups.on(runChannel, wake),
      retry: { initial: 200, max: longestPause("waiting") },
    });
  }

  start(onCrash: (error: unknown) => void): Promise<void> {
    if (this.deps.config.connections.enabled) this.#loop.start(onCrash);
    else this.#state = "disabled";
    return Promise.resolve();
  }

  /** Interrupts runs, which wait for another process or the next start. */
  async stop(): Promise<void> {
    await this.#loop.stop();
    for (const { abort } of this.#active.values()) abort.abort("stopping");
    const ended = Promise.allSettled([...this.#active.values()].map(({ done }) => done));
    await Promise.race([ended, this.deps.clock.sleep(stopMs)]);
    if (this.#state !== "disabled") this.#state = "stopped";
  }

  health(): Health {
    return { ready: this.#state === "running" || this.#state === "disabled", state: this.#state };
  }

  async #round(signal: AbortSignal): Promise<number> {
    const { db, clock, config } = this.deps;
    await db.query(queries.enqueueDue, [new Date(clock.now())]);
    const busy = [...this.#active.keys()];
    const open = await db.query(queries.openRuns, [busy, maxLooked]);
    for (const run of open) {
      if (signal.aborted || this.#active.size >= config.connections.concurrency) break;
      if (!this.#active.has(run.connection_id)) await this.#begin(run);
    }
    this.#state = "running";
    return pollMs;
  }

  async #begin({ id, connection_id }: queries.OpenRun): Promise<void> {
    const { db, leases, clock, metrics } = this.deps;
    const lease: Lease | null = await leases.acquire(leaseName(connection_id), leaseMs);
    if (!lease) return;
    const [run] = await db.query(queries.claim, [id, new Date(clock.now())]);
    if (!run) return await leases.release(lease.name);
    const active = new ActiveRun(this.deps, run, lease);
    this.#active.set(connection_id, active);
    metrics.running(this.#active.size);
    void active.done.finally(() => {
      this.#active.delete(connection_id);
      metrics.running(this.#active.size);
      this.#loop.wake();
    });
  }

  /** Waits for the metadata store. Throws what waiting does not repair. */
  #failed(error: unknown): void {
    if (!isMetadataDown(error)) throw error;
    const level = this.#state === "waiting" ? "debug" : "warn";
    this.deps.log[level]("connections cannot run", { error: messageOf(error) });
    this.#state = "waiting";
  }
}

/** Milliseconds between two looks at whether a run is cancelled; each stores its progress too. */
const beatMs = 1_000;

/** Attempts after which a run is not begun again: it ends the process that runs it, or takes it too long. */
export const maxAttempts = 3;

/** One run at work: renews its lease, stores its progress, and ends it when somebody asks or time is over. */
class ActiveRun {
  readonly abort = new AbortController();
  /** Settles when it is over; never rejects. */
  readonly done: Promise<void>;
  readonly #report = new RunReport();
  readonly #begunAt: number;

  constructor(
    private readonly deps: CollectorDeps,
    private readonly run: queries.ClaimedRun,
    private readonly lease: Lease,
  ) {
    this.#begunAt = deps.clock.now();
    this.done = this.#whole();
  }

  async #whole(): Promise<void> {
    const { log, leases } = this.deps;
    const beating = new AbortController();
    const beats = this.#beat(beating.signal);
    try {
      await this.#execute();
    } catch (error) {
      log.warn("end of a connection run could not be stored", { error: messageOf(error) });
    } finally {
      beating.abort();
      await beats;
      await leases.release(this.lease.name).catch(() => {});
    }
  }

  async #execute(): Promise<void> {
    const { deps, run, lease, abort } = this;
    const report = this.#report;
    if (run.cancel) return await this.#finish({ state: "CANCELLED", checks: [], error: null });
    if (run.attempts > maxAttempts) return await this.#finish(exhausted(run.name));
    try {
      await this.#finish(await executeRun({ deps, run, lease, report, abort }));
    } catch (error) {
      if (!(error instanceof RunInterrupted)) throw error;
      if (abort.signal.reason === "stopping") await deps.db.query(queries.requeue, [run.id]);
    }
  }

  async #finish({ state, checks, error }: RunEnd): Promise<void> {
    const { deps: { db, clock, log, metrics }, run } = this;
    const { counts, preview, problems, notes, isComplete } = this.#report;
    const now = clock.now();
    // A run that broke off leaves the next one to compare with an earlier one.
    const isWhole = run.kind === "RUN" && isComplete && !error && state !== "CANCELLED";
    const selection = isWhole ? { selection: selectionOf(run.settings) } : {};
    const result = { checks: [...checks, ...notes], preview, problems, error, ...selection };
    await db.query(queries.finish, [
      run.id,
      state,
      JSON.stringify(counts),
      JSON.stringify(result),
      new Date(now),
    ]);
    metrics.ended(run.connector, run.kind, state, now - this.#begunAt);
    if (run.kind === "RUN") metrics.counted(counts);
    const fields = { connection: run.name, run: run.id, kind: run.kind, state, ...counts };
    if (error) log.warn("connection run failed", { ...fields, reason: error.reason });
    else log.info("connection run ended", fields);
    if (run.kind === "RUN" && state !== "CANCELLED") {
      await alertSource(this.deps, this.lease, run, error);
    }
  }

  /** Never rejects: while the metadata store is away the lease may end, and then another process goes on. */
  async #beat(signal: AbortSignal): Promise<void> {
    const { db, leases, clock, config } = this.deps;
    let renewedAt = clock.now();
    while (!signal.aborted) {
      await clock.sleep(beatMs, signal);
      if (signal.aborted) return;
      const now = clock.now();
      if (now - this.#begunAt >= config.connections["max-run-time"]) this.#end("timeout");
      try {
        const [row] = await db.query(queries.progress, [
          this.run.id,
          JSON.stringify(this.#report.counts),
        ]);
        if (!row) this.#end("lost");
        else if (row.cancel) this.#end("cancelled");
        if (now - renewedAt < leaseMs / 3) continue;
        const renewed = await leases.acquire(this.lease.name, leaseMs);
        if (renewed?.epoch !== this.lease.epoch) this.#end("lost");
        renewedAt = now;
      } catch {
        if (now - renewedAt > leaseMs) this.#end("lost");
      }
    }
  }

  #end(reason: "timeout" | "lost" | "cancelled"): void {
    if (!this.abort.signal.aborted) this.abort.abort(reason);
  }
}

const exhausted = (object: string): RunEnd => ({
  state: "FAILED",
  checks: [],
  error: {
    object,
    reason: `the process that ran it ended ${maxAttempts} times`,
    remedy: "See the log of the service collector; exclude schemas if it runs out of memory",
  },
});

/** The type of alert that a collector reports for a source that it cannot read. */
const alertType = "DATA_SOURCE_CONNECTION_ERROR";

/** Opens or extends the alert of a source that cannot be read; resolves it when `problem` is null. */
async function alertSource(
  deps: Pick<CollectorDeps, "db" | "leases" | "clock">,
  lease: Lease,
  { name, source_catrn }: Pick<queries.ClaimedRun, "name" | "source_catrn">,
  problem: ConnectionProblem | null,
): Promise<void> {
  const at = new Date(deps.clock.now()).toISOString();
  await transactionUnderLease(deps, lease, async (tx) => {
    const [source] = await tx.query(lockSource, [source_catrn]);
    if (!source) return;
    const [open] = await tx.query(openAlert, [source.id]);
    const ref = { entityId: null, type: alertType } as const;
    if (!problem) {
      if (open) await resolveAlerts(tx, [{ id: open.id, ...ref }], at);
      return;
    }
    const chunks = chunksOf([`${name} (${source_catrn}): ${problem.reason}`], at);
    if (open) {
      await stackAlerts(tx, [{ alert: { id: open.id, ...ref }, chunks }], at);
      return;
    }
    const alert = { ...ref, messengerId: null, dataSourceId: source.id, chunks, resolved: false };
    await createAlerts(tx, [alert], at);
  });
}

/** $1 CATRN: locks the data source, as reports of collectors do. */
const lockSource = statement<{ id: number }>("collector-alert-source")`
  SELECT id FROM data_source WHERE catrn = $1 FOR NO KEY UPDATE`;

/** $1 data source: the open alert that it cannot be read. */
const openAlert = statement<{ id: number }>("collector-alert-open")`
  SELECT id FROM alert WHERE status = 1 AND data_source_id = $1 AND alert_type_name(type) = 'DATA_SOURCE_CONNECTION_ERROR'
   ORDER BY id LIMIT 1 FOR NO KEY UPDATE`;
