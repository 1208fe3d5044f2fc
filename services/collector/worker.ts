import { isMetadataDown } from "#metadata/postgres/database.ts";
import { messageOf } from "#kit/errors.ts";
import { Loop } from "#kit/loop.ts";
import type { Health, Worker } from "#kit/worker.ts";
import type { Lease } from "#metadata/postgres/leases.ts";
import { longestPause } from "#platform/ops/states/recovery.ts";
import { type CollectorDeps, leaseMs, leaseName } from "./deps.ts";
import { ActiveRun } from "./active-run.ts";
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
