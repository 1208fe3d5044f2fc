import { Buffer } from "node:buffer";
import kafkajs, {
  type Consumer,
  type IHeaders,
  type Kafka,
  type KafkaMessage,
  type PartitionAssigner,
} from "kafkajs";
import { unavailable } from "#kit/errors.ts";
import { withTimeout } from "#kit/retry.ts";
import { brief } from "#eventlog/kafka/client.ts";
import type { LogRecord } from "#eventlog/port.ts";

interface ReadRange {
  wireTopic: string;
  /** Logical topic name, for the records. */
  topic: string;
  partition: number;
  from: number;
  /** Exclusive; not beyond the end of the partition. */
  to: number;
  limit: number;
}

/** Maximum number of bytes that one read returns; a single larger record is returned alone. */
const maxReadBytes = 64 * 1024 * 1024;

const { MemberAssignment, MemberMetadata } = kafkajs.AssignerProtocol;

/**
 * Reads a range through a temporary consumer group of one member, because the client has no other way to
 * read. Its assigner takes only this partition; it commits nothing.
 */
export async function readRange(
  kafka: Kafka,
  groupId: string,
  range: ReadRange,
  timeoutMs: number,
): Promise<LogRecord[]> {
  const consumer = kafka.consumer({
    groupId,
    partitionAssigners: [only(range)],
    maxWaitTimeInMs: 50,
    maxBytesPerPartition: 4 * 1024 * 1024,
    allowAutoTopicCreation: false,
    retry: { ...brief, restartOnFailure: () => Promise.resolve(false) },
  });
  try {
    const late = () => unavailable("The event log did not answer in time");
    return await withTimeout(collect(consumer, range), timeoutMs, late);
  } finally {
    await consumer.disconnect().catch(() => {});
  }
}

async function collect(consumer: Consumer, range: ReadRange): Promise<LogRecord[]> {
  const records: LogRecord[] = [];
  let bytes = 0;
  const full = () => records.length >= range.limit || bytes >= maxReadBytes;
  await consumer.connect();
  await consumer.subscribe({ topic: range.wireTopic, fromBeginning: true });
  const whole = new Promise<void>((resolve, reject) => {
    consumer.on(consumer.events.CRASH, ({ payload }) => reject(payload.error));
    const running = consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: true,
      eachBatch: ({ batch }) => {
        for (const message of batch.messages) {
          const record = toRecord(range.topic, batch.partition, message);
          if (record.offset < range.from || full()) continue;
          if (record.offset < range.to) records.push(record);
          bytes += record.value.byteLength;
        }
        const reached = Number(batch.lastOffset()) + 1 >= range.to;
        if (reached || full()) resolve();
        return Promise.resolve();
      },
    });
    const { wireTopic: topic, partition, from } = range;
    running.then(() => consumer.seek({ topic, partition, offset: String(from) })).catch(reject);
  });
  await whole;
  return records;
}

function only({ wireTopic, partition }: ReadRange): PartitionAssigner {
  return () => ({
    name: "one-partition",
    version: 0,
    assign: ({ members }) =>
      Promise.resolve(members.map(({ memberId }) => ({
        memberId,
        memberAssignment: MemberAssignment.encode({
          version: 0,
          assignment: { [wireTopic]: [partition] },
          userData: Buffer.alloc(0),
        }),
      }))),
    protocol: ({ topics }) => ({
      name: "one-partition",
      metadata: MemberMetadata.encode({ version: 0, topics, userData: Buffer.alloc(0) }),
    }),
  });
}

/** Converts a Kafka message to a record of the port; texts are UTF-8, and a null value becomes empty. */
export function toRecord(topic: string, partition: number, message: KafkaMessage): LogRecord {
  return {
    topic,
    partition,
    offset: Number(message.offset),
    key: message.key === null ? null : message.key.toString("utf8"),
    value: message.value ?? new Uint8Array(),
    headers: textHeaders(message.headers ?? {}),
    timestamp: timeOf(message),
  };
}

/** The latest time that a `Date` can represent, milliseconds since the epoch. */
const lastTime = 8_640_000_000_000_000;

/**
 * The record's time according to the broker. A topic may keep times chosen by producers, so it is limited to
 * what a `Date` can represent.
 */
function timeOf(message: KafkaMessage): number {
  return Math.min(Math.max(0, Number(message.timestamp)), lastTime);
}

/** Of a header that occurs several times, the first is used. */
function textHeaders(headers: IHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const first = Array.isArray(value) ? value[0] : value;
      return [name, first?.toString() ?? ""];
    }),
  );
}
