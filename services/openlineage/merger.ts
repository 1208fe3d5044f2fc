import { openlineageEvents } from "#contract/topics.ts";
import { eventHeaders, readRecord } from "#contract/openlineage/record.ts";
import { deadLetter } from "#eventlog/dead-letters.ts";
import type { LogRecord } from "#eventlog/port.ts";
import { PermanentError } from "#kit/errors.ts";
import type { Worker } from "#kit/worker.ts";
import { retryingTransaction } from "#metadata/postgres/retrying.ts";
import type { Context } from "#platform/context.ts";
import type { OpenLineageMetrics } from "./metrics.ts";
import { activeTraceparent, originsOf, traced } from "./spans.ts";
import { type Delta, emptyDelta, joinDelta } from "./state/delta.ts";
import { deltaOf, runKey } from "./state/events.ts";
import type { GivenEvent, Keys } from "./state/model.ts";
import { mergeDelta } from "./store/merge.ts";

/** Consumer group that merges events. */
export const mergerGroup = "openlineage";

/** What is merged in one transaction, and partitions that are merged at the same time. */
export const delivery = { maxRecords: 500, maxBytes: 8 * 1024 * 1024, concurrency: 2 };

/** Milliseconds that an event may be ahead of when it was received. */
export const aheadMs = 5 * 60 * 1_000;

export interface MergerOptions extends Pick<Context, "db" | "events" | "clock" | "log"> {
  /** Registry for dead letters. */
  registry: Context["metrics"];
  metrics: OpenLineageMetrics;
  keys: Keys;
  /** Called when something was merged, with the trace context of the merge. */
  merged: (traceparent?: string) => void;
}

/** The worker that merges events into the state of what they are about. */
export function mergerWorker(options: MergerOptions): Worker {
  return options.events.consumer({
    group: mergerGroup,
    topic: openlineageEvents,
    ...delivery,
    handler: (records) => mergeRecords(options, records),
  });
}

/** Merges a run of records in one transaction, and one span; what is no event is put aside. */
export async function mergeRecords(options: MergerOptions, records: LogRecord[]): Promise<void> {
  const origins = originsOf(records.map(({ headers }) => headers[eventHeaders.traceparent]));
  const attributes = { "messaging.batch.message_count": records.length };
  await traced("openlineage.merge", { origins, attributes }, () => mergeChunk(options, records));
}

async function mergeChunk(options: MergerOptions, records: LogRecord[]): Promise<void> {
  const { clock, db, keys, metrics } = options;
  const now = clock.now();
  const delta = emptyDelta();
  const events = new Map<string, number>();
  let last: number | null = null;
  let count = 0;
  for (const record of records) {
    const given = readGiven(record, now);
    if (given instanceof PermanentError) {
      await refuse(options, record, given);
      continue;
    }
    addEvent(delta, given.event, { keys, events });
    last = given.receivedAt;
    count++;
  }
  if (last === null) return;
  await retryingTransaction(db, (tx) => mergeDelta(tx, delta, { keys, events }));
  metrics.merged(count, clock.now() - last);
  options.merged(activeTraceparent());
}

/** Adds an event to what is merged together. */
export function addEvent(
  delta: Delta,
  event: GivenEvent,
  { keys, events }: { keys: Keys; events: Map<string, number> },
): void {
  joinDelta(delta, deltaOf(event, keys));
  if (!event.run || !event.job) return;
  const key = runKey(event.run.runId, keys.job(event.job));
  events.set(key, (events.get(key) ?? 0) + 1);
}

function readGiven(
  record: LogRecord,
  now: number,
): { event: GivenEvent; receivedAt: number } | PermanentError {
  try {
    const { event, receivedAt } = readRecord(record, now);
    const at = Math.min(event.eventTime, receivedAt + aheadMs);
    const type = event.kind === "run" ? { type: event.eventType } : {};
    return { event: { ...event, ...type, at } as GivenEvent, receivedAt };
  } catch (error) {
    if (error instanceof PermanentError) return error;
    throw error;
  }
}

async function refuse(
  { events, log, registry, metrics }: MergerOptions,
  record: LogRecord,
  why: PermanentError,
): Promise<void> {
  const { message, reason, details } = why;
  log.warn("a record of the log of OpenLineage events is none", {
    partition: record.partition,
    offset: record.offset,
    reason,
  });
  const letter = { topic: openlineageEvents, record, reason, message, details };
  await deadLetter({ events, log, metrics: registry }, letter);
  metrics.refused();
}
