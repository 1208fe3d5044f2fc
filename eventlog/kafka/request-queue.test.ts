import { createRequire } from "node:module";
import { beforeAll, expect, it, vi } from "vitest";
import { kafkaClient } from "#eventlog/kafka/client.ts";
import { systemClock } from "#kit/clock.ts";
import { silentLogger } from "#kit/log.ts";
import { noMetrics } from "#kit/metrics.ts";

const RequestQueue = createRequire(import.meta.url)("kafkajs/src/network/requestQueue");

/** Any client makes the queues of all connections quiet. */
beforeAll(() => {
  kafkaClient({
    brokers: ["127.0.0.1:1"],
    instance: "quiet",
    replicationFactor: 1,
    log: silentLogger,
    metrics: noMetrics,
    clock: systemClock,
    sessionMs: 10_000,
  });
});

function newQueue({ requestTimeout = 10_000 } = {}) {
  const logger = { debug() {}, warn() {} };
  const given = { clientId: "quiet", broker: "b:1", isConnected: () => true };
  return new RequestQueue({ ...given, requestTimeout, enforceRequestTimeout: true, logger });
}

/** Pushes a request; resolves with what became of it, and notes when it was sent. */
function push(queue: ReturnType<typeof newQueue>, correlationId: number, requestTimeout?: number) {
  const settled = Promise.withResolvers<string>();
  let sentAt: number | null = null;
  queue.push({
    entry: {
      correlationId,
      apiName: "Fetch",
      apiKey: 1,
      apiVersion: 1,
      resolve: () => settled.resolve("answered"),
      reject: (error: Error) => settled.resolve(error.name),
    },
    expectResponse: true,
    requestTimeout,
    sendRequest: () => void (sentAt = Date.now()),
  });
  return { ended: settled.promise, sentAt: () => sentAt };
}

const answer = (queue: ReturnType<typeof newQueue>, correlationId: number) =>
  queue.fulfillRequest({ correlationId, payload: null, size: 0 });

it("a connection without pending requests schedules no check for them", async () => {
  const queue = newQueue();
  const { ended } = push(queue, 1);
  answer(queue, 1);
  expect(await ended).toBe("answered");
  expect(queue.throttleCheckTimeoutId).toBeNull();
});

it("a throttled request is sent once the throttle ends, and then no check is left", async () => {
  const queue = newQueue();
  queue.maybeThrottle(30);
  const until = queue.throttledUntil;
  const { ended, sentAt } = push(queue, 1);
  expect(sentAt()).toBeNull();
  expect(queue.throttleCheckTimeoutId).not.toBeNull();
  await expect.poll(sentAt).not.toBeNull();
  expect(sentAt()).toBeGreaterThanOrEqual(until);
  answer(queue, 1);
  expect(await ended).toBe("answered");
  expect(queue.throttleCheckTimeoutId).toBeNull();
});

it("each request without an answer times out after its own time", async () => {
  const queue = newQueue({ requestTimeout: 40 });
  const early = push(queue, 1);
  queue.scheduleRequestTimeoutCheck();
  const late = push(queue, 2, 120);
  expect(await early.ended).toBe("KafkaJSRequestTimeoutError");
  expect(queue.inflight.has(2)).toBe(true);
  expect(Date.now() - early.sentAt()!).toBeGreaterThan(40);
  expect(await late.ended).toBe("KafkaJSRequestTimeoutError");
  expect(Date.now() - late.sentAt()!).toBeGreaterThan(120);
  queue.destroy();
});

it("a request that is sent long after the check was scheduled times out too", async () => {
  const queue = newQueue({ requestTimeout: 20 });
  queue.scheduleRequestTimeoutCheck();
  const first = push(queue, 1);
  await first.ended;
  const second = push(queue, 2);
  expect(await second.ended).toBe("KafkaJSRequestTimeoutError");
  queue.destroy();
});

it("a connection that has ended schedules nothing more", async () => {
  const queue = newQueue({ requestTimeout: 10 });
  queue.isConnected = () => false;
  queue.scheduleRequestTimeoutCheck();
  const destroyed = vi.spyOn(queue, "destroy");
  const scheduled = vi.spyOn(queue, "scheduleRequestTimeoutCheck");
  await expect.poll(() => destroyed.mock.calls.length).toBe(1);
  expect(scheduled).not.toHaveBeenCalled();
});
