import { describe, expect, it } from "vitest";
import type { BatchContext, ConsumeOptions, EventLog, LogRecord } from "#eventlog/port.ts";
import { PermanentError, unavailable } from "#kit/errors.ts";
import { silentLogger } from "#kit/log.ts";
import { noMetrics } from "#kit/metrics.ts";
import { RefusedBodies } from "#platform/http/refusals.ts";
import type { Context } from "#platform/context.ts";
import { Budget } from "../intake/budget.ts";
import type { SpanIntake } from "../intake/intake.ts";
import { MalformedRequest } from "../otlp/decoding.ts";
import { topicReceivers } from "./topic.ts";

const batch = {} as BatchContext;
const maxInFlight = 1_000;

/** The handler of the topic over an intake that does as told, and what it counts as passed over. */
function receiver(accept: (body: Uint8Array) => Promise<unknown>) {
  const skipped: unknown[] = [];
  let options: ConsumeOptions | undefined;
  const events = { foreignConsumer: (given: ConsumeOptions) => void (options = given) };
  const counter = () => ({ inc: (labels?: Record<string, string>) => void skipped.push(labels) });
  const context = {
    events: events as unknown as EventLog,
    log: silentLogger,
    metrics: { ...noMetrics, counter },
    config: {
      traces: { "otlp-topic": "t", "max-request-size": 2_000, "max-in-flight": maxInFlight },
    },
  } as unknown as Context;
  const intake = {
    budget: new Budget(maxInFlight, noMetrics, unmetered),
    accept,
  } as unknown as SpanIntake;
  topicReceivers(context, intake);
  return { take: (...records: LogRecord[]) => options!.handler(records, batch), skipped, intake };
}

const unmetered = new RefusedBodies({ allowance: 0, metrics: noMetrics });

const record = (offset: number, bytes = 10): LogRecord => ({
  topic: "t",
  partition: 0,
  offset,
  key: null,
  headers: {},
  timestamp: 0,
  value: new Uint8Array(bytes),
});
const taken = () => Promise.resolve({ refused: 0, reason: null });

describe("topicReceivers", () => {
  it("passes over a record that is larger than a request may be", async () => {
    const seen: number[] = [];
    const at = receiver((body) => {
      seen.push(body.byteLength);
      return taken();
    });
    await at.take(record(0, maxInFlight + 1), record(1));
    expect(seen).toEqual([10]);
    expect(at.skipped).toEqual([{ reason: "too_large" }]);
    expect(at.intake.budget.used).toBe(0);
  });

  it.each([
    ["malformed", new MalformedRequest("no request")],
    ["record_too_large", new PermanentError("record_too_large", "too large")],
  ])("passes over what is refused for good: %s", async (reason, error) => {
    const at = receiver(() => Promise.reject(error));
    await at.take(record(0));
    expect(at.skipped).toEqual([{ reason }]);
  });

  it("passes over records that fail for no known reason, side by side, after some deliveries", async () => {
    const at = receiver(() => Promise.reject(new RangeError("Maximum call stack size exceeded")));
    for (let i = 1; i < 8; i++) await expect(at.take(record(0), record(1))).rejects.toThrow();
    await at.take(record(0), record(1));
    expect(at.skipped).toEqual([{ reason: "internal_error" }, { reason: "internal_error" }]);
  });

  it("passes over nothing while the log is away or others use the budget", async () => {
    const at = receiver(() => Promise.reject(unavailable("away")));
    for (let i = 0; i < 20; i++) await expect(at.take(record(0))).rejects.toThrow("away");
    at.intake.budget.open().atLeast(maxInFlight);
    for (let i = 0; i < 20; i++) await expect(at.take(record(0))).rejects.toThrow("Too many");
    expect(at.skipped).toEqual([]);
  });
});
