import { parseLsn } from "#metadata/postgres/history/compare.ts";
import { Loop } from "#kit/loop.ts";
import type { Health, Worker } from "#kit/worker.ts";
import { ConfigError } from "#platform/config/load.ts";
import type { Context } from "#platform/context.ts";
import { longestPause } from "#platform/ops/recovery.ts";
import { readSlot, type SlotNames, slotNames, type SlotSnapshot } from "#platform/ops/slot.ts";
import { Announcer } from "./announce.ts";
import { AnnouncementQueue } from "./announcement-queue.ts";
import { heartbeat, isLost, isPrepared, isPublishing, prepare } from "./slot.ts";
import {
  EventLogFailure,
  problemOf,
  ReaderProblem,
  ReaderStatusReporter,
  walLevelProblem,
} from "./status.ts";
import { SlotStream, type StreamMessage } from "./stream.ts";
import { TableFeed } from "./table.ts";

/** The worker that brings changes of alerts from the write-ahead log into the event log. */
export function readerWorkers(context: Context): Worker[] {
  const { db, events, clock, metrics, config } = context;
  return [
    new SlotReader({
      db,
      events,
      clock,
      metrics,
      log: context.log.with({ service: "notifier" }),
      names: slotNames(config),
      heartbeatMs: config.notifications.wal.heartbeat,
    }),
  ];
}

interface SlotReaderDeps extends Pick<Context, "db" | "events" | "clock" | "log" | "metrics"> {
  names: SlotNames;
  /** Milliseconds between two signs of a quiet database. */
  heartbeatMs: number;
  /** Maximum number of changes that wait to be announced; default 50,000. */
  maxWaiting?: number;
}

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
      const message = "replication slot is recreated, and missed alert changes are announced";
      log.warn(message, { state, invalidated: slot.slot?.invalidated, ...names });
    }
    this.#status.setState(state, `the ${slotLost ? "slot" : "publication"} is recreated`);
    this.#status.reconnecting(state);
  }
}

interface SessionDeps extends SlotReaderDeps {
  status: ReaderStatusReporter;
  announcer: Announcer;
}

/** Milliseconds between two looks at the slot while it is read. */
const pollMs = 2_000;

/** One time of reading the slot, from getting it until giving it up. */
class ReadingSession {
  readonly #table: TableFeed;
  /** Opens when the table's gap is filled; the stream stands until then. */
  readonly #gate = Promise.withResolvers<void>();
  #quietSince = 0;

  constructor(private readonly deps: SessionDeps) {
    this.#table = new TableFeed(deps.db, deps.announcer, deps.log);
  }

  /** Returns when `stopping` aborts and all is confirmed; rejects with what ended it before. */
  async run(slot: SlotSnapshot, stopping: AbortSignal): Promise<void> {
    const settled = await this.#table.settledId();
    const stream: SlotStream = new SlotStream({
      url: this.deps.db.url,
      names: this.deps.names,
      maxWaiting: this.deps.maxWaiting,
      isKnown: (message) => message.tag === "insert" && Number(message.new.id) <= settled,
      confirmed: parseLsn(slot.slot?.confirmedLsn ?? "0/1"),
      onMessage: (message) => this.#take(queue, message),
      onReached: (lsn) => queue.reached(lsn),
    });
    const queue = new AnnouncementQueue({ ...this.deps, confirm: (lsn) => stream.confirm(lsn) });
    // Work on the table ends with the session, whatever ends that.
    const over = new AbortController();
    const signal = AbortSignal.any([stopping, over.signal]);
    try {
      await stream.open();
      const work = this.#work(stream, slot, signal);
      await Promise.race([work, stream.failed, queue.failed]);
      await queue.finish();
      await stream.flush();
    } catch (error) {
      await this.#end(over, stream, queue);
      const overloaded = error instanceof ReaderProblem && error.state === "overloaded";
      if (overloaded) await this.#table.overtake(stopping);
      throw error;
    }
    await this.#end(over, stream, queue);
  }

  async #end(over: AbortController, stream: SlotStream, queue: AnnouncementQueue): Promise<void> {
    over.abort();
    this.#gate.resolve();
    await stream.close();
    await queue.finish();
  }

  async #take(queue: AnnouncementQueue, message: StreamMessage): Promise<void> {
    await this.#gate.promise;
    this.#quietSince = this.deps.clock.now();
    await queue.take(message);
  }

  async #work(stream: SlotStream, slot: SlotSnapshot, signal: AbortSignal): Promise<void> {
    const { status, log, names } = this.deps;
    if (slot.feed?.gap) {
      status.setState("catching_up");
      const events = await this.#table.fillGap(signal);
      log.info("alert changes missed by the slot are announced from the table", { events });
    }
    this.#gate.resolve();
    if (signal.aborted) return;
    log.info("reading alert changes", { ...names, from: slot.slot?.confirmedLsn });
    status.setState("reading");
    await this.#tend(stream, signal);
  }

  /** While it reads: looks after publication, lag, settled mark, and a log that stands still. */
  async #tend(stream: SlotStream, signal: AbortSignal): Promise<void> {
    const { db, names, clock, status, heartbeatMs } = this.deps;
    while (!signal.aborted) {
      const slot = await readSlot(db, names);
      status.observed(slot);
      if (!isPublishing(slot)) {
        const message = `there is no publication ${names.publication}`;
        throw new ReaderProblem("publication_missing", message);
      }
      await this.#table.settle(stream.confirmed, signal);
      if (clock.now() - this.#quietSince >= heartbeatMs) {
        this.#quietSince = clock.now();
        await db.query(heartbeat);
      }
      await clock.sleep(Math.min(pollMs, heartbeatMs), signal);
    }
  }
}
