import { propagation } from "@opentelemetry/api";
import { type GraphLot, type ProjectedGraph, StaleEpochError } from "#graph/port.ts";
import type { Clock } from "#kit/clock.ts";
import { messageOf } from "#kit/errors.ts";
import type { Logger } from "#kit/log.ts";
import { Loop } from "#kit/loop.ts";
import type { Metrics } from "#kit/metrics.ts";
import { backoff } from "#kit/retry.ts";
import type { Health, Worker } from "#kit/worker.ts";
import { type Database, isMetadataDown } from "#metadata/database.ts";
import type { HeldLease, Leases } from "#metadata/leases.ts";
import type { Wakeups } from "#metadata/wakeups.ts";
import { Board, type ProjectorState } from "./board.ts";
import { GraphFailure, onGraph } from "./failures.ts";
import { fillGraph } from "./fill.ts";
import { Leadership, leaseMs } from "./leadership.ts";
import { type OutboxLot, projectorLease, readLot, tracesBetween } from "./queries.ts";
import { tracedLot } from "./spans.ts";

/** What of a graph the projector uses. */
export type ProjectionTarget = Pick<ProjectedGraph, "ensureSchema" | "claim" | "apply" | "clear">;

export interface ProjectorParts {
  db: Database;
  graph: ProjectionTarget;
  leases: Leases;
  wakeups: Wakeups;
  clock: Clock;
  log: Logger;
  metrics: Metrics;
}

/** Milliseconds between two looks into the outbox, and at the lease of another, without a wake-up. */
const pollMs = 1_000;

/** Entities of one lot; one change that names more stays whole. */
const lotEntities = 5_000;

/** Milliseconds that a lot at work is given when we stop. */
const stopMs = 15_000;

const retryDelay = { initial: 100, max: 2_000 };

/**
 * Keeps the projected graph equal to the live edges of the metadata. One process leads, by lease, and
 * others stand by. For each entity that the outbox names, all live edges that touch it are written
 * from their current state; the next lot is read while this one commits.
 */
export class Projector implements Worker {
  readonly name = "graph projector";
  readonly #board: Board;
  readonly #loop: Loop;

  constructor(private readonly parts: ProjectorParts) {
    this.#board = new Board(parts.db, parts.leases.holder, parts.metrics);
    this.#loop = new Loop({
      clock: parts.clock,
      listen: (wake) => parts.wakeups.on("lineage_outbox", wake),
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
    this.#loop.start(onCrash);
    return Promise.resolve();
  }

  /** The lot at work is finished, unless the graph hangs; then its transaction ends without us. */
  async stop(): Promise<void> {
    await this.#loop.stop();
    this.#board.state = "stopped";
  }

  health(): Health {
    const state = this.#board.state;
    return { ready: ["standby", "running", "rebuilding"].includes(state), state };
  }

  /** Leads as long as the lease is ours; then looks at it again at once, else after a while. */
  async #round(): Promise<number> {
    const lease = await this.parts.leases.acquire(projectorLease, leaseMs);
    if (lease) await this.#leadWith(lease);
    else this.#board.state = "standby";
    return lease ? 0 : pollMs;
  }

  async #leadWith(lease: HeldLease): Promise<void> {
    const leadership = new Leadership(this.parts, lease);
    try {
      await this.#lead(leadership);
    } finally {
      await leadership.end();
    }
  }

  /** Returns when the leadership is over; a graph that is down is waited for. */
  async #lead(leadership: Leadership): Promise<void> {
    const { graph, log } = this.parts;
    for (let failures = 0; !this.#over(leadership);) {
      try {
        await onGraph(graph.ensureSchema());
        const position = await leadership.claim(graph);
        log.info("projecting", { position, epoch: leadership.epoch });
        failures = 0;
        await this.#project(leadership, position);
      } catch (error) {
        if (this.#over(leadership)) return;
        if (error instanceof StaleEpochError) return log.info("projection lost", { error });
        if (!(error instanceof GraphFailure)) throw error;
        await this.#waits("graph_down", "projector waits for the graph", error);
        await this.parts.clock.sleep(backoff(++failures, retryDelay), this.#loop.signal);
      }
    }
  }

  async #project(leadership: Leadership, from: number): Promise<void> {
    let position = from;
    let next = this.#read(position);
    while (!this.#over(leadership)) {
      const read = await next;
      this.#board.stands(position, read.head);
      if (isLost(position, read)) {
        position = await this.#rebuild(leadership, position, read);
        next = this.#read(position);
        continue;
      }
      this.#board.state = "running";
      if (!read.lot) {
        await this.#board.tell(this.parts.clock.now());
        await this.#loop.wait(pollMs);
        next = this.#read(position);
        continue;
      }
      next = this.#read(read.lot.position);
      next.catch(() => {});
      await this.#write(leadership.epoch, position, read.lot);
      position = read.lot.position;
      this.#board.stands(position, read.head);
      await this.#board.tell(this.parts.clock.now());
    }
    await next.catch(() => {});
  }

  async #write(epoch: number, from: number, lot: GraphLot): Promise<void> {
    const started = performance.now();
    // Without a propagator nothing is traced, and nobody need be asked.
    const traced = propagation.fields().length > 0;
    const origins = traced ? await tracesBetween(this.parts.db, from, lot.position) : [];
    await tracedLot(lot, origins, () => onGraph(this.parts.graph.apply(epoch, lot)));
    this.#board.wrote((performance.now() - started) / 1_000);
  }

  #read(position: number): Promise<OutboxLot> {
    this.#loop.forget();
    return readLot(this.parts.db, position, lotEntities);
  }

  async #rebuild(leadership: Leadership, position: number, read: OutboxLot): Promise<number> {
    const { db, graph, clock, log } = this.parts;
    log.warn("the graph does not fit the outbox and is rebuilt", { position, ...read, lot: null });
    this.#board.state = "rebuilding";
    this.#board.stands(0, read.head);
    await this.#board.tell(clock.now());
    const filled = await fillGraph(db, graph, {
      epoch: leadership.epoch,
      signal: AbortSignal.any([this.#loop.signal, leadership.lost]),
      progress: () => this.#board.tell(clock.now()),
    });
    log.info("the graph is rebuilt", filled);
    return filled.position;
  }

  /** Tells what is waited for. */
  async #waits(state: ProjectorState, message: string, error: unknown): Promise<void> {
    const { log, clock } = this.parts;
    const cause = error instanceof GraphFailure ? error.cause : error;
    if (this.#board.state !== state) log.warn(message, { error: messageOf(cause) });
    else log.debug(message, { error: messageOf(cause) });
    this.#board.state = state;
    if (state === "graph_down") await this.#board.tell(clock.now());
  }

  #over(leadership: Leadership): boolean {
    return this.#loop.signal.aborted || leadership.lost.aborted;
  }
}

/**
 * Whether the outbox cannot bring the graph up to date: rows after its position are gone, or it is
 * ahead of the metadata, which then were restored from a backup.
 */
function isLost(position: number, { head, oldest }: OutboxLot): boolean {
  return position > head || position < head && oldest !== null && oldest > position + 1;
}
