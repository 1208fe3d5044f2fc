import { longestPause } from "#platform/ops/states/recovery.ts";
import { messageOf } from "#kit/errors.ts";
import { Loop } from "#kit/loop.ts";
import type { Health, Worker } from "#kit/worker.ts";
import { isMetadataDown } from "#metadata/postgres/database.ts";
import { trace, type Tracer } from "@opentelemetry/api";
import { tracedWork } from "#platform/telemetry/continued.ts";
import { LogFailure, type SourceDeps } from "./deps.ts";
import { publishRemovals } from "./removals.ts";
import { originsOf } from "./traces.ts";

/** Maximum number of milliseconds between two looks for what is due. */
const pollMs = 1_000;

/** Minimum milliseconds between two rounds, unless the first had as much to do as `busyRows`. */
const minPauseMs = 30;
const busyRows = 150;

/** Milliseconds between two sweeps and between two counts of what waits. */
const sweepMs = 5 * 60 * 1_000;
const countMs = 10_000;

/** Milliseconds that a round at work is given when we stop. */
const stopMs = 10_000;

/** Rows that are counted of each table. */
const maxCounted = 10_000;

type State = "stopped" | "running" | "log_down" | "waiting";

/** What the publisher of one source does in a round. */
export interface PublisherWork<T extends string> {
  /** Name of the worker. */
  name: string;
  /** What its tracer and its spans are named after, such as `openlineage`. */
  spans: string;
  deps: SourceDeps<T>;
  /** One round over each table; resolves with how many rows were taken. */
  publishAll(signal: AbortSignal): Promise<number>;
  /** Every few minutes: looks for what no event makes dirty, and forgets old state. */
  sweep(): Promise<void>;
  /** Milliseconds to rest after a round that took `tookMs`; `min` at the least. */
  pauseAfter(tookMs: number, options: { min: number; full: boolean }): number;
}

/**
 * Maps what was reported since, and posts it as batches of ingestion. Several processes may do so at a time:
 * each takes rows that no other has.
 */
export class ComposedPublisher<T extends string> implements Worker {
  readonly name: string;
  readonly #loop: Loop;
  readonly #tracer: Tracer;
  #state: State = "stopped";
  #swept = 0;
  #counted = 0;
  /** Whether the next round works without asking first whether anything is due. */
  #isHinted = true;
  /** Trace contexts of the merges that are to be composed. */
  #origins = new Set<string>();

  constructor(private readonly work: PublisherWork<T>) {
    const { deps } = work;
    this.name = work.name;
    this.#tracer = trace.getTracer(`tributary.${work.spans}`);
    this.#loop = new Loop({
      clock: deps.clock,
      round: (signal) => this.#round(signal),
      failed: (error) => this.#failed(error),
      retry: { initial: 200, max: longestPause("log_down") },
      stopMs,
    });
  }

  start(onCrash: (error: unknown) => void): Promise<void> {
    return this.#loop.start(onCrash);
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
    this.#state = "stopped";
  }

  health(): Health {
    return { ready: this.#state === "running", state: this.#state };
  }

  /** There is something to compose, which the trace of this context brought. */
  wake(traceparent?: string): void {
    this.#origins = originsOf([...this.#origins, traceparent]);
    this.#isHinted = true;
    this.#loop.wake();
  }

  /** One look at everything; resolves with how long to wait for the next. */
  async #round(signal: AbortSignal): Promise<number> {
    const { deps } = this.work;
    const { clock } = deps;
    const begun = clock.now();
    const isDue = await this.#isDue();
    const taken = isDue ? await this.#publishRound(signal) : 0;
    const tookMs = clock.now() - begun;
    this.#state = "running";
    if (signal.aborted) return 0;
    if (isDue) await publishRemovals(deps);
    await this.#housekeep();
    if (taken === 0) return pollMs;
    this.#isHinted = true;
    // Small rounds one after the other would post each row, and each step of a row, in a batch of its own.
    const pauseMs = this.work.pauseAfter(tookMs, { min: minPauseMs, full: taken >= busyRows });
    if (pauseMs > 0) await clock.sleep(pauseMs, signal);
    return 0;
  }

  /** A poll checks in one statement whether there is work, a wake-up means that there is. */
  async #isDue(): Promise<boolean> {
    const { db, clock, source } = this.work.deps;
    if (!this.#isHinted) return (await db.query(source.statements.anyDue, [clock.now()]))[0]!.due;
    this.#isHinted = false;
    return true;
  }

  /** Without a trace that led to it, a look costs no span. */
  async #publishRound(signal: AbortSignal): Promise<number> {
    const origins = this.#origins;
    if (origins.size === 0) return await this.work.publishAll(signal);
    this.#origins = new Set();
    let ended = false;
    try {
      const name = `${this.work.spans}.compose`;
      const span = { tracer: this.#tracer, name, origins, attributes: {} };
      const taken = await tracedWork(span, () => this.work.publishAll(signal));
      ended = taken === 0;
      return taken;
    } finally {
      // There may be more of the same, unless newer events came.
      if (!ended && this.#origins.size === 0) this.#origins = origins;
    }
  }

  async #housekeep(): Promise<void> {
    const { clock, db, metrics, source } = this.work.deps;
    const now = clock.now();
    if (now - this.#counted >= countMs) {
      this.#counted = now;
      for (const { table, rows } of await db.query(source.statements.waiting, [maxCounted])) {
        metrics.waiting(table, rows);
      }
    }
    if (now - this.#swept < sweepMs) return;
    this.#swept = now;
    await this.work.sweep();
  }

  /** Reports the state. Throws errors that a retry does not fix. */
  #failed(error: unknown): void {
    const log = error instanceof LogFailure;
    if (!log && !isMetadataDown(error)) throw error;
    const state: State = log ? "log_down" : "waiting";
    const cause = messageOf(log ? error.cause : error);
    const { deps } = this.work;
    deps.metrics.failed(log ? "event_log" : "metadata");
    const level = this.#state === state ? "debug" : "warn";
    deps.log[level](`${deps.source.system} cannot be composed`, { state, error: cause });
    this.#state = state;
  }
}
