import { afterAll, afterEach, describe, expect, it } from "vitest";
import type { Worker } from "#kit/worker.ts";
import { brokerErrors, failNextCalls } from "#test/support/engines/broker-errors.ts";
import { distributed, kafkaBrokers } from "#test/support/engines/engines.ts";
import { openLog } from "#test/support/engines/logs.ts";
import { eventually } from "#test/support/eventually.ts";

const { unknownTopic, loadInProgress, notCoordinator } = brokerErrors;

if (distributed()) {
  describe("Kafka that has just started", () => {
    const instance = `young-${crypto.randomUUID().slice(0, 8)}`;
    const log = openLog({ engine: "kafka", brokers: kafkaBrokers(), instance, sessionMs: 6_000 });
    const spec = { partitions: 1, maxRecordBytes: 1e6, retentionMs: 1e6 };
    const publish = (topic: string, text: string) => {
      const record = { key: null, headers: {}, value: new TextEncoder().encode(text) };
      return log.publish(topic, [record], { timeoutMs: 10_000 });
    };
    const restores: (() => void)[] = [];
    let worker: Worker | undefined;
    afterEach(() => restores.splice(0).forEach((restore) => restore()));
    afterAll(async () => {
      await worker?.stop();
      await log.close();
    });

    function fail(...given: Parameters<typeof failNextCalls>): () => number {
      const { left, restore } = failNextCalls(...given);
      restores.unshift(restore);
      return left;
    }

    it("creates topics that the broker does not know at once", async () => {
      const ofTopic = (topics: unknown) =>
        Array.isArray(topics) && topics.includes(`${instance}.created`);
      const left = fail("metadata", Array(6).fill(unknownTopic), ofTopic);
      await log.ensureTopics([{ ...spec, name: "created" }]);
      expect(left()).toBe(0);
      expect(await publish("created", "first")).toMatchObject([{ partition: 0, offset: 0 }]);
    });

    it("is read once the coordinator of the temporary group knows it", async () => {
      await log.ensureTopics([{ ...spec, name: "read" }]);
      await publish("read", "first");
      const joins = fail("joinGroup", Array(6).fill(notCoordinator));
      const [record] = await log.read("read", { partition: 0, from: 0, limit: 1 });
      expect(new TextDecoder().decode(record!.value)).toBe("first");
      expect(joins()).toBe(0);
    });

    it("a consumer is running again once its membership holds, and receives what is published", async () => {
      const topic = "consumed";
      const received: string[] = [];
      await log.ensureTopics([{ ...spec, name: topic }]);
      worker = log.consumer({
        ...{ group: "group", topic, maxRecords: 10, maxBytes: 1e6, concurrency: 1 },
        handler: (records) => {
          received.push(...records.map(({ value }) => new TextDecoder().decode(value)));
          return Promise.resolve();
        },
      });
      await worker.start(() => {});
      await eventually(() => expect(worker!.health().state).toBe("running"));
      const heartbeats = fail("heartbeat", [notCoordinator]);
      const joins = fail("joinGroup", [notCoordinator, loadInProgress]);
      await eventually(() => expect([heartbeats(), joins()]).toEqual([0, 0]));
      await eventually(() => expect(worker!.health().state).toBe("running"), { within: 20_000 });
      await publish(topic, "after");
      await eventually(() => expect(received).toEqual(["after"]));
      expect(worker.health()).toMatchObject({ ready: true, state: "running" });
    });
  });
} else {
  it("is not tested in this run: only the embedded engines are", () => {
    expect(distributed()).toBe(false);
  });
}
