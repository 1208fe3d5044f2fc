import { Buffer } from "node:buffer";
import kafkajs from "kafkajs";
import { describe, expect, it } from "vitest";
import { kafkaClient } from "#eventlog/kafka/client.ts";
import { systemClock } from "#kit/clock.ts";
import { silentLogger } from "#kit/log.ts";
import { noMetrics } from "#kit/metrics.ts";
import { distributed, kafkaBrokers } from "#test/support/engines/engines.ts";
import { eventually } from "#test/support/eventually.ts";
import { factsInLog, startGateway } from "#test/support/traces/gateway.ts";
import { newId, otlpBytes, otlpJson, serverSpans } from "#test/support/traces/otlp.ts";

/** Writes records as the Collector's exporter does: no key, no header, a request each. */
async function write(topic: string, values: (Uint8Array | string | null)[], gzip = false) {
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
  await admin.createTopics({ topics: [{ topic, numPartitions: 2 }], waitForLeaders: true });
  await admin.disconnect();
  await producer.connect();
  const compression = gzip ? kafkajs.CompressionTypes.GZIP : kafkajs.CompressionTypes.None;
  const messages = values.map((value) => ({ value: value === null ? null : Buffer.from(value) }));
  await producer.send({ topic, messages, compression });
  await producer.disconnect();
}

function traced(count: number) {
  const traceId = newId(16);
  const request = serverSpans(count);
  for (const span of request.spans) span.traceId = traceId;
  return { traceId, request };
}

if (distributed()) {
  describe("topicReceivers", () => {
    it("topicReceivers: what exporters write into their topic is taken, poison is passed over", async () => {
      const topic = `otlp_spans_${newId(8)}`;
      const gateway = await startGateway("distributed", { "otlp-topic": topic });
      try {
        const [first, second, third] = [traced(3), traced(2), traced(4)];
        await write(topic, [
          otlpBytes([first.request]),
          Buffer.from([0xff, 0xff, 0xff]),
          null,
          otlpJson([second.request]),
        ]);
        await write(topic, [otlpBytes([third.request])], true);
        const ids = [first, second, third].map(({ traceId }) => traceId);
        await eventually(async () => {
          const facts = await factsInLog(gateway.events);
          const counts = ids.map((id) => facts.filter(({ traceId }) => traceId === id).length);
          expect(counts).toEqual([3, 2, 4]);
          expect(gateway.logs.join()).toContain("record is no trace request");
        });
        const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
        expect(metrics).toContain(
          'tributary_traces_requests_total{protocol="kafka",outcome="malformed"} 1',
        );
      } finally {
        await gateway.stop();
      }
    });
  });
}

it("topicReceivers: a topic without Kafka is refused at start, naming what is missing", async () => {
  await expect(startGateway("embedded", { "otlp-topic": "otlp_spans" })).rejects.toThrow(
    "event-log.kafka.brokers",
  );
});
