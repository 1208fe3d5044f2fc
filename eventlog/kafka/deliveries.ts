import type { Consumer, EachBatchPayload } from "kafkajs";
import { alive, deliveryReports } from "#eventlog/in-flight.ts";
import type { KafkaLogOptions } from "#eventlog/kafka/client.ts";
import { Delivery } from "#eventlog/kafka/delivery.ts";
import { toRecord } from "#eventlog/kafka/reader.ts";
import type { ConsumeOptions, LogRecord } from "#eventlog/port.ts";
import { recordBatches, recordBytes } from "#eventlog/records.ts";

interface DeliveriesOptions {
  consumer: Consumer;
  options: KafkaLogOptions;
  consume: ConsumeOptions;
  /** Name of the topic in Kafka. */
  wireTopic: string;
  /** Aborts when the consumer stops. */
  signal: AbortSignal;
  heartbeatMs: number;
}

interface OpenDelivery {
  delivery: Delivery;
  /** Resolves when it has ended, however it did. */
  ended: Promise<void>;
}

/** Milliseconds of work on one fetched batch before the other partitions are fetched again. */
const turnMs = 500;

/**
 * Runs the deliveries of one consumer, one at a time of each partition. The client fetches more from a broker only when
 * all that it gave has been taken; so a delivery that lets records join it is not waited for.
 */
export class Deliveries {
  readonly #failures = new Map<number, number>();
  readonly #inFlight = new Set<Delivery>();
  /** By partition, those that go on while the client fetches more. */
  readonly #open = new Map<number, OpenDelivery>();
  /** By partition, where released deliveries stopped: the client has already fetched past these offsets. */
  readonly #stoppedAt = new Map<number, number>();
  readonly #reports;
  readonly #labels;
  #generation = 0;

  constructor(private readonly given: DeliveriesOptions) {
    const { options, consume: { group, topic } } = given;
    this.#labels = { group, topic };
    this.#reports = deliveryReports(options, this.#labels);
  }

  /** Partitions whose handler threw, until it succeeds. */
  get failing(): number[] {
    return [...this.#failures.keys()];
  }

  /** To be called when the consumer became a member of a new generation of its group. */
  begin(): void {
    this.#generation++;
    this.#failures.clear();
    this.release();
    this.#stoppedAt.clear();
  }

  /** To be called when the group gives its partitions out again. */
  release(): void {
    for (const delivery of this.#inFlight) delivery.release();
  }

  /**
   * To be called when the group did not reassign its partitions after `release`: what released deliveries left is fetched
   * again, since no new assignment starts from the committed offsets.
   */
  retain(): void {
    for (const delivery of this.#inFlight) delivery.retain();
    for (const [partition, offset] of this.#stoppedAt) this.#seek(partition, offset);
    this.#stoppedAt.clear();
  }

  /** Asks all handlers to finish; resolves when those that the client does not wait for have ended. */
  async stop(): Promise<void> {
    for (const delivery of this.#inFlight) delivery.finish();
    await Promise.all([...this.#open.values()].map(({ ended }) => ended));
  }

  /** Delivers what the client fetched of a partition, or has it join what is being delivered. */
  async deliver(payload: EachBatchPayload): Promise<void> {
    const open = this.#open.get(payload.batch.partition);
    const batches = this.#batchesOf(payload);
    if (open) return await this.#join(open, payload, batches);
    const delivery = this.#newDelivery(payload);
    const ended = this.#run(payload, delivery, batches);
    await Promise.race([delivery.joinable, ended]);
    if (delivery.detached) {
      const begun = { delivery, ended };
      this.#leaveOpen(payload, begun);
      payload.resolveOffset(String(batches[0]!.at(-1)!.offset));
      return await this.#join(begun, payload, batches.slice(1));
    }
    // Rethrown for the client's own loop, which joins the group again or reconnects, depending on the error.
    if (delivery.broken) throw delivery.broken;
  }

  #newDelivery(payload: EachBatchPayload): Delivery {
    const generation = this.#generation;
    const { consume: { topic, handler, maxRecords, maxBytes }, heartbeatMs } = this.given;
    const { note } = this.given.options;
    return new Delivery({
      payload,
      topic,
      handler,
      maxRecords,
      maxBytes,
      heartbeatMs,
      note,
      current: () => this.#generation === generation,
      done: (records) => {
        this.#failures.delete(payload.batch.partition);
        this.#reports.done(records);
      },
    });
  }

  /** What was fetched, in batches of the size that the handler takes. */
  #batchesOf({ batch: { messages, partition } }: EachBatchPayload): LogRecord[][] {
    const { consume } = this.given;
    const records = messages.map((m) => toRecord(consume.topic, partition, m));
    const sized = records.map((record) => ({ record, bytes: recordBytes(record) }));
    return recordBatches(sized, consume).map((batch) => batch.map(({ record }) => record));
  }

  /** What a delivery leaves when it ends is fetched again. */
  #leaveOpen({ batch: { partition } }: EachBatchPayload, open: OpenDelivery): void {
    this.#open.set(partition, open);
    void open.ended.then(() => {
      this.#open.delete(partition);
      const { left, released } = open.delivery;
      if (left === null) return;
      if (released) this.#stoppedAt.set(partition, left);
      else this.#seek(partition, left);
    });
  }

  #seek(partition: number, offset: number): void {
    const { wireTopic: topic, signal } = this.given;
    if (signal.aborted) return;
    this.#notify((consumer) => consumer.seek({ topic, partition, offset: String(offset) }));
  }

  /** Has records join a delivery. Where it takes no more, waits for its end: the others are fetched again then. */
  async #join(
    open: OpenDelivery,
    payload: EachBatchPayload,
    batches: LogRecord[][],
  ): Promise<void> {
    for (const batch of batches) {
      if (payload.isStale()) return;
      if (!(await open.delivery.join(batch))) return await alive(payload, () => open.ended);
      payload.resolveOffset(String(batch.at(-1)!.offset));
    }
  }

  /** Never rejects. */
  async #run(
    payload: EachBatchPayload,
    delivery: Delivery,
    batches: LogRecord[][],
  ): Promise<void> {
    this.#inFlight.add(delivery);
    try {
      await this.#handle(payload, delivery, batches);
    } catch (error) {
      if (!delivery.broken && !delivery.signal.aborted) this.#pause(payload, error);
    } finally {
      this.#inFlight.delete(delivery);
    }
  }

  async #handle(
    payload: EachBatchPayload,
    delivery: Delivery,
    batches: LogRecord[][],
  ): Promise<void> {
    const { options: { clock }, signal } = this.given;
    const end = clock.now() + turnMs;
    for (const batch of batches) {
      if (signal.aborted || delivery.signal.aborted || payload.isStale()) return;
      await delivery.handle(batch);
      // The others join it.
      if (delivery.detached || clock.now() > end) return;
    }
  }

  #pause({ batch: { topic, partition } }: EachBatchPayload, error: unknown): void {
    const { options: { clock }, signal } = this.given;
    const failures = (this.#failures.get(partition) ?? 0) + 1;
    this.#failures.set(partition, failures);
    const delay = this.#reports.failed({ partition, failures }, error);
    const partitions = [{ topic, partitions: [partition] }];
    this.#notify((consumer) => consumer.pause(partitions));
    void clock.sleep(delay, signal).then(() => {
      if (!signal.aborted) this.#notify((consumer) => consumer.resume(partitions));
    });
  }

  /** A consumer that the client gave up meanwhile refuses everything; the next one begins at what is committed. */
  #notify(what: (consumer: Consumer) => void): void {
    try {
      what(this.given.consumer);
    } catch (error) {
      this.given.options.log.info("consumer had ended and is restarted", {
        ...this.#labels,
        error,
      });
    }
  }
}
