import { Buffer } from "node:buffer";
import { describe, expect, it } from "vitest";
import { distributed } from "#test/support/engines/engines.ts";
import { writeTopic } from "#test/support/engines/kafka-topic.ts";
import { eventually } from "#test/support/eventually.ts";
import { factsInLog, startGateway } from "#test/support/traces/gateway.ts";
import { newId, otlpBytes, otlpJson, serverSpans } from "#test/support/traces/otlp.ts";

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
        await writeTopic(topic, [
          otlpBytes([first.request]),
          Buffer.from([0xff, 0xff, 0xff]),
          null,
          otlpJson([second.request]),
        ]);
        await writeTopic(topic, [otlpBytes([third.request])], { gzip: true });
        const ids = [first, second, third].map(({ traceId }) => traceId);
        await eventually(async () => {
          const facts = await factsInLog(gateway.events);
          // Records may be read again after a rebalance; their spans keep their ids.
          const counts = ids.map((id) =>
            new Set(facts.filter(({ traceId }) => traceId === id).map(({ spanId }) => spanId)).size
          );
          expect(counts).toEqual([3, 2, 4]);
          expect(gateway.logs.join()).toContain("record is no trace request");
        });
        const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
        // More than once when it was read again.
        expect(metrics).toMatch(
          /^tributary_traces_requests_total\{protocol="kafka",outcome="malformed"\} [1-9]/m,
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
