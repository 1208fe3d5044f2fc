import { messageOf } from "#kit/errors.ts";
import { Latch } from "#kit/latch.ts";
import { backoff } from "#kit/retry.ts";
import type { Health, Worker } from "#kit/worker.ts";
import { isMetadataDown } from "#metadata/database.ts";
import type { Context } from "#platform/context.ts";
import {
  Leading,
  LeaseLost,
  leaseMs,
  LogFailure,
  publisherMetrics,
  type PublisherParts,
} from "./parts.ts";
import { publishRound } from "./round.ts";
import { writeStatistics } from "./statistics.ts";
import { ensureSource } from "./store.queries.ts";

/** What the publisher is doing, as health and metrics tell it. */
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

/** Most milliseconds between two looks at the lease and at what is to be done. */
const pollMs = 5_000;

/** Milliseconds that a round at work is given when we stop. */
const stopMs = 10_000;

const retryDelay = { initial: 200, max: 10_000 };

/**
 * Makes catalogue entities of `service_edge`: one process leads, by lease, others stand by. What
 * changed is posted at once, but no more often than every `traces.publish-interval`.
 */
export class ServicePublisher implements Worker {
  readonly name = "service publisher";
  readonly #latch = new Latch();
  readonly #count;
  #state: PublisherState = "stopped";
  #minute = 0;
  #stopping = new AbortController();
  #loop: Promise<void> | undefined;
  #unlisten: (() => void) | undefined;

  constructor(private readonly parts: PublisherParts) {
    this.#count = publisherMetrics(parts.metrics);
    this.#tell("stopped");
  }

  start(onCrash: (error: unknown) => void): Promise<void> {
    this.#stopping = new AbortController();
    this.#unlisten = this.parts.wakeups.on("service_edge", () => this.#latch.open());
    this.#loop = this.#run().catch(onCrash);
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    if (!this.#loop) return;
    this.#stopping.abort();
    this.#latch.open();
    const late = new AbortController();
    await Promise.race([this.#loop, this.parts.clock.sleep(stopMs, late.signal)]);
    late.abort();
    this.#unlisten?.();
    this.#loop = undefined;
    this.#tell("stopped");
    await this.parts.leases.release(publisherLease).catch((error) => {
      this.parts.log.debug("lease not released", { error: messageOf(error) });
    });
  }

  health(): Health {
    return { ready: ["standby", "running"].includes(this.#state), state: this.#state };
  }

  #tell(state: PublisherState): void {
    this.#state = state;
    // Only who publishes knows how many there are.
    if (state === "standby" || state === "stopped") this.#count.quarantined.set({}, 0);
    for (const each of publisherStates) {
      this.#count.state.set({ state: each }, each === state ? 1 : 0);
    }
  }

  async #run(): Promise<void> {
    for (let failures = 0; !this.#stopping.signal.aborted;) {
      try {
        await this.#turn();
        failures = 0;
      } catch (error) {
        if (!(error instanceof LeaseLost)) await this.#giveWay(error, ++failures);
      }
    }
  }

  /** One look at the lease and, when it is ours, one round; then waits until the next is due. */
  async #turn(): Promise<void> {
    const { leases, clock, config, db, log } = this.parts;
    const { signal } = this.#stopping;
    const poll = Math.min(pollMs, config["publish-interval"]);
    const lease = await leases.acquire(publisherLease, leaseMs);
    if (!lease) {
      this.#tell("standby");
      return await clock.sleep(poll, signal);
    }
    if (this.#state !== "running") {
      await ensureSource(db, config["data-source"]);
      log.info("publishing services", { epoch: lease.epoch });
    }
    this.#latch.shut();
    const { worked, more } = await publishRound(new Leading(this.parts, lease, signal));
    this.#tell("running");
    if (signal.aborted) return;
    await this.#statistics();
    if (more) return;
    if (worked) await clock.sleep(config["publish-interval"], signal);
    else await this.#latch.passed(poll);
  }

  /** Once a minute the figures of the minutes before. */
  async #statistics(): Promise<void> {
    const minute = Math.floor(this.parts.clock.now() / 60_000);
    if (minute === this.#minute) return;
    await writeStatistics(this.parts);
    this.#minute = minute;
  }

  /** Tells the state and waits a little. Throws what waiting does not mend. */
  async #giveWay(error: unknown, failures: number): Promise<void> {
    const log = error instanceof LogFailure;
    if (!log && !isMetadataDown(error)) throw error;
    const state = log ? "log_down" : "waiting";
    const cause = messageOf(log ? error.cause : error);
    this.#count.failures.inc({ cause: log ? "event_log" : "metadata" });
    const level = this.#state === state ? "debug" : "warn";
    this.parts.log[level]("services cannot be published", { state, error: cause });
    this.#tell(state);
    await this.parts.clock.sleep(backoff(failures, retryDelay), this.#stopping.signal);
  }
}

/** The worker that puts services into the catalogue. */
export function publisherWorker(context: Context): Worker {
  const log = context.log.with({ worker: "service publisher" });
  return new ServicePublisher({ ...context, log, config: context.config.traces });
}
