import { longestPause } from "#platform/ops/states/recovery.ts";
import { messageOf } from "#kit/errors.ts";
import type { Health, Worker } from "#kit/worker.ts";
import { isMetadataDown } from "#metadata/postgres/database.ts";
import { LeasedLoop } from "#metadata/postgres/leased-loop.ts";
import type { Lease } from "#metadata/postgres/leases.ts";
import type { Context } from "#platform/context.ts";
import {
  LeaderTerm,
  LeaseLostError,
  leaseMs,
  LogFailure,
  type PublisherDeps,
  publisherMetrics,
} from "./deps.ts";
import { publishRound } from "./round.ts";
import { writeStatistics } from "./statistics.ts";
import { ensureSource } from "./store.queries.ts";

/** The state of the publisher, for health and metrics. */
export const publisherStates = [
  "stopped",
  "standby",
  "running",
  "log_down",
  "waiting",
] as const;
type PublisherState = (typeof publisherStates)[number];

/** The lease of the one process that posts services. */
export const publisherLease = "trace-publisher";

/** Maximum number of milliseconds between two looks at the lease and at what is to be done. */
const pollMs = 5_000;

/** Milliseconds that a round at work is given when we stop. */
const stopMs = 10_000;

/**
 * Makes catalogue entities of `service_edge`: one process leads, by lease, others stand by. What
 * changed is posted at once, but no more often than every `traces.publish-interval`.
 */
export class ServicePublisher implements Worker {
  readonly name = "service publisher";
  readonly #count;
  readonly #loop: LeasedLoop;
  #state: PublisherState = "stopped";
  #minute = 0;

  constructor(private readonly deps: PublisherDeps) {
    this.#count = publisherMetrics(deps.metrics);
    this.#loop = new LeasedLoop({
      ...deps,
      lease: { name: publisherLease, ttlMs: leaseMs },
      listen: (wake) => deps.wakeups.on("service_edge", wake),
      standbyMs: Math.min(pollMs, deps.config["publish-interval"]),
      standBy: () => this.#setState("standby"),
      lead: (lease, signal) => this.#lead(lease, signal),
      retry: { initial: 200, max: longestPause("log_down") },
      failed: (error) => this.#failed(error),
      stopMs,
    });
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

  #setState(state: PublisherState): void {
    this.#state = state;
    // Only who publishes knows how many there are.
    if (state === "standby" || state === "stopped") this.#count.quarantined.set({}, 0);
    for (const each of publisherStates) {
      this.#count.state.set({ state: each }, each === state ? 1 : 0);
    }
  }

  /** One round; resolves with how long to wait for the next. */
  async #lead(lease: Lease, signal: AbortSignal): Promise<number> {
    const { clock, config, db, log } = this.deps;
    if (this.#state !== "running") {
      await ensureSource(db, config["data-source"]);
      log.info("publishing services", { epoch: lease.epoch });
    }
    const round = await publishRound(new LeaderTerm(this.deps, lease, signal)).catch(nullIfLost);
    // Another process leads by now, which the next check of the lease shows.
    if (!round) return 0;
    const { worked, more } = round;
    this.#setState("running");
    if (signal.aborted) return 0;
    await this.#statistics();
    // However much is to be done: no sooner.
    if (worked && !more) await clock.sleep(config["publish-interval"], signal);
    return worked || more ? 0 : Math.min(pollMs, config["publish-interval"]);
  }

  /** Once a minute the figures of the minutes before. */
  async #statistics(): Promise<void> {
    const minute = Math.floor(this.deps.clock.now() / 60_000);
    if (minute === this.#minute) return;
    await writeStatistics(this.deps);
    this.#minute = minute;
  }

  /** Reports the state. Throws errors that a retry does not fix. */
  #failed(error: unknown): void {
    const log = error instanceof LogFailure;
    if (!log && !isMetadataDown(error)) throw error;
    const state = log ? "log_down" : "waiting";
    const cause = messageOf(log ? error.cause : error);
    this.#count.failures.inc({ cause: log ? "event_log" : "metadata" });
    const level = this.#state === state ? "debug" : "warn";
    this.deps.log[level]("services cannot be published", { state, error: cause });
    this.#setState(state);
  }
}

function nullIfLost(error: unknown): null {
  if (error instanceof LeaseLostError) return null;
  throw error;
}

/** The worker that puts services into the catalogue. */
export function publisherWorker(context: Context): Worker {
  const log = context.log.with({ worker: "service publisher" });
  return new ServicePublisher({ ...context, log, config: context.config.traces });
}
