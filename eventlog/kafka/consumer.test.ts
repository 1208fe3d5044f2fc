import { setImmediate } from "node:timers/promises";
import type { Consumer, EachBatchPayload, Kafka } from "kafkajs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "#kit/clock.ts";
import { silentLogger } from "#kit/log.ts";
import { noMetrics } from "#kit/metrics.ts";
import { KafkaConsumer } from "#eventlog/kafka/consumer.ts";
import type { BatchContext, BatchHandler, LogRecord } from "#eventlog/port.ts";
import { eventually } from "#test/support/eventually.ts";

const events = {
  GROUP_JOIN: "consumer.group_join",
  HEARTBEAT: "consumer.heartbeat",
  REBALANCING: "consumer.rebalancing",
  CRASH: "consumer.crash",
} as const;

/** kafkajs's consumer as far as ours uses it: the test emits its events and delivers its batches. */
class FakeConsumer {
  readonly events = events;
  readonly seeks: { partition: number; offset: string }[] = [];
  deliver: (payload: EachBatchPayload) => Promise<void> = () => Promise.reject(new Error("idle"));
  readonly #listeners = new Map<string, (event: unknown) => void>();

  on = (name: string, listener: (event: unknown) => void) => this.#listeners.set(name, listener);
  emit = (name: keyof typeof events) => this.#listeners.get(events[name])!({ payload: {} });
  connect = () => Promise.resolve();
  subscribe = () => Promise.resolve();
  disconnect = () => Promise.resolve();
  seek = (place: { partition: number; offset: string }) => void this.seeks.push(place);
  run = ({ eachBatch }: { eachBatch: FakeConsumer["deliver"] }) => {
    this.deliver = eachBatch;
    return Promise.resolve();
  };
}

const message = (offset: number) => ({
  key: null,
  value: new Uint8Array(),
  headers: {},
  timestamp: "0",
  offset: String(offset),
});

function payloadOf(offsets: number[]): EachBatchPayload {
  return {
    batch: { topic: "t", partition: 0, messages: offsets.map(message) },
    resolveOffset: () => {},
    heartbeat: () => Promise.resolve(),
    commitOffsetsIfNecessary: () => Promise.resolve(),
    isStale: () => false,
    isRunning: () => true,
  } as unknown as EachBatchPayload;
}

describe("KafkaConsumer", () => {
  let fake: FakeConsumer;
  let worker: KafkaConsumer;
  let handler: BatchHandler;
  let refusal: string | undefined;
  let left: number;
  const state = () => worker.health().state;

  beforeEach(async () => {
    fake = new FakeConsumer();
    handler = () => Promise.resolve();
    [refusal, left] = [undefined, 0];
    fake.disconnect = () => Promise.resolve(void left++);
    const options = {
      ...{ brokers: [], instance: "test", replicationFactor: 1, sessionMs: 6_000 },
      ...{ log: silentLogger, metrics: noMetrics, clock: systemClock },
      refusal: () => refusal,
    };
    const consume = {
      ...{ group: "group", topic: "t", maxRecords: 10, maxBytes: 1_000_000, concurrency: 1 },
      handler: (records: LogRecord[], context: BatchContext) => handler(records, context),
    };
    const kafka = { consumer: () => fake as unknown as Consumer } as unknown as Kafka;
    worker = new KafkaConsumer(kafka, options, consume, "t");
    await worker.start(() => {});
  });
  afterEach(() => worker.stop());

  it("is running after a heartbeat that follows a refused join, though no join is reported", () => {
    fake.emit("GROUP_JOIN");
    fake.emit("REBALANCING");
    expect([state(), worker.health().ready]).toEqual(["joining", false]);
    fake.emit("HEARTBEAT");
    expect([state(), worker.health().ready]).toEqual(["running", true]);
  });

  it("stays stopped when a heartbeat is still answered", async () => {
    fake.emit("GROUP_JOIN");
    await worker.stop();
    fake.emit("HEARTBEAT");
    expect(state()).toBe("stopped");
  });

  it("leaves its group while records are refused, with the cause, and joins it afterwards", async () => {
    fake.emit("GROUP_JOIN");
    refusal = "commits are missing";
    await eventually(() => expect(left).toBe(1));
    expect(worker.health()).toEqual({ ready: false, state: "refused", detail: refusal });
    // What the client still reports is of the former membership.
    fake.emit("HEARTBEAT");
    expect(state()).toBe("refused");
    refusal = undefined;
    await eventually(() => expect(state()).toBe("joining"));
    fake.emit("GROUP_JOIN");
    expect(worker.health()).toMatchObject({ ready: true, state: "running" });
  });

  it("does not join its group when it starts while records are refused", async () => {
    await worker.stop();
    refusal = "commits are missing";
    await worker.start(() => {});
    expect(state()).toBe("refused");
    refusal = undefined;
    await eventually(() => expect(state()).toBe("joining"));
  });

  /** Holds records 0 and 1 of the partition while kafkajs fetches on; returns how to end that delivery. */
  async function openDelivery(): Promise<{ signal: AbortSignal; end: () => void }> {
    const started = Promise.withResolvers<AbortSignal>();
    const ended = Promise.withResolvers<void>();
    handler = async (_, { join, signal }) => {
      join!(() => true);
      started.resolve(signal);
      await ended.promise;
      throw new Error("not done");
    };
    fake.emit("GROUP_JOIN");
    void fake.deliver(payloadOf([0, 1]));
    return { signal: await started.promise, end: ended.resolve };
  }

  it("fetches again what a released delivery left when its membership continues", async () => {
    const { signal, end } = await openDelivery();
    fake.emit("REBALANCING");
    expect(signal.aborted).toBe(true);
    end();
    await setImmediate();
    fake.emit("HEARTBEAT");
    await eventually(() => expect(fake.seeks).toEqual([{ topic: "t", partition: 0, offset: "0" }]));
  });

  it("fetches it again also when a heartbeat of the delivery met the rebalance first", async () => {
    const met = Object.assign(new Error("rebalancing"), { type: "REBALANCE_IN_PROGRESS" });
    handler = async (_, { join, heartbeat }) => {
      join!(() => true);
      await heartbeat();
      throw new Error("not done");
    };
    fake.emit("GROUP_JOIN");
    const payload = { ...payloadOf([0, 1]), heartbeat: () => Promise.reject(met) };
    void fake.deliver(payload as EachBatchPayload);
    await setImmediate();
    fake.emit("REBALANCING");
    expect(fake.seeks).toEqual([]);
    fake.emit("HEARTBEAT");
    await eventually(() => expect(fake.seeks).toEqual([{ topic: "t", partition: 0, offset: "0" }]));
  });

  it("fetches it again also when the delivery ends after the heartbeat", async () => {
    const { end } = await openDelivery();
    fake.emit("REBALANCING");
    fake.emit("HEARTBEAT");
    expect(fake.seeks).toEqual([]);
    end();
    await eventually(() => expect(fake.seeks).toEqual([{ topic: "t", partition: 0, offset: "0" }]));
  });

  it("starts at the committed offset after a new assignment", async () => {
    const { end } = await openDelivery();
    fake.emit("REBALANCING");
    end();
    await setImmediate();
    fake.emit("GROUP_JOIN");
    fake.emit("REBALANCING");
    fake.emit("HEARTBEAT");
    expect(fake.seeks).toEqual([]);
  });
});
