import { propagation, trace } from "@opentelemetry/api";
import { type GraphBatch, isProjected, type ProjectedGraph, StaleEpochError } from "#graph/port.ts";
import { messageOf } from "#kit/errors.ts";
import { Loop } from "#kit/loop.ts";
import { backoff } from "#kit/retry.ts";
import type { Health, Worker } from "#kit/worker.ts";
import { isMetadataDown } from "#metadata/postgres/database.ts";
import type { Lease } from "#metadata/postgres/leases.ts";
import type { Context } from "#platform/context.ts";
import { causeOf } from "#platform/ops/cached-probe.ts";
import { longestPause } from "#platform/ops/recovery.ts";
import { projectorName } from "#platform/ops/workers.ts";
import { tracedWork } from "#platform/telemetry/trace-context.ts";
import { GraphFailure, Leadership, leaseMs, onGraph } from "./leadership.ts";
import { type OutboxBatch, projectorLease, readBatch, tracesBetween } from "./queries.ts";
import { fillGraph } from "./rebuild.ts";
import { type ProjectorState, ProjectorStatusReporter } from "./status-reporter.ts";

/** The part of the graph's interface that the projector uses. */
type ProjectionTarget = Pick<ProjectedGraph, "ensureSchema" | "claim" | "apply" | "clear">;

interface ProjectorDeps
  extends Pick<Context, "db" | "leases" | "wakeups" | "clock" | "log" | "metrics"> {
  graph: ProjectionTarget;
}

/** Milliseconds between two checks of the outbox, and of a lease held by another, without a wake-up. */
const pollMs = 1_000;

/** Entities of one batch; a change that names more is not split. */
const batchEntities = 5_000;

/** Milliseconds that `stop` waits for the current batch. */
const stopMs = 15_000;

const retryDelay = { initial: 100, max: longestPause("graph_down") };

/** The worker that keeps a projected graph up to date; none if the graph lives in PostgreSQL itself. */
export function projectorWorkers(context: Context): Worker[] {
  const { graph, db, leases, wakeups, clock, metrics } = context;
  if (!isProjected(graph)) return [];
  const log = context.log.with({ worker: "graph projector" });
  return [new Projector({ graph, db, leases, wakeups, clock, metrics, log })];
}

/**
 * Keeps the projected graph equal to the live edges of the metadata. One process, the leaseholder,
 * writes; others stand by. For each entity in the outbox, all live edges that touch it are written
 * from their current state. The next batch is read while the current one commits.
 */
export class Projector implements Worker {
  readonly name = projectorName;
  readonly #status: ProjectorStatusReporter;
  readonly #loop: Loop;

  constructor(private readonly deps: ProjectorDeps) {
    this.#status = new ProjectorStatusReporter(deps.db, deps.leases.holder, deps.metrics);
    this.#loop = new Loop({
      clock: deps.clock,
      listen: (wake) => deps.wakeups.on("lineage_outbox", wake),
      round: () => this.#round(),
      retry: retryDelay,
      failed: async (error) => {
        if (!isMetadataDown(error)) throw error;
        await this.#waits("waiting", "projector waits for the metadata", error);
      },
      stopMs,
    });
  }

  start(onCrash: (error: unknown) => void): Promise<void> {
    return this.#loop.start(onCrash);
  }

  /** Finishes the current batch; if the graph hangs, leaves its transaction to time out. */
  async stop(): Promise<void> {
    await this.#loop.stop();
    this.#status.state = "stopped";
  }

  health(): Health {
    const { state, cause: detail } = this.#status;
    return { ready: ["standby", "running", "rebuilding"].includes(state), state, detail };
  }

  /** Leads while this process holds the lease; returns the milliseconds until the next attempt. */
  async #round(): Promise<number> {
    const lease = await this.deps.leases.acquire(projectorLease, leaseMs);
    if (lease) await this.#leadWith(lease);
    else this.#status.state = "standby";
    return lease ? 0 : pollMs;
  }

  async #leadWith(lease: Lease): Promise<void> {
    const leadership = new Leadership(this.deps, lease);
    try {
      await this.#lead(leadership);
    } finally {
      await leadership.end();
    }
  }

  /** Returns when the leadership ends; while the graph is down it waits. */
  async #lead(leadership: Leadership): Promise<void> {
    const { graph, log } = this.deps;
    for (let failures = 0; !this.#over(leadership);) {
      try {
        await onGraph(graph.ensureSchema());
        const position = await leadership.claim(graph);
        log.info("projector started", { position, epoch: leadership.epoch });
        failures = 0;
        await this.#project(leadership, position);
      } catch (error) {
        if (this.#over(leadership)) return;
        if (error instanceof StaleEpochError) {
          return log.info("projector lost its lease", { error });
        }
        if (!(error instanceof GraphFailure)) throw error;
        await this.#waits("graph_down", "projector waits for the graph", error);
        await this.deps.clock.sleep(backoff(++failures, retryDelay), this.#loop.signal);
      }
    }
  }

  async #project(leadership: Leadership, from: number): Promise<void> {
    let position = from;
    let next = this.#read(position);
    while (!this.#over(leadership)) {
      const read = await next;
      this.#status.setPosition(position, read.head);
      if (isLost(position, read)) {
        position = await this.#rebuild(leadership, position, read);
        next = this.#read(position);
        continue;
      }
      this.#status.state = "running";
      if (!read.batch) {
        await this.#status.report(this.deps.clock.now());
        await this.#loop.wait(pollMs);
        next = this.#read(position);
        continue;
      }
      next = this.#read(read.batch.position);
      next.catch(() => {});
      await this.#write(leadership.epoch, position, read.batch);
      position = read.batch.position;
      this.#status.setPosition(position, read.head);
      await this.#status.report(this.deps.clock.now());
    }
    await next.catch(() => {});
  }

  async #write(epoch: number, from: number, batch: GraphBatch): Promise<void> {
    const started = performance.now();
    // Without a propagator nothing is traced, so the query can be skipped.
    const traced = propagation.fields().length > 0;
    const origins = traced ? await tracesBetween(this.deps.db, from, batch.position) : [];
    const attributes = {
      "tributary.projection.position": batch.position,
      "tributary.projection.entities": batch.entities.length,
      "tributary.projection.edges": batch.edges.length,
    };
    // In the traces that moved the lineage.
    const span = { tracer, name: "project batch", origins, attributes };
    await tracedWork(span, () => onGraph(this.deps.graph.apply(epoch, batch)));
    this.#status.batchWritten((performance.now() - started) / 1_000);
  }

  #read(position: number): Promise<OutboxBatch> {
    this.#loop.forget();
    return readBatch(this.deps.db, position, batchEntities);
  }

  async #rebuild(leadership: Leadership, position: number, read: OutboxBatch): Promise<number> {
    const { db, graph, clock, log } = this.deps;
    log.warn("graph does not match the outbox and is rebuilt", { position, ...read, batch: null });
    this.#status.state = "rebuilding";
    this.#status.setPosition(0, read.head);
    await this.#status.report(clock.now());
    const filled = await fillGraph(db, graph, {
      epoch: leadership.epoch,
      signal: AbortSignal.any([this.#loop.signal, leadership.lost]),
      progress: () => this.#status.report(clock.now()),
    });
    log.info("graph is being rebuilt", filled);
    return filled.position;
  }

  /** Reports which engine the projector is waiting for. */
  async #waits(state: ProjectorState, message: string, error: unknown): Promise<void> {
    const { log, clock } = this.deps;
    const cause = error instanceof GraphFailure ? error.cause : error;
    log[this.#status.state === state ? "debug" : "warn"](message, { error: messageOf(cause) });
    this.#status.state = state;
    this.#status.cause = causeOf(cause);
    if (state === "graph_down") await this.#status.report(clock.now());
  }

  #over(leadership: Leadership): boolean {
    return this.#loop.signal.aborted || leadership.lost.aborted;
  }
}

/**
 * Whether the outbox cannot bring the graph up to date: rows after the graph's position are gone, or
 * the graph is ahead because the metadata were restored from a backup.
 */
function isLost(position: number, { head, oldest }: OutboxBatch): boolean {
  return position > head || position < head && oldest !== null && oldest > position + 1;
}

const tracer = trace.getTracer("tributary.projector");
