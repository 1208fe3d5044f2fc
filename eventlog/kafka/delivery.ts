import type { EachBatchPayload } from "kafkajs";
import { messageOf } from "#kit/errors.ts";
import { protocolType } from "#eventlog/kafka/client.ts";
import type { BatchContext, BatchHandler, LogRecord } from "#eventlog/port.ts";
import { PartitionLost } from "#eventlog/records.ts";

export interface DeliveryOptions {
  payload: EachBatchPayload;
  /** Logical topic name. */
  topic: string;
  handler: BatchHandler;
  heartbeatMs: number;
  /** Whether the consumer is still in the group generation that gave it this batch. */
  current: () => boolean;
}

/** Answers of a broker that say: this member or its generation is over. */
const over = ["UNKNOWN_MEMBER_ID", "ILLEGAL_GENERATION", "FENCED_INSTANCE_ID"];

/** One delivery at a time of one fetched batch: runs the handler, keeps the session, commits. */
export class Delivery {
  readonly #options: DeliveryOptions;
  readonly #abort = new AbortController();
  #next = -1;
  /** A failure of the client or the session; the client's own loop has to see it. */
  broken: unknown;
  lost = false;

  constructor(options: DeliveryOptions) {
    this.#options = options;
  }

  /** Aborts when the handler should come to an end. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  finish(): void {
    this.#abort.abort();
  }

  /** Handles `records` and marks them done. Throws what the handler throws. */
  async handle(records: LogRecord[]): Promise<void> {
    const timer = setInterval(() => void this.#beat().catch(() => {}), this.#options.heartbeatMs);
    try {
      await this.#options.handler(records, this.#context());
      await this.#done(records.at(-1)!.offset);
    } finally {
      clearInterval(timer);
    }
  }

  #context(): BatchContext {
    return {
      signal: this.signal,
      heartbeat: () => this.#beat(),
      done: (offset) => this.#done(offset),
    };
  }

  /** A rebalance that has begun asks the handler to finish, but what it finishes still counts. */
  async #beat(): Promise<void> {
    this.#assertOurs();
    try {
      await this.#options.payload.heartbeat();
    } catch (error) {
      this.broken ??= error;
      this.finish();
      if (over.includes(protocolType(error) ?? "")) this.lost = true;
    }
    this.#assertOurs();
  }

  async #done(offset: number): Promise<void> {
    if (offset < this.#next) return;
    this.#assertOurs();
    const { batch, resolveOffset, commitOffsetsIfNecessary } = this.#options.payload;
    const partitions = [{ partition: batch.partition, offset: String(offset + 1) }];
    try {
      await commitOffsetsIfNecessary({ topics: [{ topic: batch.topic, partitions }] });
    } catch (error) {
      this.broken = error;
      this.lost ||= over.includes(protocolType(error) ?? "");
      this.finish();
      throw new Error(`not marked done: ${messageOf(error)}`, { cause: error });
    }
    this.#next = offset + 1;
    resolveOffset(String(offset));
  }

  #assertOurs(): void {
    if (this.lost || !this.#options.current()) {
      this.lost = true;
      this.finish();
      throw new PartitionLost(this.#options.topic, this.#options.payload.batch.partition);
    }
  }
}
