import type { TopicSpec } from "#contract/topics.ts";
import type { Worker } from "#kit/worker.ts";

/** Position of a record. `offset` grows within a partition and is exact below 2^53. */
export interface Position {
  topic: string;
  partition: number;
  offset: number;
}

export interface NewRecord {
  /** Records with the same key keep their order; records with a null key are spread over the partitions. */
  key: string | null;
  value: Uint8Array;
  headers: Record<string, string>;
  /** Overrides the partition that follows from the key. */
  partition?: number;
}

export interface LogRecord extends Position {
  key: string | null;
  value: Uint8Array;
  headers: Record<string, string>;
  /** When the log received the record, milliseconds since the epoch. */
  timestamp: number;
}

/** Passed to a handler with the records. */
export interface BatchContext {
  /** Aborts when the partition is lost or the consumer stops; the handler should finish or throw soon. */
  signal: AbortSignal;
  /** Keeps the session alive; call it between long steps. Throws once the partition is lost. */
  heartbeat(): Promise<void>;
  /**
   * Marks all records up to and including `offset` as done. When the handler returns normally, the remaining
   * records are marked too; when it throws, they are delivered again.
   */
  done(offset: number): Promise<void>;
  /**
   * Lets records that come to the partition while the handler works join those that it was given: `take` gets them in
   * their order, and returns false when the handler accepts no more; they are redelivered then. To be called before the
   * handler first waits. Absent where an engine delivers a batch at a time.
   */
  join?(take: (records: LogRecord[]) => boolean): void;
}

/**
 * Handles records of one partition, in order; calls for one partition of one group never overlap. Different
 * partitions run in parallel. Throwing means "not done": the consumer waits with backoff and delivers again
 * from the first record that is not done. So delivery is at least once, and no record is skipped.
 */
export type BatchHandler = (records: LogRecord[], context: BatchContext) => Promise<void>;

export interface ConsumeOptions {
  /** Logical group name; the adapter adds the instance prefix. The same name on two topics is two groups. */
  group: string;
  /** Name of the group as the engine knows it, where others chose it. */
  groupId?: string;
  topic: string;
  handler: BatchHandler;
  /** Upper limits of one delivery. */
  maxRecords: number;
  maxBytes: number;
  /** Maximum number of partitions that this consumer handles at the same time. */
  concurrency: number;
  /** Where a group without committed offsets starts; default: earliest. */
  from?: "earliest" | "latest";
}

export interface Lag {
  partition: number;
  committed: number;
  /** Offset that the next record will get. */
  end: number;
  lag: number;
}

/** A partition that has lost acknowledged records: it ends, or ended, before the offset `known`. */
export interface LostRecords {
  topic: string;
  partition: number;
  known: number;
}

/** A record that could not be applied, with the reason and its origin. */
export interface DeadLetter {
  position: Position;
  origin: Position;
  reason: string;
  message: string;
  record: LogRecord;
}

/**
 * An ordered, replayable log of records: at-least-once delivery, order per key, consumer groups, lag, dead
 * letters (implemented over this port in `eventlog/dead-letters.ts`), replay.
 *
 * Not promised: exactly-once delivery, order across keys, or offsets without gaps. The code that opened a log
 * closes it; that does not stop its consumers, which are stopped as workers.
 */
export interface EventLog {
  readonly engine: "kafka" | "postgres";
  /** Creates missing topics; safe when several processes do it at once. */
  ensureTopics(topics: TopicSpec[]): Promise<void>;
  /**
   * Appends all records of one call in order; resolves when they are durable. Rejects with a 503 `AppError`
   * after `timeoutMs`, and with a `PermanentError` for records that the log can never hold: one over the
   * topic's limit is `record_too_large`. The records of a rejected publish may still have been stored.
   */
  publish(topic: string, records: NewRecord[], options: { timeoutMs: number }): Promise<Position[]>;
  /** Returns a worker that consumes while it runs. Its health state is `running`, `joining` or `waiting`. */
  consumer(options: ConsumeOptions): Worker;
  /**
   * The same for a topic owned by others: `options.topic` is its full name, without our prefix. The worker
   * waits until the topic exists. Absent when the engine has only our own topics.
   */
  readonly foreignConsumer?: (options: ConsumeOptions) => Worker;
  lag(group: string, topic: string): Promise<Lag[]>;
  /**
   * What the process that committed the offsets of a group stored with them, of each partition (`note` of the engine's
   * options). Absent where the log is in the metadata store itself.
   */
  readonly notes?: (group: string, topic: string) => Promise<string[]>;
  /**
   * Refuses to publish, with a 503, and to consume, until it is called with undefined: the log lacks records that it had
   * acknowledged. Absent where the log is in the metadata store itself.
   */
  readonly refuse?: (reason: string | undefined) => void;
  /** Why the log is refused. */
  readonly refusal?: () => string | undefined;
  /** Partitions in which a record got the offset of one that this process knows to be acknowledged. */
  readonly lost?: () => LostRecords[];
  /**
   * Sets the committed offsets of a group, which then starts from there. Rejects with a 503 `AppError` while the group has
   * members. Absent where the log is in the metadata store itself.
   */
  readonly rewind?: (
    group: string,
    topic: string,
    offsets: { partition: number; offset: number }[],
  ) => Promise<void>;
  /**
   * Records of one partition with `from <= offset < to`, at most `limit`, without a consumer group. Returns
   * fewer when they are large; none only when there are none.
   */
  read(
    topic: string,
    range: { partition: number; from: number; to?: number; limit: number },
  ): Promise<LogRecord[]>;
  /** First and next offset of each partition. */
  bounds(topic: string): Promise<{ partition: number; start: number; end: number }[]>;
  /** Deletes all records of a topic; later ones get higher offsets. For a restore, while nobody consumes. */
  truncate(topic: string): Promise<void>;
  /**
   * Deletes records past their topic's retention at `now` (milliseconds since the epoch), even unread ones,
   * and returns how many. Does nothing where the engine does so by itself. Called by housekeeping.
   */
  trim(now: number): Promise<number>;
  /** Rejects when the engine cannot be reached within `timeoutMs`. */
  ping(timeoutMs: number): Promise<void>;
  close(): Promise<void>;
}
