import type { EachBatchPayload } from "kafkajs";
import { messageOf } from "#kit/errors.ts";
import { protocolType } from "#eventlog/kafka/client.ts";
import { InFlightRecords } from "#eventlog/in-flight.ts";
import type { BatchContext, BatchHandler, LogRecord } from "#eventlog/port.ts";
import { PartitionLostError } from "#eventlog/records.ts";

interface DeliveryOptions {
  payload: EachBatchPayload;
  /** Logical topic name. */
  topic: string;
  handler: BatchHandler;
  heartbeatMs: number;
  /** Maximum in flight for more records to join the delivery. */
  maxRecords: number;
  maxBytes: number;
  /** Whether the consumer is still in the group generation that gave it this batch. */
  current: () => boolean;
  /** What is stored with the committed offset. */
  note?: () => string | undefined;
  /** Called with the number of records that are done. */
  done: (records: number) => void;
}

/** Broker errors that mean: this member, or its generation of the group, has ended. */
const over = ["UNKNOWN_MEMBER_ID", "ILLEGAL_GENERATION", "FENCED_INSTANCE_ID"];
/** Those after which the group gives its partitions out again. */
const rebalances = ["REBALANCE_IN_PROGRESS", ...over];

/**
 * Delivers what was fetched of a partition: runs the handler, sends heartbeats, commits offsets. What is fetched of the
 * partition meanwhile may join it.
 */
export class Delivery {
  readonly #abort = new AbortController();
  readonly #joinable = Promise.withResolvers<void>();
  readonly #inFlight: InFlightRecords;
  #take: ((records: LogRecord[]) => boolean) | undefined;
  #roomier = () => {};
  /** Whether the group may reassign the partition. */
  released = false;
  #next = -1;
  /** A failure of the client or the session, to be rethrown to the client's own loop. */
  broken: unknown;
  lost = false;
  /** Whether the client fetches what follows before this delivery has ended. */
  detached = false;

  constructor(private readonly options: DeliveryOptions) {
    this.#inFlight = new InFlightRecords(options);
  }

  /** Aborts when the handler should finish soon. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Resolves once the handler lets more records join. */
  get joinable(): Promise<void> {
    return this.#joinable.promise;
  }

  /**
   * Offset from which the partition has to be fetched again: that of the first record that is not done; null when there is none, or
   * this generation of the group has ended, so that the partition is read from the committed offset.
   */
  get left(): number | null {
    return this.lost || !this.options.current() ? null : this.#inFlight.first;
  }

  /** The group reassigns the partition: asks the handler to finish; what it finishes soon may still be committed. */
  release(): void {
    this.released = true;
    this.finish();
  }

  /** The group did not reassign the partition after all. */
  retain(): void {
    this.released = false;
  }

  finish(): void {
    this.#abort.abort();
    this.#roomier();
  }

  /** Handles `records`, and those that join them, and marks them done. Throws what the handler throws. */
  async handle(records: LogRecord[]): Promise<void> {
    const timer = setInterval(() => void this.#beat().catch(() => {}), this.options.heartbeatMs);
    this.#inFlight.add(records);
    try {
      await this.options.handler(records, this.#context());
      this.#take = undefined;
      const { last } = this.#inFlight;
      if (last !== null) await this.#done(last);
    } finally {
      this.#take = undefined;
      this.#roomier();
      clearInterval(timer);
    }
  }

  /** Adds `records`, which follow those in flight, once there is capacity. False when they have to be redelivered. */
  async join(records: LogRecord[]): Promise<boolean> {
    while (this.#take && !this.signal.aborted && !this.#inFlight.capacity) {
      await new Promise<void>((roomier) => this.#roomier = roomier);
    }
    if (!this.#take?.(records)) return false;
    this.#inFlight.add(records);
    return true;
  }

  #context(): BatchContext {
    return {
      signal: this.signal,
      heartbeat: () => this.#beat(),
      done: (offset) => this.#done(offset),
      join: (take) => {
        this.detached = true;
        this.#take = take;
        this.#joinable.resolve();
      },
    };
  }

  /**
   * Sends a heartbeat. When a rebalance has begun the handler is asked to finish; what it finishes is
   * still committed.
   */
  async #beat(): Promise<void> {
    this.#assertOurs();
    try {
      await this.options.payload.heartbeat();
    } catch (error) {
      this.broken ??= error;
      this.#refused(error);
    }
    this.#assertOurs();
  }

  async #done(offset: number): Promise<void> {
    if (offset < this.#next) return;
    this.#assertOurs();
    const { batch, resolveOffset, commitOffsetsIfNecessary } = this.options.payload;
    const { partition } = batch;
    const metadata = this.options.note?.() ?? null;
    const partitions = [{ partition, offset: String(offset + 1), metadata }];
    try {
      await commitOffsetsIfNecessary({ topics: [{ topic: batch.topic, partitions }] });
    } catch (error) {
      this.broken = error;
      this.#refused(error);
      throw new Error(`not marked done: ${messageOf(error)}`, { cause: error });
    }
    this.#next = offset + 1;
    if (!this.detached) resolveOffset(String(offset));
    this.options.done(this.#inFlight.done(offset));
    this.#roomier();
  }

  #refused(error: unknown): void {
    const type = protocolType(error) ?? "";
    this.lost ||= over.includes(type);
    this.released ||= rebalances.includes(type);
    this.finish();
  }

  #assertOurs(): void {
    if (this.lost || !this.options.current()) {
      this.lost = true;
      this.finish();
      throw new PartitionLostError(this.options.topic, this.options.payload.batch.partition);
    }
  }
}
