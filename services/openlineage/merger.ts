import { createHash } from "node:crypto";
import { openlineageEvents } from "#contract/topics.ts";
import { eventHeaders, readRecord } from "#contract/openlineage/record.ts";
import { deadLetter } from "#eventlog/dead-letters.ts";
import type { LogRecord } from "#eventlog/port.ts";
import { PermanentError } from "#kit/errors.ts";
import { EventLoopYielder } from "#kit/event-loop.ts";
import type { Worker } from "#kit/worker.ts";
import type { Context } from "#platform/context.ts";
import { EventMerger, type EventMergerOptions, type LoggedEvent } from "./event-merger.ts";
import type { InputEvent } from "./state/model.ts";

/** Consumer group that merges events. */
export const mergerGroup = "openlineage";

/** What is delivered of one partition, and partitions that are delivered at the same time, to be merged together. */
export const delivery = { maxRecords: 500, maxBytes: 4 * 1024 * 1024, concurrency: 8 };

/** Milliseconds that an event may be ahead of when it was received. */
export const aheadMs = 5 * 60 * 1_000;

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

/** The event of a record, at its effective time. Throws `PermanentError` for an invalid one. */
export function readEvent(record: LogRecord, now: number): LoggedEvent {
  const { event, receivedAt } = readRecord(record, now);
  const at = Math.min(event.eventTime, receivedAt + aheadMs);
  const type = event.kind === "run" ? { type: event.eventType } : {};
  const traceparent = record.headers[eventHeaders.traceparent];
  const given = { ...event, ...type, at, id: idOf(record.value) } as InputEvent;
  return { event: given, receivedAt, traceparent };
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
  const deadLetterDraft = { topic: openlineageEvents, record, reason, message, details };
  await deadLetter({ events, log, metrics: registry }, deadLetterDraft);
  metrics.refused();
}
