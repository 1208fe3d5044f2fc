import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readRecord } from "#contract/openlineage/record.ts";
import { smallRunEvent, wholeRunEvent } from "#contract/openlineage/testing/samples.ts";
import { deadLetterHeaders, openlineageDeadLetters, openlineageEvents } from "#contract/topics.ts";
import type { LogRecord } from "#eventlog/port.ts";
import { Config } from "#platform/config/schema.ts";
import type { Service } from "#platform/service.ts";
import { distributed, kafkaBrokers } from "#test/support/engines/engines.ts";
import { type Instance, startInstance } from "#test/support/engines/instance.ts";
import { writeTopic } from "#test/support/engines/kafka-topic.ts";
import { eventually } from "#test/support/eventually.ts";
import { emitByPython, installPythonClient } from "#test/support/openlineage/clients.ts";
import { kafkaSourceWorkers } from "./worker.ts";

/** The source by itself: nothing else reads what it publishes. */
const source: Service = {
  name: "openlineage",
  create: (context) => ({ routes: [], workers: kafkaSourceWorkers(context) }),
};

async function recordsOf({ events }: Instance, topic: string): Promise<LogRecord[]> {
  const found: LogRecord[] = [];
  for (const { partition, start, end } of await events.bounds(topic)) {
    found.push(...await events.read(topic, { partition, from: start, to: end, limit: 1_000 }));
  }
  return found;
}

if (distributed()) {
  describe("the Kafka topic of others", () => {
    const topic = `openlineage_${crypto.randomUUID().slice(0, 8)}`;
    let instance: Instance;
    beforeAll(async () => {
      installPythonClient();
      await writeTopic(topic, []);
      const kafka = { brokers: kafkaBrokers().join(","), topic, "group-id": `${topic}_readers` };
      const config = { openlineage: { kafka } };
      instance = await startInstance("distributed", { services: [source], config });
    });
    afterAll(() => instance?.stop());

    it("is read: events and arrays are taken, what is none becomes a dead letter", async () => {
      const text = JSON.stringify;
      await writeTopic(topic, [
        text(smallRunEvent()),
        "nonsense",
        null,
        text([wholeRunEvent(), { run: {} }, smallRunEvent("COMPLETE")]),
        "[1",
      ]);
      await eventually(async () => {
        const taken = await recordsOf(instance, openlineageEvents);
        expect(taken.map(({ key }) => key).sort()).toEqual([
          "run:airflow/all",
          "run:airflow/daily.totals",
          "run:airflow/daily.totals",
        ]);
        for (const record of taken) expect(readRecord(record, Date.now()).origin).toBe("kafka");
        const deadLetters = await recordsOf(instance, openlineageDeadLetters);
        expect(deadLetters.map(({ headers }) => headers[deadLetterHeaders.reason]).sort())
          .toEqual(["not_an_event", "not_an_event", "not_json"]);
        expect(deadLetters.map(({ headers }) => headers[deadLetterHeaders.originTopic]))
          .toEqual([topic, topic, topic]);
      });
      await eventually(async () => {
        const rows = await instance.test.db.query("SELECT kind FROM openlineage_complaint");
        expect(rows.map(({ kind }) => kind).sort()).toEqual(["refused", "refused", "unreadable"]);
      });
    });

    it("is read of what the client's own transport writes there", async () => {
      const config = { "bootstrap.servers": kafkaBrokers().join(",") };
      const transport = JSON.stringify({ type: "kafka", topic, config, flush: true });
      await emitByPython({ OPENLINEAGE__TRANSPORT: transport }, "by-kafka", 5);
      await eventually(async () => {
        const keys = (await recordsOf(instance, openlineageEvents)).map(({ key }) => key);
        expect(keys.filter((key) => key === "run:by-kafka/daily")).toHaveLength(10);
        expect(keys).toContain("job:by-kafka/declared");
      });
    });
  });
}

describe("openlineage.kafka", () => {
  const problems = (config: object) =>
    Config.safeParse(config).error?.issues.map(({ path, message }) =>
      `${path.join(".")}: ${message}`
    ) ?? [];
  const brokers = "kafka:9092";

  it("needs the event log in Kafka", () => {
    expect(problems({ openlineage: { kafka: { brokers } } }))
      .toEqual(["openlineage.kafka.brokers: needs event-log.kafka.brokers"]);
    expect(problems({ "event-log": { kafka: { brokers } }, openlineage: { kafka: { brokers } } }))
      .toEqual([]);
  });

  it("is not the topic that events are put into", () => {
    const kafka = { brokers, topic: "tributary.openlineage.events" };
    expect(problems({ "event-log": { kafka: { brokers } }, openlineage: { kafka } })).toEqual([
      "openlineage.kafka.topic: must be a topic of others: this one is where events are put",
    ]);
  });

  it("tells of settings that do nothing", () => {
    expect(problems({ openlineage: { kafka: { sasl: { mechanism: "plain" } } } })).toEqual([
      "openlineage.kafka.sasl.mechanism: does nothing without openlineage.kafka.brokers",
      "openlineage.kafka.sasl.username: is required when openlineage.kafka.sasl.mechanism is set",
      "openlineage.kafka.sasl.password: is required when openlineage.kafka.sasl.mechanism is set",
    ]);
  });
});
