import { expect } from "vitest";
import { AlertEventRecord } from "#contract/alerts.ts";
import { alertEvents, ingestionDeadLetters, topics } from "#contract/topics.ts";
import type { EventLog, LogRecord } from "#eventlog/port.ts";
import { systemClock } from "#kit/clock.ts";
import { type Logger, silentLogger } from "#kit/log.ts";
import { noMetrics } from "#kit/metrics.ts";
import { Database, type Queryable } from "#metadata/postgres/database.ts";
import { createLogger } from "#platform/telemetry/log.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { eventually } from "#test/support/eventually.ts";
import { kafkaBrokers } from "#test/support/engines/engines.ts";
import type { EngineSet } from "#test/support/engines/instance.ts";
import { type LogTarget, openLog } from "#test/support/engines/logs.ts";
import { SlotReader } from "../reader.ts";
import { readSlot, type SlotNames } from "#platform/ops/slot.ts";

/** Milliseconds; short, so that what happens in the background happens within a test. */
export const heartbeatMs = 200;

export const namesFor = (name: string): SlotNames => ({
  slot: `${name}_alerts`,
  publication: `${name}_alerts`,
  lockId: 100,
});

/** The event log of a set, for a database that is also the instance's name. */
export function targetOf(set: EngineSet, url: string, name: string): LogTarget {
  const sessionMs = 6_000;
  return set === "embedded"
    ? { engine: "postgres", url, sessionMs }
    : { engine: "kafka", brokers: kafkaBrokers(), instance: name, sessionMs };
}

export async function ensureTopics(events: EventLog): Promise<void> {
  const wanted = [alertEvents, ingestionDeadLetters];
  await events.ensureTopics(topics(3).filter(({ name }) => wanted.includes(name)));
}

export interface ReaderOptions {
  db: Database;
  events: EventLog;
  names: SlotNames;
  log?: Logger;
  metrics?: typeof noMetrics;
  maxWaiting?: number;
}

export function slotReader(options: ReaderOptions): SlotReader {
  return new SlotReader({
    clock: systemClock,
    log: silentLogger,
    metrics: noMetrics,
    heartbeatMs,
    ...options,
  });
}

/** Inserts changes of alerts in one transaction and returns their ids. */
export async function insertEvents(db: Database, count: number, alert = 1): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    `INSERT INTO alert_event (alert_id, entity_id, alert_type, event_type, event_at, traceparent)
     SELECT $2, NULL, 3, 'CREATED', now(), '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
       FROM generate_series(1, $1) RETURNING id`,
    [count, alert],
  );
  return rows.map(({ id }) => id);
}

/** All records of a topic, partition by partition. */
export async function recordsOf(events: EventLog, topic: string): Promise<LogRecord[]> {
  const found: LogRecord[] = [];
  for (const { partition, start, end } of await events.bounds(topic)) {
    for (let from = start; from < end;) {
      const records = await events.read(topic, { partition, from, to: end, limit: 1_000 });
      if (records.length === 0) break;
      found.push(...records);
      from = records.at(-1)!.offset + 1;
    }
  }
  return found;
}

/** Ids of the announced changes in the order of the log, repeats included. */
export async function announcedIds(events: EventLog): Promise<number[]> {
  const decoder = new TextDecoder();
  return (await recordsOf(events, alertEvents))
    .map(({ value }) => AlertEventRecord.parse(JSON.parse(decoder.decode(value))).id);
}

/** Keeps what is logged. */
export function collectingLogger(lines: string[]): Logger {
  return createLogger({ level: "info", format: "json", write: (line) => void lines.push(line) });
}

/** An event log that publishes nothing until `opened` resolves. */
export function publishingAfter(opened: Promise<void>, events: EventLog): EventLog {
  const publish: EventLog["publish"] = async (...given) => {
    await opened;
    return events.publish(...given);
  };
  return new Proxy(events, {
    get(target, name) {
      if (name === "publish") return publish;
      const member = Reflect.get(target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

/** Connections to the same database in another role. */
export function databaseAs(url: string, username: string, password: string): Database {
  const target = Object.assign(new URL(url), { username, password });
  return new Database({
    url: target.href,
    max: 4,
    statementTimeoutMs: 30_000,
    applicationName: "test role",
  });
}

/** Makes a role the owner of what the reader touches. */
export async function ownTables(db: Queryable, role: string): Promise<void> {
  for (const table of ["alert_event", "alert_feed", "alert_event_published"]) {
    await db.query(`ALTER TABLE ${table} OWNER TO ${role}`);
  }
}

/** A database, an event log and the readers between them. Close it after the test. */
export class ReaderUnderTest {
  readonly names: SlotNames;
  readonly running: SlotReader[] = [];

  private constructor(readonly t: TestDatabase, readonly events: EventLog) {
    this.names = namesFor(t.name);
  }

  static async open(set: EngineSet): Promise<ReaderUnderTest> {
    const t = await testDatabase();
    const events = openLog(targetOf(set, t.url, t.name));
    await ensureTopics(events);
    return new ReaderUnderTest(t, events);
  }

  async start(over: Partial<ReaderOptions> = {}): Promise<SlotReader> {
    const { t: { db }, events, names } = this;
    const reader = slotReader({ db, events, names, ...over });
    this.running.push(reader);
    await reader.start(() => {});
    return reader;
  }

  async stands(reader: SlotReader, state: string): Promise<void> {
    const check = () => expect(reader.health().state).toBe(state);
    await eventually(check, { describe: () => reader.health() });
  }

  insert(count: number, alert?: number): Promise<number[]> {
    return insertEvents(this.t.db, count, alert);
  }

  /** Waits until the event log has all of these changes. */
  async announced(ids: number[]): Promise<void> {
    const describe = () => this.running.map((reader) => reader.health());
    await eventually(async () => {
      expect(await announcedIds(this.events)).toEqual(expect.arrayContaining(ids));
    }, { describe });
  }

  /** Stops a reader and waits until the server has let go of its slot, which it does a moment later. */
  async stop(reader: SlotReader): Promise<void> {
    await reader.stop();
    await eventually(async () => expect((await this.snapshot()).slot?.active).toBe(false));
  }

  snapshot(): ReturnType<typeof readSlot> {
    return readSlot(this.t.db, this.names);
  }

  async close(): Promise<void> {
    for (const reader of this.running) await reader.stop();
    await this.events.close();
    await this.t.drop();
  }
}
