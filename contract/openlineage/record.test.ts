import { describe, expect, it } from "vitest";
import { PermanentError } from "#kit/errors.ts";
import { acceptEvent, isRefused } from "./accept.ts";
import { readRecord } from "./record.ts";
import { recordOf } from "./testing/record.ts";
import { smallRunEvent, wholeRunEvent } from "./testing/samples.ts";

const now = Date.parse("2026-03-01T12:00:00Z");

function eventOf(value: unknown) {
  const result = acceptEvent(value);
  if (isRefused(result)) throw new Error(result.refused.reason);
  return result.event;
}

describe("readRecord", () => {
  it("reads what recordOf wrote", () => {
    const event = eventOf(wholeRunEvent());
    const traceparent = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`;
    const record = recordOf(event, { origin: "http", receivedAt: now - 5, traceparent });
    expect(record.key).toBe("run:airflow/all");
    const read = readRecord({ ...record, timestamp: now }, now);
    expect(read).toMatchObject({ event, origin: "http", receivedAt: now - 5, traceparent });
    expect(read.warnings).toEqual([]);
  });

  it("reads what a client wrote there itself", () => {
    const value = new TextEncoder().encode(JSON.stringify(smallRunEvent()));
    const read = readRecord({ value, headers: {}, timestamp: now - 9 }, now);
    expect(read).toMatchObject({ origin: "kafka", receivedAt: now - 9, traceparent: undefined });
  });

  it("does not believe in a time of receipt that is to come", () => {
    const event = eventOf(smallRunEvent());
    const record = recordOf(event, { origin: "kafka", receivedAt: now + 3_600_000 });
    expect(readRecord({ ...record, timestamp: now - 1 }, now).receivedAt).toBe(now - 1);
    expect(readRecord({ ...record, timestamp: now + 1 }, now).receivedAt).toBe(now);
  });

  it.each(["", "{", "[]", "{}"])("refuses %j for good", (text) => {
    const value = new TextEncoder().encode(text);
    expect(() => readRecord({ value, headers: {}, timestamp: now }, now)).toThrow(PermanentError);
  });
});
