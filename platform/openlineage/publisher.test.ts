import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { NewRecord } from "#eventlog/port.ts";
import { systemClock } from "#kit/clock.ts";
import { noMetrics } from "#kit/metrics.ts";
import { EventPublisher, publishWithinMs } from "./publisher.ts";

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
  const told = { refused: undefined as unknown };
  publisher.publish(records(bytes)).catch((error) => told.refused = error);
  return told;
}

it.each([[1_000, 3_000], [4 * megabyte, 4_000], [20 * megabyte, 8_000]])(
  "%d bytes are given %d ms",
  async (bytes, ms) => {
    const { publisher, deadlines } = hanging();
    const told = publishing(publisher, bytes);
    await vi.advanceTimersByTimeAsync(ms - 1);
    expect(told.refused).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    expect(told.refused).toMatchObject({ status: 503 });
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
