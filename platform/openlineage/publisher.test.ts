import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { NewRecord } from "#eventlog/port.ts";
import { systemClock } from "#kit/clock.ts";
import { noMetrics } from "#kit/metrics.ts";
import { EventPublisher, gatherMs, publishWithinMs } from "./publisher.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const megabyte = 1_048_576;

/** A publisher over a log that never answers, and the deadlines that it gave the log. */
function hanging() {
  const deadlines: number[] = [];
  const events = {
    publish: (_topic: string, _records: NewRecord[], { timeoutMs }: { timeoutMs: number }) => {
      deadlines.push(timeoutMs);
      return new Promise<never>(() => undefined);
    },
  };
  const publisher = new EventPublisher({ events, clock: systemClock, metrics: noMetrics } as never);
  return { publisher, deadlines };
}

const records = (bytes: number): NewRecord[] => [
  { key: "k", value: new Uint8Array(bytes), headers: {} },
];

/** Publishes; tells whether it was refused by now. */
function publishing(publisher: EventPublisher, bytes: number) {
  const result = { refused: undefined as unknown };
  publisher.publish(records(bytes)).catch((error) => result.refused = error);
  return result;
}

it.each([[1_000, 3_000], [4 * megabyte, 4_000], [20 * megabyte, 8_000]])(
  "%d bytes are given %d ms",
  async (bytes, ms) => {
    const { publisher, deadlines } = hanging();
    const result = publishing(publisher, bytes);
    await vi.advanceTimersByTimeAsync(ms - 1);
    expect(result.refused).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    expect(result.refused).toMatchObject({ status: 503 });
    expect(deadlines).toEqual([ms]);
  },
);

it("calls that go together are given what all of them take", async () => {
  const deadlines: number[] = [];
  const publish = (_: string, __: NewRecord[], { timeoutMs }: { timeoutMs: number }) => {
    deadlines.push(timeoutMs);
    return Promise.resolve();
  };
  const publisher = new EventPublisher(
    { events: { publish }, clock: systemClock, metrics: noMetrics } as never,
  );
  await Promise.all([1, 2, 2].map((many) => publisher.publish(records(many * megabyte))));
  expect(deadlines).toEqual([publishWithinMs(megabyte), publishWithinMs(4 * megabyte)]);
});

/** A publisher, the sizes of what went to the log together, and how to let the log answer. */
function answering() {
  const sizes: number[] = [];
  const answers: (() => void)[] = [];
  const publish = (_topic: string, given: NewRecord[]) =>
    new Promise<never[]>((resolve) => {
      sizes.push(given.length);
      answers.push(() => resolve([]));
    });
  const publisher = new EventPublisher(
    { events: { publish }, clock: systemClock, metrics: noMetrics } as never,
  );
  const post = (calls: number) => {
    for (let n = 0; n < calls; n++) void publisher.publish(records(1));
  };
  const answer = async () => {
    answers.shift()!();
    await vi.advanceTimersByTimeAsync(0);
  };
  return { sizes, post, answer };
}

it("waits a moment for half as many calls as went together", async () => {
  const { sizes, post, answer } = answering();
  post(9);
  await answer();
  expect(sizes).toEqual([1, 8]);
  await answer();
  post(3);
  await vi.advanceTimersByTimeAsync(gatherMs - 1);
  expect(sizes).toEqual([1, 8]);
  post(1);
  await vi.advanceTimersByTimeAsync(0);
  expect(sizes).toEqual([1, 8, 4]);
});

it("waits no longer than that, and after a single call not at all", async () => {
  const { sizes, post, answer } = answering();
  post(9);
  await answer();
  await answer();
  post(2);
  await vi.advanceTimersByTimeAsync(gatherMs);
  expect(sizes).toEqual([1, 8, 2]);
  await answer();
  post(1);
  await vi.advanceTimersByTimeAsync(0);
  expect(sizes).toEqual([1, 8, 2, 1]);
  await answer();
  post(1);
  expect(sizes).toEqual([1, 8, 2, 1, 1]);
});
