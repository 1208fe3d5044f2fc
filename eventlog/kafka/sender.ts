import { Buffer } from "node:buffer";
import kafkajs, { type Kafka, type Message, type Producer, type RecordMetadata } from "kafkajs";
import type { Clock } from "#kit/clock.ts";
import { type AppError, messageOf, PermanentError, unavailable } from "#kit/errors.ts";
import type { Logger } from "#kit/log.ts";
import type { Metrics } from "#kit/metrics.ts";
import { brief, protocolType } from "#eventlog/kafka/client.ts";
import type { LostRecords, Position } from "#eventlog/port.ts";
import type { PartitionedRecord } from "#eventlog/records.ts";

export interface SenderOptions {
  kafka: Kafka;
  log: Logger;
  metrics: Metrics;
  clock: Clock;
  /** Called when a record got the offset of one that had been acknowledged: the broker has lost that one. */
  lost?: (records: LostRecords, text: string) => void;
}

/** A publish that waits or is being sent. */
interface QueuedPublish {
  wireTopic: string;
  topic: string;
  records: PartitionedRecord[];
  stored: Position[];
  bytes: number;
  settled: boolean;
  settle(error?: Error): void;
}

/** Consecutive records of one publish, within one send. */
interface QueuedRecords {
  waiting: QueuedPublish;
  records: PartitionedRecord[];
}

/** Partitions whose newest offset is remembered. */
const maxPartitions = 10_000;
/** Bytes of records in one send; a single larger record is sent alone. */
const maxSendBytes = 900 * 1024;
/** Maximum number of bytes that may wait; further publishes are refused at once. */
const maxWaitingBytes = 96 * 1024 * 1024;

/**
 * Sends publishes one after another; those that arrive meanwhile share the next send. Only one at a time,
 * because the client numbers the records of an idempotent producer per send and reuses the numbers when a
 * send fails: with two sends in flight, or after a failure whose records had been stored, the broker would
 * mistake other records for duplicates and drop them. So a producer that failed is replaced.
 */
export class Sender {
  readonly #queue: QueuedPublish[] = [];
  readonly #waiting;
  #bytes = 0;
  #running = false;
  #closed = false;
  #alone = false;
  #producer: Producer | undefined;
  /** The offset after the newest acknowledged record, by partition in Kafka. */
  readonly #next = new Map<string, number>();

  constructor(private readonly options: SenderOptions) {
    this.#waiting = options.metrics.gauge(
      "tributary_log_publish_waiting_bytes",
      "Bytes of records waiting to be sent to Kafka",
    );
  }

  /** Resolves when all are durable; 503 after `timeoutMs`, and records not sent by then are dropped. */
  send(wireTopic: string, topic: string, records: PartitionedRecord[], timeoutMs: number) {
    const bytes = records.reduce((sum, r) => sum + r.bytes, 0);
    if (this.#closed) return Promise.reject(unavailable("The event log is closed"));
    if (this.#bytes > 0 && this.#bytes + bytes > maxWaitingBytes) {
      return Promise.reject(unavailable("Too much waits for the event log already"));
    }
    return new Promise<Position[]>((resolve, reject) => {
      const late = () => waiting.settle(unavailable("The event log did not answer in time"));
      const timer = setTimeout(late, timeoutMs);
      const waiting: QueuedPublish = {
        wireTopic,
        topic,
        records,
        bytes,
        stored: [],
        settled: false,
        settle: (error) => {
          if (waiting.settled) return;
          waiting.settled = true;
          clearTimeout(timer);
          this.#account(-bytes);
          if (error) reject(error);
          else resolve(waiting.stored);
        },
      };
      this.#account(bytes);
      this.#queue.push(waiting);
      void this.#run();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    const closed: AppError = unavailable("The event log is closed");
    for (const waiting of this.#queue.splice(0)) waiting.settle(closed);
    await this.#replace();
  }

  async #run(): Promise<void> {
    if (this.#running) return;
    this.#running = true;
    for (let batch = this.#take(); batch.length > 0; batch = this.#take()) {
      try {
        this.#stored(batch, await this.#transmit(batch));
        this.#alone = false;
      } catch (error) {
        await this.#failed(batch, error);
      }
    }
    this.#running = false;
  }

  /** Takes records from the front of the queue; they stay in it until they are stored. */
  #take(): QueuedRecords[] {
    while (this.#queue[0]?.settled) this.#queue.shift();
    const batch: QueuedRecords[] = [];
    let bytes = 0;
    for (const waiting of this.#queue) {
      if (waiting.settled) continue;
      const rest = waiting.records.slice(waiting.stored.length);
      const fits = rest.findIndex((r) => (bytes += r.bytes) > maxSendBytes);
      const taken = fits < 0 ? rest : rest.slice(0, batch.length === 0 ? Math.max(1, fits) : fits);
      if (taken.length > 0) batch.push({ waiting, records: taken });
      if (fits >= 0 || this.#alone) break;
    }
    return batch;
  }

  async #transmit(batch: QueuedRecords[]): Promise<RecordMetadata[]> {
    this.#producer ??= this.options.kafka.producer({
      idempotent: true,
      retry: brief,
      allowAutoTopicCreation: false,
      createPartitioner: kafkajs.Partitioners.DefaultPartitioner,
    });
    await this.#producer.connect();
    const byTopic = Map.groupBy(batch, ({ waiting }) => waiting.wireTopic);
    return this.#producer.sendBatch({
      acks: -1,
      compression: kafkajs.CompressionTypes.GZIP,
      topicMessages: Array.from(byTopic, ([topic, queued]) => ({
        topic,
        messages: queued.flatMap(({ records }) => records.map(messageOfRecord)),
      })),
    });
  }

  #stored(batch: QueuedRecords[], answers: RecordMetadata[]): void {
    const next = new Map(
      answers.map((a) => [`${a.topicName}/${a.partition}`, Number(a.baseOffset ?? a.offset)]),
    );
    const lost = [...next].find(([key, offset]) => offset < (this.#next.get(key) ?? 0));
    if (lost && this.options.lost) return this.#lost(batch, lost);
    for (const { waiting, records } of batch) {
      for (const { partition } of records) {
        const key = `${waiting.wireTopic}/${partition}`;
        const offset = next.get(key) ?? -1;
        next.set(key, offset + 1);
        waiting.stored.push({ topic: waiting.topic, partition, offset });
      }
      if (waiting.stored.length === waiting.records.length) waiting.settle();
    }
    if (this.#next.size > maxPartitions) this.#next.clear();
    for (const [key, offset] of next) this.#next.set(key, offset);
  }

  /** These publishes fail, although their records are stored: they may be sent again, and have one effect. */
  #lost(batch: QueuedRecords[], [key, offset]: [string, number]): void {
    const { waiting: { topic } } = batch.find(({ waiting }) =>
      key.startsWith(`${waiting.wireTopic}/`)
    )!;
    const [partition, known] = [Number(key.split("/").at(-1)), this.#next.get(key)!];
    const text =
      `Kafka has lost records that it acknowledged: partition ${partition} of ${topic} gave offset ` +
      `${offset} again, ${known} was next. Put the former data back, or accept the loss with ` +
      "`npm run failover -- accept`";
    this.options.lost?.({ topic, partition, known }, text);
    for (const { waiting } of batch) waiting.settle(unavailable(text));
    for (const waiting of this.#queue.splice(0)) waiting.settle(unavailable(text));
  }

  /** What was lost has been accepted. */
  forgetOffsets(): void {
    this.#next.clear();
  }

  async #failed(batch: QueuedRecords[], error: unknown): Promise<void> {
    this.options.log.warn("records not sent to Kafka", { error: messageOf(error) });
    await this.#replace();
    const tooLarge = ["MESSAGE_TOO_LARGE", "RECORD_LIST_TOO_LARGE"].includes(
      protocolType(error) ?? "",
    );
    if (!tooLarge) return this.options.clock.sleep(100);
    // From now on publishes are sent one by one, to find the one that fails.
    if (batch.length > 1) this.#alone = true;
    else {
      const { topic } = batch[0]!.waiting;
      batch[0]!.waiting.settle(
        new PermanentError("record_too_large", `A record is too large for topic ${topic}`),
      );
    }
  }

  async #replace(): Promise<void> {
    const old = this.#producer;
    this.#producer = undefined;
    await old?.disconnect().catch(() => {});
  }

  #account(bytes: number): void {
    this.#bytes += bytes;
    this.#waiting.set({}, this.#bytes);
  }
}

function messageOfRecord({ key, value, headers, partition }: PartitionedRecord): Message {
  return {
    key: key === null ? null : Buffer.from(key),
    value: Buffer.from(value.buffer, value.byteOffset, value.byteLength),
    headers,
    partition,
  };
}
