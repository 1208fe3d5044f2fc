import { createRequire } from "node:module";
import { afterAll, describe, expect, it } from "vitest";
import type { Worker } from "#kit/worker.ts";
import { distributed, kafkaBrokers } from "#test/support/engines/engines.ts";
import { openLog } from "#test/support/engines/logs.ts";
import { eventually } from "#test/support/eventually.ts";

type Call = (...args: unknown[]) => Promise<unknown>;
const require = createRequire(import.meta.url);
const brokerCalls: Record<"heartbeat" | "joinGroup", Call> =
  require("kafkajs/src/broker/index.js").prototype;
const { createErrorFromCode } = require("kafkajs/src/protocol/error.js");

/** Error codes of Kafka's protocol. */
const loadInProgress = 14;
const notCoordinator = 16;

/** The next calls fail with these codes, as a broker that restarts answers them. */
function failNext(name: keyof typeof brokerCalls, codes: number[]): () => number {
  const call = brokerCalls[name];
  brokerCalls[name] = function (this: unknown, ...args) {
    const code = codes.shift();
    return code === undefined
      ? call.apply(this, args)
      : Promise.reject(createErrorFromCode(code));
  };
  restored.push(() => void (brokerCalls[name] = call));
  return () => codes.length;
}
const restored: (() => void)[] = [];
afterAll(() => restored.forEach((restore) => restore()));

if (distributed()) {
  describe("a consumer of Kafka whose coordinator restarts", () => {
    const instance = `rejoin-${crypto.randomUUID().slice(0, 8)}`;
    const log = openLog({ engine: "kafka", brokers: kafkaBrokers(), instance, sessionMs: 6_000 });
    let worker: Worker;
    afterAll(async () => {
      await worker.stop();
      await log.close();
    });

    it("is running again once its membership holds, and receives what is published", async () => {
      const topic = "records";
      const received: string[] = [];
      await log.ensureTopics([{ name: topic, partitions: 1, maxRecordBytes: 1e6, retentionMs: 1e6 }]);
      worker = log.consumer({
        ...{ group: "group", topic, maxRecords: 10, maxBytes: 1e6, concurrency: 1 },
        handler: (records) => {
          received.push(...records.map(({ value }) => new TextDecoder().decode(value)));
          return Promise.resolve();
        },
      });
      await worker.start(() => {});
      await eventually(() => expect(worker.health().state).toBe("running"));
      const heartbeats = failNext("heartbeat", [notCoordinator]);
      const joins = failNext("joinGroup", [notCoordinator, loadInProgress]);
      await eventually(() => expect([heartbeats(), joins()]).toEqual([0, 0]));
      await eventually(() => expect(worker.health().state).toBe("running"), { within: 20_000 });
      const record = { key: null, headers: {}, value: new TextEncoder().encode("after") };
      await log.publish(topic, [record], { timeoutMs: 10_000 });
      await eventually(() => expect(received).toEqual(["after"]));
      expect(worker.health()).toMatchObject({ ready: true, state: "running" });
    });
  });
} else {
  it("is not tested in this run: only the embedded engines are", () => {
    expect(distributed()).toBe(false);
  });
}
