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

/** Broker errors that mean: this member, or its generation of the group, has ended. */
const over = ["UNKNOWN_MEMBER_ID", "ILLEGAL_GENERATION", "FENCED_INSTANCE_ID"];

/** Delivers one fetched batch: runs the handler, sends heartbeats, commits offsets. */
export class Delivery {
  readonly #options: DeliveryOptions;
  readonly #abort = new AbortController();
  #next = -1;
  /** A failure of the client or the session, to be rethrown to the client's own loop. */
  broken: unknown;
  lost = false;

  constructor(options: DeliveryOptions) {
    this.#options = options;
  }

  /** Aborts when the handler should finish soon. */
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

  /**
   * Sends a heartbeat. When a rebalance has begun the handler is asked to finish; what it finishes is
   * still committed.
   */
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
