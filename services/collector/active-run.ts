import { messageOf } from "#kit/errors.ts";
import type { Lease } from "#metadata/postgres/leases.ts";
import { type CollectorDeps, leaseMs } from "./deps.ts";
import { alertSource } from "./run/alert.ts";
import { executeRun, type RunEnd, RunInterrupted } from "./run/execute.ts";
import { selectionOf } from "./run/release.ts";
import { RunReport } from "./run/sink.ts";
import * as queries from "./runs.queries.ts";

/** Milliseconds between two looks at whether a run is cancelled; each stores its progress too. */
const beatMs = 1_000;

/** Attempts after which a run is not begun again: it ends the process that runs it, or takes it too long. */
export const maxAttempts = 3;

/** One run at work: renews its lease, stores its progress, and ends it when somebody asks or time is over. */
export class ActiveRun {
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
