import type { TopicSpec } from "#contract/topic-spec.ts";
import type { Worker } from "#kit/worker.ts";

/** Where a record stands. `offset` grows by partition and is exact below 2^53. */
export interface Position {
  topic: string;
  partition: number;
  offset: number;
}

export interface NewRecord {
  /** Records of one key keep their order; null spreads over the partitions. */
  key: string | null;
  value: Uint8Array;
  headers: Record<string, string>;
  /** Overrides the partition that the key would choose. */
  partition?: number;
}

export interface LogRecord extends Position {
  key: string | null;
  value: Uint8Array;
  headers: Record<string, string>;
  /** When the log took it, milliseconds since the epoch. */
  timestamp: number;
}

/** What a handler is given beside the records. */
export interface BatchContext {
  /** Aborts when the partition is taken away or the consumer stops; finish or throw soon after. */
  signal: AbortSignal;
  /** Says "still at work"; call it between long steps. Throws once the partition is lost. */
  heartbeat(): Promise<void>;
  /**
   * Marks everything up to and including `offset` as done. What was not marked when the handler
   * returns normally is marked then; what was not marked when it throws comes again.
   */
  done(offset: number): Promise<void>;
}

/**
 * Handles records of one partition, in order; never called twice at once for one partition of one
 * group. Partitions run side by side. A throw means "not done": the consumer waits with backoff and
 * delivers again from the first record that is not done. So at least once, never skipped.
 */
export type BatchHandler = (records: LogRecord[], context: BatchContext) => Promise<void>;

export interface ConsumeOptions {
  /** Logical group name; the adapter adds the instance prefix. One name on two topics is two groups. */
  group: string;
  topic: string;
  handler: BatchHandler;
  /** Upper bounds of one delivery. */
  maxRecords: number;
  maxBytes: number;
  /** Partitions handled at once by this consumer. */
  concurrency: number;
  /** Start of a group that has committed nothing; earliest unless told. */
  from?: "earliest" | "latest";
}

export interface Lag {
  partition: number;
  committed: number;
  /** Offset that the next record will get. */
  end: number;
  lag: number;
}

/** A record that could not be applied, with why and where it came from. */
export interface DeadLetter {
  position: Position;
  origin: Position;
  reason: string;
  message: string;
  record: LogRecord;
}

/**
 * An ordered, replayable log of records: at-least-once delivery, order per key, consumer groups,
 * lag, dead letters (by `eventlog/dead-letters.ts`, over this port), replay.
 *
 * Not promised: exactly-once delivery, order across keys, or an offset without gaps.
 * Whoever opened a log closes it; closing does not stop its consumers, their workers do.
 */
export interface EventLog {
  readonly engine: "kafka" | "postgres";
  /** Creates what is missing; safe when several processes do it at once. */
  ensureTopics(topics: TopicSpec[]): Promise<void>;
  /**
   * Appends all records of one call in order; resolves when they are durable. Rejects with a 503
   * `AppError` after `timeoutMs`, and with a `PermanentError` for what it will never hold: one over the
   * topic's limit is `record_too_large`. A rejected publish may still have been stored.
   */
  publish(topic: string, records: NewRecord[], options: { timeoutMs: number }): Promise<Position[]>;
  /** A worker that consumes while it runs. Its health tells `running`, `joining` or `waiting`. */
  consumer(options: ConsumeOptions): Worker;
  /**
   * The same for a topic that others own: `options.topic` is its whole name, without our prefix. Its
   * worker waits for a topic that is not there yet. Absent where the engine has no topics but ours.
   */
  readonly foreignConsumer?: (options: ConsumeOptions) => Worker;
  lag(group: string, topic: string): Promise<Lag[]>;
  /**
   * Records of one partition with `from <= offset < to`, at most `limit`, without any group. It may be
   * fewer when they are large; an empty answer means that there are none.
   */
  read(
    topic: string,
    range: { partition: number; from: number; to?: number; limit: number },
  ): Promise<LogRecord[]>;
  /** First and next offset of every partition. */
  bounds(topic: string): Promise<{ partition: number; start: number; end: number }[]>;
  /**
   * Deletes what is past its topic's retention at `now` (milliseconds since the epoch), read or not, and
   * tells how many records. Where the engine does so by itself it does nothing. Housekeeping calls it.
   */
  trim(now: number): Promise<number>;
  /** Rejects when the engine cannot be reached within `timeoutMs`. */
  ping(timeoutMs: number): Promise<void>;
  close(): Promise<void>;
}
