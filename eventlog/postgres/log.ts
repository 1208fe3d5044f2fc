import { systemClock } from "#kit/clock.ts";
import { AppError, PermanentError, unavailable } from "#kit/errors.ts";
import { classify, type Database } from "#metadata/postgres/database.ts";
import { withTimeout } from "#kit/retry.ts";
import type { Worker } from "#kit/worker.ts";
import type { TopicSpec } from "#contract/topics.ts";
import {
  type PartitionedRecord,
  place,
  positions,
  recordBatches,
  Spread,
  type TopicInfo,
} from "#eventlog/records.ts";
import type { ConsumeOptions, EventLog, Lag, NewRecord, Position } from "#eventlog/port.ts";
import { PostgresConsumer } from "#eventlog/postgres/consumer.ts";
import type { PostgresLogOptions } from "#eventlog/postgres/options.ts";
import { OwnValues } from "#eventlog/postgres/own-values.ts";
import * as sql from "#eventlog/postgres/queries.ts";
import { appendParameters, fetchRecords } from "#eventlog/postgres/records.ts";

type PostgresEventLog = EventLog & { readonly engine: "postgres" };

type LogDeps = Pick<PostgresLogOptions, "db" | "wakeups" | "log" | "metrics">;

/** Largest single statement of a publish; a larger publish takes several, in order. */
const appendLimits = { maxRecords: 10_000, maxBytes: 32 * 1024 * 1024 };
/** Maximum number of bytes that `read` returns. */
const maxReadBytes = 64 * 1024 * 1024;

/** The event log in tables of the metadata store. Closing it does not close the database. */
export function postgresEventLog(
  given: LogDeps & Partial<PostgresLogOptions>,
): PostgresEventLog {
  return new Log({ clock: systemClock, sessionMs: 10_000, heartbeatMs: 1_000, ...given });
}

class Log implements EventLog {
  readonly engine = "postgres";
  readonly #topics = new Map<string, TopicInfo>();
  readonly #spread = new Spread();
  readonly #own: OwnValues;

  constructor(private readonly options: PostgresLogOptions) {
    this.#own = new OwnValues(options.metrics);
  }

  async ensureTopics(topics: TopicSpec[]): Promise<void> {
    const { db } = this.options;
    for (const { name, ...spec } of topics) {
      await db.query(sql.ensureTopic, [
        name,
        spec.partitions,
        spec.maxRecordBytes,
        spec.retentionMs,
      ]);
      await db.query(sql.ensurePartitions, [name]);
      this.#topics.delete(name);
    }
  }

  publish(topic: string, records: NewRecord[], { timeoutMs }: { timeoutMs: number }) {
    const late = () => unavailable("The event log did not answer in time");
    return withTimeout(this.#publish(topic, records), timeoutMs, late);
  }

  async #publish(topic: string, records: NewRecord[]): Promise<Position[]> {
    const partitioned = place(topic, records, await this.#topic(topic), this.#spread);
    const stored: Position[] = [];
    for (const batch of recordBatches(partitioned, appendLimits)) {
      stored.push(...await this.#append(topic, batch));
    }
    return stored;
  }

  async #append(topic: string, records: PartitionedRecord[]): Promise<Position[]> {
    const appended = this.#own.appending(topic, records.map((r) => r.partition));
    try {
      const rows = await this.options.db.query(sql.append, appendParameters(topic, records));
      const first = new Map(rows.map((r) => [r.partition, r.first_offset]));
      const stored = positions(topic, records, first);
      this.#own.keep(records, stored);
      return stored;
    } catch (error) {
      throw classify(error) === "permanent" ? unstorable(topic, error) : error;
    } finally {
      appended();
    }
  }

  consumer(options: ConsumeOptions): Worker {
    return new PostgresConsumer(this.options, options, this.#own);
  }

  lag(group: string, topic: string): Promise<Lag[]> {
    return this.options.db.query<Lag & Record<string, unknown>>(sql.lag, [group, topic]);
  }

  read(topic: string, range: { partition: number; from: number; to?: number; limit: number }) {
    return fetchRecords(this.options.db, {
      topic,
      partition: range.partition,
      from: range.from,
      to: range.to ?? Number.MAX_SAFE_INTEGER,
      maxRecords: range.limit,
      maxBytes: maxReadBytes,
    });
  }

  bounds(topic: string) {
    return this.options.db.query<{ partition: number; start: number; end: number }>(
      sql.bounds,
      [topic],
    );
  }

  async ping(timeoutMs: number): Promise<void> {
    try {
      await this.options.db.ping(timeoutMs);
    } catch (error) {
      throw unavailable("The event log is not available", 5, error);
    }
  }

  async truncate(topic: string): Promise<void> {
    await this.options.db.query(sql.truncate, [topic]);
  }

  trim(now: number): Promise<number> {
    return trimLog(this.options.db, now);
  }

  close(): Promise<void> {
    this.#topics.clear();
    return Promise.resolve();
  }

  async #topic(name: string): Promise<TopicInfo> {
    const known = this.#topics.get(name);
    if (known) return known;
    const rows = await this.options.db.query<{ partitions: number; max_record_bytes: number }>(
      sql.topicInfo,
      [name],
    );
    if (!rows[0]) {
      throw new AppError(`The event log has no topic ${name}`, { status: 503, code: "SYS002" });
    }
    const info = { partitions: rows[0].partitions, maxRecordBytes: rows[0].max_record_bytes };
    this.#topics.set(name, info);
    return info;
  }
}

function unstorable(topic: string, error: unknown): PermanentError {
  return new PermanentError("record_refused", `Topic ${topic} cannot hold a record`, [], error);
}

const batchSize = 1_000;

/** Deletes records older than their topic's retention, in batches, so that no lock is held for long. */
async function trimLog(db: Database, now: number): Promise<number> {
  const partitions = await db.query<{ topic: string; partition: number; retention_ms: number }>(
    sql.partitionsWithRetention,
  );
  let deleted = 0;
  for (const { topic, partition, retention_ms } of partitions) {
    for (let count = batchSize; count === batchSize; deleted += count) {
      const before = now - retention_ms;
      const rows = await db.query<{ deleted: number }>(sql.trimBatch, [
        topic,
        partition,
        before,
        batchSize,
      ]);
      count = rows[0]?.deleted ?? 0;
    }
  }
  return deleted;
}
