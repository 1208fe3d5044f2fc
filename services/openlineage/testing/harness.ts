import { composedBatches, ingestionBatches, openlineageEvents, topics } from "#contract/topics.ts";
import { acceptEvent, isRefused } from "#contract/openlineage/accept.ts";
import { recordOf } from "#contract/openlineage/testing/record.ts";
import type { EventLog, LogRecord } from "#eventlog/port.ts";
import { systemClock } from "#kit/clock.ts";
import { silentLogger } from "#kit/log.ts";
import { noMetrics } from "#kit/metrics.ts";
import { createEventLog } from "#platform/adapters.ts";
import { Config } from "#platform/config/schema.ts";
import { Pipeline } from "#services/ingest-consumer/pipeline.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import type { Item } from "../mapper/item.ts";
import { noBackpressure } from "#platform/composed-source/applied.ts";
import type { PublisherDeps } from "../publisher/deps.ts";
import { openLineageRoot } from "#platform/naming/openlineage/catrns.ts";
import { queue } from "../publisher/rows.queries.ts";
import { publishAll } from "../publisher/worker.ts";
import { publishRemovals, queueRemovals } from "#platform/composed-source/removals.ts";
import { EventMerger, mergeRecords, type MergerOptions } from "../merger.ts";
import { publisherDeps } from "../service.ts";

/** An event as a producer writes it, without what every event has. */
export type EventInput = Record<string, unknown>;

export interface Harness extends TestDatabase {
  deps: PublisherDeps;
  events: EventLog;
  /** The clock of merging and mapping, moved by hand. */
  clock: { at: number; now: () => number; sleep: () => Promise<void> };
  /** Merges events as one chunk. */
  merge(...events: EventInput[]): Promise<void>;
  /** Maps and posts until nothing is dirty; returns what was posted, by CATRN. */
  publish(): Promise<Map<string, Item>>;
  /** Applies what was posted to the catalogue. */
  ingest(): Promise<void>;
  /** `merge`, `publish` and `ingest`, and what leaves; returns what was posted. */
  take(...events: EventInput[]): Promise<Map<string, Item>>;
  /** Applies a batch of a collector. */
  collect(source: string, ...items: EventInput[]): Promise<void>;
  rows<R = Record<string, unknown>>(text: string, ...values: unknown[]): Promise<R[]>;
}

const register = "INSERT INTO data_source (catrn, name) VALUES ($1, $1) ON CONFLICT DO NOTHING";

/**
 * Merger and publisher over a database and an event log of their own; time stands still unless moved. `config`: of
 * OpenLineage, `others`: all other sections.
 */
export async function harness(
  config: Record<string, unknown> = {},
  others: Record<string, unknown> = {},
): Promise<Harness> {
  const test = await testDatabase();
  const whole = Config.parse({ instance: test.name, openlineage: config, ...others });
  const clock = { at: Date.now(), now: () => clock.at, sleep: () => Promise.resolve() };
  const shared = { config: whole, db: test.db, log: silentLogger, metrics: noMetrics };
  const events = await createEventLog({ ...shared, clock: systemClock } as never);
  await events.ensureTopics(topics(1));
  const published = publisherDeps({ ...shared, events, clock } as never);
  const deps = { ...published, ...immediate(published) };
  const options: MergerOptions = { ...deps, registry: noMetrics, merged: () => undefined };
  const merger = new EventMerger(options);
  const pipeline = new Pipeline({
    ...shared,
    clock: systemClock,
    maxBodyBytes: 20 * 1024 * 1024,
    deadLetter: ({ message }) => Promise.reject(new Error(`refused: ${message}`)),
  });
  const posted = newRecords(events);
  const waiting: LogRecord[] = [];
  const self: Harness = {
    ...test,
    deps,
    events,
    clock,
    merge: (...given) => mergeRecords(options, merger, recordsFor(given, clock.at)),
    async publish() {
      while (await publishAll(deps));
      const records = await posted();
      waiting.push(...records);
      return itemsOf(records);
    },
    async ingest() {
      for (const record of waiting.splice(0)) await pipeline.process(record);
    },
    async take(...given) {
      if (given.length > 0) await self.merge(...given);
      const items = await self.publish();
      await self.ingest();
      await publishRemovals(deps);
      return items;
    },
    async collect(source, ...items) {
      await test.db.query(register, [source]);
      await pipeline.process(batchRecord(source, items, clock.at));
    },
    rows: (text, ...values) => test.db.query(text, values) as never,
    async drop() {
      await deps.intakeWarnings.flush();
      await events.close();
      await test.drop();
    },
  };
  return self;
}

/** Returns what was posted since it was called last. */
function newRecords(events: EventLog): () => Promise<LogRecord[]> {
  let next = 0;
  return async () => {
    const read = await events.read(composedBatches, { partition: 0, from: next, limit: 1_000 });
    next = (read.at(-1)?.offset ?? next - 1) + 1;
    return read;
  };
}

/** Nothing waits for batches to be applied, or for the rest of a rename. */
const immediate = ({ source }: PublisherDeps) => (
  {
    backpressure: noBackpressure,
    source: { ...source, removals: queueRemovals(queue, { root: openLineageRoot, renameMs: 0 }) },
  }
);

function recordsFor(events: EventInput[], receivedAt: number): LogRecord[] {
  return events.map((event, at) => recordFor(event, receivedAt, at));
}

/** The record of an event, as its intake writes it. */
export function recordFor(event: EventInput, receivedAt: number, offset = 0): LogRecord {
  const result = acceptEvent({ eventTime: new Date(receivedAt).toISOString(), ...event });
  if (isRefused(result)) throw new Error(JSON.stringify(result.refused));
  const record = recordOf(result.event, { origin: "http", receivedAt });
  return { ...record, topic: openlineageEvents, partition: 0, offset, timestamp: receivedAt };
}

let batches = 0;

function batchRecord(source: string, items: EventInput[], timestamp: number): LogRecord {
  const offset = batches++;
  return {
    topic: ingestionBatches,
    partition: 1,
    offset,
    key: source,
    headers: {},
    timestamp,
    value: new TextEncoder().encode(JSON.stringify({ data_source_catrn: source, items })),
  };
}

/** The items of batches; of those with one CATRN the last. */
export function itemsOf(records: LogRecord[]): Map<string, Item> {
  const items = records.flatMap(({ value }) => JSON.parse(new TextDecoder().decode(value)).items);
  return new Map(items.map((item: Item) => [item.catrn, item]));
}

/** A run id. */
export const uuid = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, "0")}`;
