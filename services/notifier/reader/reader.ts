import { longestPause } from "#platform/ops/states/recovery.ts";
import { Loop } from "#kit/loop.ts";
import type { Health, Worker } from "#kit/worker.ts";
import { ConfigError } from "#platform/config/load.ts";
import { readSlot, type SlotSnapshot } from "#platform/ops/slot.ts";
import { Announcer } from "./announce.ts";
import { ReaderStatusReporter } from "./status-reporter.ts";
import { EventLogFailure, problemOf, type ReaderProblem, walLevelProblem } from "./problems.ts";
import { ReadingSession, type SlotReaderDeps } from "./session.ts";
import { isLost, isPrepared, isPublishing, prepare } from "./slot.ts";

/** Milliseconds between two looks at a slot that another process reads. */
const standbyMs = 500;
/** Milliseconds that a stop waits for what was received. */
const stopMs = 15_000;
const pingMs = 3_000;
const retryDelay = { initial: 250, max: longestPause("failed") };

/**
 * Reads changes of alerts from the replication slot into the event log. PostgreSQL lets one process
 * read a slot; the others stand by and take over when it is free.
 */
export class SlotReader implements Worker {
  readonly name = "alert slot reader";
  readonly #status: ReaderStatusReporter;
  readonly #announcer: Announcer;
  readonly #loop: Loop;
  /** The log before a new publication cannot be read with it, only what comes after. */
  #renew = false;

  constructor(private readonly deps: SlotReaderDeps) {
    this.#status = new ReaderStatusReporter(deps.metrics);
    this.#announcer = new Announcer({ ...deps, status: this.#status });
    this.#loop = new Loop({
      clock: deps.clock,
      round: (signal) => this.#round(signal),
      retry: retryDelay,
      failed: (error) => this.#logProblem(problemOf(error)),
      stopMs,
    });
  }

  /** Rejects with a `ConfigError` when the server keeps no logical log; else it goes on trying. */
  async start(onCrash: (error: unknown) => void): Promise<void> {
    this.#status.setState("starting");
    const slot = await readSlot(this.deps.db, this.deps.names).catch(() => null);
    if (slot && slot.walLevel !== "logical") {
      const { message, repair } = walLevelProblem(slot.walLevel);
      throw new ConfigError([
        `notifications.enabled: ${message}: ${repair}, or set notifications.enabled to false`,
      ]);
    }
    this.#loop.start(onCrash);
  }

  /** Publishes and confirms what was received, and gives the slot up. */
  async stop(): Promise<void> {
    await this.#loop.stop();
    this.#status.setState("stopped");
  }

  health(): Health {
    return this.#status.health();
  }

  /** One step: makes what is missing, stands by, or reads until something ends it. */
  async #round(signal: AbortSignal): Promise<number> {
    try {
      return await this.#step(signal);
    } catch (error) {
      if (problemOf(error).state !== "standby") throw error;
      return this.#standBy();
    }
  }

  async #step(signal: AbortSignal): Promise<number> {
    const { db, names } = this.deps;
    const slot = await readSlot(db, names);
    this.#status.observed(slot);
    if (slot.walLevel !== "logical") throw walLevelProblem(slot.walLevel);
    const prepared = isPrepared(slot, names) && !this.#renew;
    if (slot.slot?.active) {
      this.#renew = false;
      return this.#standBy();
    }
    if (prepared) await this.#read(slot, signal);
    else {
      this.#logMissing(slot);
      await prepare(db, names, { renew: this.#renew, signal });
      this.#renew = false;
    }
    return 0;
  }

  async #read(slot: SlotSnapshot, signal: AbortSignal): Promise<void> {
    await this.deps.events.ping(pingMs).catch((error) => {
      throw new EventLogFailure(error);
    });
    const session = new ReadingSession({
      ...this.deps,
      status: this.#status,
      announcer: this.#announcer,
    });
    await session.run(slot, signal);
  }

  /** Milliseconds until it is looked again whether the slot is free. */
  #standBy(): number {
    if (this.#status.state !== "standby") {
      this.deps.log.info("another process reads the slot; standing by");
    }
    this.#status.setState("standby");
    return standbyMs;
  }

  /** Said at once, and again only when the problem changes. */
  #logProblem(problem: ReaderProblem): void {
    const { log } = this.deps;
    const { state, message, repair } = problem;
    this.#renew ||= state === "publication_missing";
    const fields = { state, error: message, ...(repair && { repair }) };
    if (this.#status.state === state) log.debug("alert changes are not read", fields);
    else log.warn("alert changes are not read", fields);
    this.#status.setState(state, repair ? `${message}; ${repair}` : message);
    this.#status.reconnecting(state);
  }

  #logMissing(slot: SlotSnapshot): void {
    const { log, names } = this.deps;
    if (slot.feed === null) return log.info("replication slot created", { ...names });
    const slotLost = slot.slot === null || isLost(slot.slot);
    const state = slotLost ? "slot_lost" : "publication_missing";
    if (slotLost || !isPublishing(slot)) {
      log.warn(
        "replication slot is recreated, and missed alert changes are announced",
        {
          state,
          invalidated: slot.slot?.invalidated,
          ...names,
        },
      );
    }
    this.#status.setState(
      state,
      slotLost ? "the slot is recreated" : "the publication is recreated",
    );
    this.#status.reconnecting(state);
  }
}
