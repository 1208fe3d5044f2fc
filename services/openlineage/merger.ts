import { trace } from "@opentelemetry/api";
import { createHash } from "node:crypto";
import { eventHeaders, readRecord } from "#contract/openlineage/record.ts";
import { openlineageEvents } from "#contract/topics.ts";
import { deadLetter } from "#eventlog/dead-letters.ts";
import type { LogRecord } from "#eventlog/port.ts";
import type { Clock } from "#kit/clock.ts";
import { PermanentError } from "#kit/errors.ts";
import { EventLoopYielder } from "#kit/event-loop.ts";
import type { Worker } from "#kit/worker.ts";
import type { Database } from "#metadata/postgres/database.ts";
import { retryingTransaction } from "#metadata/postgres/retrying.ts";
import type { Context } from "#platform/context.ts";
import { activeTraceparent, originsOf, tracedWork } from "#platform/telemetry/trace-context.ts";
import type { IntakeThrottle } from "./intake-throttle.ts";
import type { OpenLineageMetrics } from "./metrics.ts";
import { deltaOf } from "./state/events.ts";
import type { InputEvent, Keys } from "./state/model.ts";
import { emptyDelta, joinDelta } from "./state/states.ts";
import { mergeDelta } from "./store/merge.ts";

/** Consumer group that merges events. */
export const mergerGroup = "openlineage";

/** What is delivered of one partition, and partitions that are delivered at the same time, to be merged together. */
const delivery = { maxRecords: 500, maxBytes: 4 * 1024 * 1024, concurrency: 8 };

/** An event as the log has it. */
interface LoggedEvent {
  event: InputEvent;
  receivedAt: number;
  /** W3C trace context of the request that brought it. */
  traceparent?: string;
}

interface EventMergerOptions {
  db: Database;
  clock: Clock;
  metrics: OpenLineageMetrics;
  keys: Keys;
  throttle: IntakeThrottle;
  /** Called when something was merged, with the trace context of the merge. */
  merged: (traceparent?: string) => void;
}

export interface MergerOptions extends EventMergerOptions, Pick<Context, "events" | "log"> {
  /** Registry for dead letters. */
  registry: Context["metrics"];
}

/** The worker that merges events into the state of what they are about. */
export function mergerWorker(options: MergerOptions): Worker {
  const merger = new EventMerger(options);
  return options.events.consumer({
    group: mergerGroup,
    topic: openlineageEvents,
    ...delivery,
    handler: (records) => mergeRecords(options, merger, records),
  });
}

/** Merges records; what is no event is put aside. */
export async function mergeRecords(
  options: MergerOptions,
  merger: EventMerger,
  records: LogRecord[],
): Promise<void> {
  const now = options.clock.now();
  const events: LoggedEvent[] = [];
  const yielder = new EventLoopYielder();
  for (const record of records) {
    await yielder.yieldWhenDue();
    try {
      events.push(readEvent(record, now));
    } catch (error) {
      if (!(error instanceof PermanentError)) throw error;
      await refuse(options, record, error);
    }
  }
  await merger.merge(events);
}

/** Milliseconds that an event may be ahead of when it was received. */
export const aheadMs = 5 * 60 * 1_000;

/** The event of a record, at its effective time. Throws `PermanentError` for an invalid one. */
export function readEvent(record: LogRecord, now: number): LoggedEvent {
  const { event: read, receivedAt } = readRecord(record, now);
  const at = Math.min(read.eventTime, receivedAt + aheadMs);
  const type = read.kind === "run" ? { type: read.eventType } : {};
  const traceparent = record.headers[eventHeaders.traceparent];
  const event = { ...read, ...type, at, id: idOf(record.value) } as InputEvent;
  return { event, receivedAt, traceparent };
}

/** Equal for equal values, and short: it distinguishes only the events of one run. */
export function idOf(value: Uint8Array): string {
  return createHash("sha256").update(value).digest("base64url").slice(0, 8);
}

async function refuse(
  { events, log, registry, metrics }: MergerOptions,
  record: LogRecord,
  why: PermanentError,
): Promise<void> {
  const { message, reason, details } = why;
  log.warn("invalid record in the OpenLineage event log", {
    partition: record.partition,
    offset: record.offset,
    reason,
  });
  const rejected = { topic: openlineageEvents, record, reason, message, details };
  await deadLetter({ events, log, metrics: registry }, rejected);
  metrics.refused();
}

/** Maximum number of events of one transaction; a single larger delivery goes alone. */
export const maxTogether = 500;

/** Minimum milliseconds between two transactions, unless the first was full. */
const minPauseMs = 20;

const tracer = trace.getTracer("tributary.openlineage");

interface QueuedEvents {
  events: LoggedEvent[];
  done: (error?: unknown) => void;
}

/**
 * Merges events, one transaction at a time. What several partitions deliver while one is at work shares the next:
 * statements cost more than events, and all partitions meet the same rows.
 */
export class EventMerger {
  #waiting: QueuedEvents[] = [];
  #running = false;

  constructor(private readonly options: EventMergerOptions) {}

  /** Resolves when the events are merged. */
  merge(events: LoggedEvent[]): Promise<void> {
    if (events.length === 0) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.#waiting.push({ events, done: (error) => error ? reject(error) : resolve() });
      void this.#run();
    });
  }

  async #run(): Promise<void> {
    if (this.#running) return;
    this.#running = true;
    const { clock, throttle } = this.options;
    for (let batch = this.#next(); batch.length > 0; batch = this.#next()) {
      const begun = clock.now();
      const count = await this.#mergeAll(batch);
      // On a busy machine more comes meanwhile, which then costs one transaction instead of several.
      const full = count >= maxTogether / 2;
      const pauseMs = throttle.pauseAfter(clock.now() - begun, { min: minPauseMs, full });
      if (pauseMs > 0) await clock.sleep(pauseMs);
    }
    this.#running = false;
  }

  #next(): QueuedEvents[] {
    let [events, count] = [0, 0];
    for (const waiting of this.#waiting) {
      events += waiting.events.length;
      if (count > 0 && events > maxTogether) break;
      count++;
    }
    return this.#waiting.splice(0, count);
  }

  /** Never rejects: each of the batch receives its result. Resolves with the number of events. */
  async #mergeAll(batch: QueuedEvents[]): Promise<number> {
    const events = batch.flatMap((waiting) => waiting.events);
    try {
      await this.#traced(events);
      for (const { done } of batch) done();
    } catch (error) {
      // What cannot be merged must not cost the others.
      if (batch.length > 1) { for (const waiting of batch) await this.#mergeAll([waiting]); }
      else batch[0]!.done(error);
    }
    return events.length;
  }

  /** One span for each transaction, in the traces that led to it. */
  async #traced(events: LoggedEvent[]): Promise<void> {
    const origins = originsOf(events.map(({ traceparent }) => traceparent));
    const attributes = { "messaging.batch.message_count": events.length };
    const span = { tracer, name: "openlineage.merge", origins, attributes };
    await tracedWork(span, () => this.#write(events));
  }

  async #write(events: LoggedEvent[]): Promise<void> {
    const { clock, db, throttle, keys, merged, metrics } = this.options;
    const received = events.map(({ receivedAt }) => receivedAt).toSorted((a, b) => a - b);
    const [first, last] = [received[0]!, received.at(-1)!];
    throttle.came(first, last);
    const delta = emptyDelta();
    const yielder = new EventLoopYielder();
    for (const { event } of events) {
      await yielder.yieldWhenDue();
      joinDelta(delta, deltaOf(event, keys));
    }
    await retryingTransaction(db, (tx) => mergeDelta(tx, delta, keys));
    metrics.merged(events.length, clock.now() - last);
    merged(activeTraceparent());
  }
}
