import type { EventLog } from "#eventlog/port.ts";
import type { Clock } from "#kit/clock.ts";
import type { Logger } from "#kit/log.ts";
import type { Metrics } from "#kit/metrics.ts";
import type { Database } from "#metadata/postgres/database.ts";
import { readSlot, type SlotNames, type SlotSnapshot } from "#platform/ops/slot.ts";
import { heartbeat, isPublishing } from "./slot.ts";
import type { Announcer } from "./announce.ts";
import type { ReaderStatusReporter } from "./status-reporter.ts";
import { parseLsn } from "./lsn.ts";
import { ReaderProblem } from "./problems.ts";
import { AnnouncementQueue } from "./announcement-queue.ts";
import { SlotStream, type StreamMessage } from "./stream.ts";
import { TableFeed } from "./table.ts";

/** What the slot reader is made of. */
export interface SlotReaderDeps {
  db: Database;
  events: EventLog;
  clock: Clock;
  log: Logger;
  metrics: Metrics;
  names: SlotNames;
  /** Milliseconds between two signs of a quiet database. */
  heartbeatMs: number;
  /** Maximum number of changes that wait to be announced; default 50,000. */
  maxWaiting?: number;
}

interface SessionDeps extends SlotReaderDeps {
  status: ReaderStatusReporter;
  announcer: Announcer;
}

/** Milliseconds between two looks at the slot while it is read. */
const pollMs = 2_000;

/** One time of reading the slot, from getting it until giving it up. */
export class ReadingSession {
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
    const { status: status, log, names } = this.deps;
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
    const { db, names, clock, status: status, heartbeatMs } = this.deps;
    while (!signal.aborted) {
      const slot = await readSlot(db, names);
      status.observed(slot);
      if (!isPublishing(slot)) {
        throw new ReaderProblem(
          "publication_missing",
          `there is no publication ${names.publication}`,
        );
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
