import { Buffer } from "node:buffer";
import kafkajs from "kafkajs";
import { kafkaClient } from "#eventlog/kafka/client.ts";
import { systemClock } from "#kit/clock.ts";
import { silentLogger } from "#kit/log.ts";
import { noMetrics } from "#kit/metrics.ts";
import { kafkaBrokers } from "#test/support/engines/engines.ts";
import { eventually } from "#test/support/eventually.ts";

/**
 * Writes records into a topic of the shared Kafka as a program outside the product does: no key, no header, all in one
 * request. Creates the topic, with two partitions, if it does not exist.
 */
export async function writeTopic(
  topic: string,
  values: (Uint8Array | string | null)[],
  { gzip = false } = {},
): Promise<void> {
  const client = kafkaClient({
    brokers: kafkaBrokers(),
    instance: "exporter",
    replicationFactor: 1,
    log: silentLogger,
    metrics: noMetrics,
    clock: systemClock,
    sessionMs: 6_000,
  });
  const [admin, producer] = [client.admin(), client.producer()];
  await admin.connect();
  await admin.createTopics({ topics: [{ topic, numPartitions: 2 }], waitForLeaders: false });
  // A young broker answers "does not host this topic-partition" for a moment.
  await eventually(() => admin.fetchTopicMetadata({ topics: [topic] }));
  await admin.disconnect();
  if (values.length === 0) return;
  await producer.connect();
  const compression = gzip ? kafkajs.CompressionTypes.GZIP : kafkajs.CompressionTypes.None;
  const messages = values.map((value) => ({ value: value === null ? null : Buffer.from(value) }));
  await producer.send({ topic, messages, compression });
  await producer.disconnect();
}
