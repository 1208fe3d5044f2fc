import { longestPause } from "#platform/ops/states/recovery.ts";
import { messageOf } from "#kit/errors.ts";
import { Loop } from "#kit/loop.ts";
import type { Health, Worker } from "#kit/worker.ts";
import { isMetadataDown } from "#metadata/postgres/database.ts";
import { publishDatasets } from "./datasets.ts";
import { publishJobs } from "./jobs.ts";
import { publishRemovals } from "./removals.ts";
import { originsOf, traced } from "../spans.ts";
import { LogFailure, type PublisherDeps } from "./deps.ts";
import { anyDue, waiting } from "./rows.queries.ts";
import { publishRuns } from "./runs.ts";
import { sweep } from "./sweep.ts";

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

/**
 * Composes what events changed, and posts it as batches of ingestion. Several processes may do so at a time:
 * each takes rows that no other has.
 */
export class LineagePublisher implements Worker {
  readonly name = "OpenLineage composer";
  readonly #loop: Loop;
  #state: State = "stopped";
  #swept = 0;
  #counted = 0;
  /** Whether the next round works without asking first whether anything is due. */
  #isHinted = true;
  /** Trace contexts of the merges that are to be composed. */
  #origins = new Set<string>();

  constructor(private readonly deps: PublisherDeps) {
    this.#loop = new Loop({
      clock: deps.clock,
      round: (signal) => this.#round(signal),
      failed: (error) => this.#failed(error),
      retry: { initial: 200, max: longestPause("log_down") },
      stopMs,
    });
  }

  start(onCrash: (error: unknown) => void): Promise<void> {
    this.#loop.start(onCrash);
    return Promise.resolve();
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
    const { clock, throttle } = this.deps;
    const begun = clock.now();
    const isDue = await this.#isDue();
    const taken = isDue ? await this.#publishRound(signal) : 0;
    const tookMs = clock.now() - begun;
    this.#state = "running";
    if (signal.aborted) return 0;
    if (isDue) await publishRemovals(this.deps);
    await this.#housekeep();
    if (taken === 0) return pollMs;
    this.#isHinted = true;
    // Small rounds one after the other would post each row, and each step of a row, in a batch of its own.
    const pauseMs = throttle.pauseAfter(tookMs, { min: minPauseMs, full: taken >= busyRows });
    if (pauseMs > 0) await clock.sleep(pauseMs, signal);
    return 0;
  }

  /** A poll checks in one statement whether there is work, a wake-up means that there is. */
  async #isDue(): Promise<boolean> {
    const { db, clock } = this.deps;
    if (!this.#isHinted) return (await db.query(anyDue, [clock.now()]))[0]!.due;
    this.#isHinted = false;
    return true;
  }

  /** Without a trace that led to it, a look costs no span. */
  async #publishRound(signal: AbortSignal): Promise<number> {
    const origins = this.#origins;
    if (origins.size === 0) return await publishAll(this.deps, signal);
    this.#origins = new Set();
    let ended = false;
    try {
      const work = () => publishAll(this.deps, signal);
      const taken = await traced("openlineage.compose", { origins, attributes: {} }, work);
      ended = taken === 0;
      return taken;
    } finally {
      // There may be more of the same, unless newer events came.
      if (!ended && this.#origins.size === 0) this.#origins = origins;
    }
  }

  async #housekeep(): Promise<void> {
    const now = this.deps.clock.now();
    if (now - this.#counted >= countMs) {
      this.#counted = now;
      for (const { table, rows } of await this.deps.db.query(waiting, [maxCounted])) {
        this.deps.metrics.waiting(table, rows);
      }
    }
    if (now - this.#swept < sweepMs) return;
    this.#swept = now;
    await sweep(this.deps);
  }

  /** Reports the state. Throws errors that a retry does not fix. */
  #failed(error: unknown): void {
    const log = error instanceof LogFailure;
    if (!log && !isMetadataDown(error)) throw error;
    const state: State = log ? "log_down" : "waiting";
    const cause = messageOf(log ? error.cause : error);
    this.deps.metrics.failed(log ? "event_log" : "metadata");
    const level = this.#state === state ? "debug" : "warn";
    this.deps.log[level]("OpenLineage cannot be composed", { state, error: cause });
    this.#state = state;
  }
}

/**
 * Composes datasets, then jobs, which name them, then runs, one round of each; how many rows were taken.
 */
export async function publishAll(
  deps: PublisherDeps,
  signal: AbortSignal = new AbortController().signal,
): Promise<number> {
  let taken = 0;
  for (const publish of [publishDatasets, publishJobs, publishRuns]) {
    if (signal.aborted) return taken;
    await deps.backpressure.waitForCapacity(signal);
    taken += (await publish(deps)).taken;
  }
  return taken;
}
