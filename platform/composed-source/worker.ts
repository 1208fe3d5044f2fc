import { longestPause } from "#platform/ops/recovery.ts";
import { messageOf } from "#kit/errors.ts";
import { Loop, type LoopOptions } from "#kit/loop.ts";
import type { Health, Worker } from "#kit/worker.ts";
import { isMetadataDown } from "#metadata/postgres/database.ts";
import {
  type Lease,
  leasedDatabase,
  LeasedLoop,
  LeaseLostError,
} from "#metadata/postgres/leases.ts";
import { trace, type Tracer } from "@opentelemetry/api";
import { originsOf, tracedWork } from "#platform/telemetry/trace-context.ts";
import { type Leadership, LogFailure, type PublisherState, type SourceDeps } from "./deps.ts";
import { maxRemovals, publishRemovals } from "./removals.ts";

/** Default of `PublisherWork.pollMs`. */
const defaultPollMs = 1_000;

/** Minimum milliseconds between two rounds, unless the first had as much to do as fits. */
const minPauseMs = 30;

/** Milliseconds between two sweeps and between two counts of what waits. */
const defaultSweepMs = 5 * 60 * 1_000;
const countMs = 10_000;

/** Milliseconds that a round at work is given when we stop. */
const stopMs = 10_000;

/** What a round did. */
export interface RoundOutcome {
  /** Rows that were taken. */
  taken: number;
  /** As many as fit: there is more to do. */
  full: boolean;
}

/** What the publisher of one source does in a round. */
export interface PublisherWork<D extends SourceDeps> {
  /** Name of the worker. */
  name: string;
  /** What its tracer and its spans are named after, such as `openlineage`. */
  spans: string;
  deps: D;
  /** By default several processes publish at a time, each what no other has taken. */
  leadership?: Leadership;
  /** Maximum number of milliseconds between two looks for what is due. */
  pollMs?: number;
  /** Subscribes to what wakes the publisher; returns a function that unsubscribes. */
  listen?: (wake: () => void) => () => void;
  /** Before the first round, and before the first one after a failure or as leader. */
  prepare?: () => Promise<void>;
  /** Whether a round would find anything, in one statement; by default it might. */
  isDue?: () => Promise<boolean>;
  /** One round over everything. The transactions of `deps` are fenced by the lease, if there is one. */
  publishAll: (deps: D, signal: AbortSignal) => Promise<RoundOutcome>;
  /** Every few seconds: counts what waits. */
  countWaiting?: () => Promise<void>;
  /** Every `sweepMs` (default: a few minutes): looks for what nothing makes dirty, and forgets old state. */
  sweep: () => Promise<void>;
  sweepMs?: number;
  /** Milliseconds to rest after a round that took `tookMs`; `min` at the least. */
  pauseAfter: (tookMs: number, options: { min: number; full: boolean }) => number;
}

/** Maps what was reported since, and posts it as batches of ingestion. */
export class ComposedPublisher<D extends SourceDeps> implements Worker {
  readonly name: string;
  readonly #loop: Loop | LeasedLoop;
  readonly #tracer: Tracer;
  #state: PublisherState = "stopped";
  #swept = 0;
  #counted = 0;
  /** Whether the next round works without asking first whether anything is due. */
  #isHinted = true;
  #wakeLoop = () => {};
  /** Trace contexts of the merges that are to be mapped. */
  #origins = new Set<string>();

  constructor(private readonly work: PublisherWork<D>) {
    this.name = work.name;
    this.#tracer = trace.getTracer(`tributary.${work.spans}`);
    this.#loop = this.#createLoop();
    this.#setState("stopped");
  }

  start(onCrash: (error: unknown) => void): Promise<void> {
    return this.#loop.start(onCrash);
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
    this.#setState("stopped");
  }

  health(): Health {
    return { ready: ["standby", "running"].includes(this.#state), state: this.#state };
  }

  /** There is something to map, which the trace of this context brought. */
  wake(traceparent?: string): void {
    this.#origins = originsOf([...this.#origins, traceparent]);
    this.#isHinted = true;
    this.#wakeLoop();
  }

  #createLoop(): Loop | LeasedLoop {
    const { deps, leadership, pollMs = defaultPollMs } = this.work;
    const options: Omit<LoopOptions, "round"> = {
      clock: deps.clock,
      listen: (wake) => {
        this.#wakeLoop = wake;
        return this.work.listen?.(() => this.wake()) ?? (() => {});
      },
      failed: (error) => this.#failed(error),
      retry: { initial: 200, max: longestPause("log_down") },
      stopMs,
    };
    if (!leadership) return new Loop({ ...options, round: (signal) => this.#round(deps, signal) });
    const { leases, ...lease } = leadership;
    return new LeasedLoop({
      ...options,
      clock: deps.clock,
      log: deps.log,
      leases,
      lease,
      standbyMs: pollMs,
      standBy: () => this.#setState("standby"),
      lead: (lease, signal) => this.#lead(lease, signal),
    });
  }

  #setState(state: PublisherState): void {
    this.#state = state;
    this.work.deps.metrics.state?.(state);
  }

  async #lead(lease: Lease, signal: AbortSignal): Promise<number> {
    const { deps, leadership } = this.work;
    const { leases, ttlMs } = leadership!;
    if (this.#state !== "running") {
      deps.log.info(`publishing ${deps.source.system}`, { epoch: lease.epoch });
    }
    try {
      const db = leasedDatabase(deps.db, leases, { lease, ttlMs });
      return await this.#round({ ...deps, db }, signal);
    } catch (error) {
      // Another process leads by now, which the next check of the lease shows.
      if (error instanceof LeaseLostError) return 0;
      throw error;
    }
  }

  /** One look at everything; resolves with how long to wait for the next. */
  async #round(deps: D, signal: AbortSignal): Promise<number> {
    const { clock } = deps;
    if (this.#state !== "running") await this.work.prepare?.();
    const begun = clock.now();
    const isDue = await this.#isDue();
    const { taken, full } = isDue ? await this.#publishRound(deps, signal) : nothing;
    const tookMs = clock.now() - begun;
    const removed = isDue && !signal.aborted ? await publishRemovals(deps) : 0;
    this.#setState("running");
    if (signal.aborted) return 0;
    await this.#housekeep();
    if (taken + removed === 0) return this.work.pollMs ?? defaultPollMs;
    this.#isHinted = true;
    // Small rounds one after the other would post each row, and each step of a row, in a batch of its own.
    const pauseMs = this.work.pauseAfter(tookMs, {
      min: minPauseMs,
      full: full || removed === maxRemovals,
    });
    if (pauseMs > 0) await clock.sleep(pauseMs, signal);
    return 0;
  }

  /** A poll checks in one statement whether there is work, a wake-up means that there is. */
  async #isDue(): Promise<boolean> {
    if (!this.#isHinted) return await this.work.isDue?.() ?? true;
    this.#isHinted = false;
    return true;
  }

  /** Without a trace that led to it, a look costs no span. */
  async #publishRound(deps: D, signal: AbortSignal): Promise<RoundOutcome> {
    const origins = this.#origins;
    if (origins.size === 0) return await this.work.publishAll(deps, signal);
    this.#origins = new Set();
    let ended = false;
    try {
      const name = `${this.work.spans}.compose`;
      const span = { tracer: this.#tracer, name, origins, attributes: {} };
      const outcome = await tracedWork(span, () => this.work.publishAll(deps, signal));
      ended = outcome.taken === 0;
      return outcome;
    } finally {
      // There may be more of the same, unless newer events came.
      if (!ended && this.#origins.size === 0) this.#origins = origins;
    }
  }

  async #housekeep(): Promise<void> {
    const { deps: { clock }, countWaiting, sweepMs = defaultSweepMs } = this.work;
    const now = clock.now();
    if (countWaiting && now - this.#counted >= countMs) {
      this.#counted = now;
      await countWaiting();
    }
    if (now - this.#swept < sweepMs) return;
    this.#swept = now;
    await this.work.sweep();
  }

  /** Reports the state. Throws errors that a retry does not fix. */
  #failed(error: unknown): void {
    const log = error instanceof LogFailure;
    if (!log && !isMetadataDown(error)) throw error;
    const state: PublisherState = log ? "log_down" : "waiting";
    const cause = messageOf(log ? error.cause : error);
    const { deps } = this.work;
    deps.metrics.failed(log ? "event_log" : "metadata");
    const level = this.#state === state ? "debug" : "warn";
    deps.log[level](`${deps.source.system} cannot be composed`, { state, error: cause });
    this.#setState(state);
  }
}

const nothing: RoundOutcome = { taken: 0, full: false };
