import { describe, expect, it } from "vitest";
import { deadLetterHeaders as header } from "#contract/topics.ts";
import { deadLetter } from "#eventlog/dead-letters.ts";
import type { EventLog, NewRecord } from "#eventlog/port.ts";
import { AppError, PermanentError, unavailable } from "#kit/errors.ts";
import { silentLogger } from "#kit/log.ts";
import { noMetrics } from "#kit/metrics.ts";

const record = {
  topic: "ingestion.batches",
  partition: 2,
  offset: 7,
  key: "k",
  headers: { type: "ingestion.batch" },
  timestamp: 5,
  value: new Uint8Array(100_000),
};
const refused = { topic: record.topic, record, reason: "r", message: "m", details: [] };

/** Stores a letter in a log whose first publishes fail as given; returns the outcome. */
async function put(...failures: unknown[]) {
  const tried: NewRecord[] = [];
  const skipped: unknown[] = [];
  const publish = (topic: string, [published]: NewRecord[]) => {
    tried.push(published!);
    const failure = failures.shift();
    if (failure) return Promise.reject(failure);
    return Promise.resolve([{ topic, partition: 0, offset: 1 }]);
  };
  const counter = (name: string) => ({
    inc: (labels?: Record<string, string>) => void skipped.push([name, labels]),
  });
  const box = {
    events: { publish } as unknown as EventLog,
    log: silentLogger,
    metrics: { ...noMetrics, counter },
  };
  const position = await deadLetter(box, refused).catch((error) => error);
  return { tried, skipped, position };
}

const tooLarge = () => new PermanentError("record_too_large", "too large");

describe("deadLetter", () => {
  it("leaves away the more the log refuses, and always tells reason and origin", async () => {
    const { tried, position, skipped } = await put(tooLarge(), tooLarge());
    expect(tried.map(({ key, value }) => [key, value.byteLength]))
      .toEqual([["k", 100_000], ["k", 65_536], [null, 0]]);
    expect(tried.map(({ headers }) => headers[header.cut])).toEqual([undefined, "true", "true"]);
    for (const { headers } of tried) {
      expect(headers).toMatchObject({ [header.reason]: "r", [header.originOffset]: "7" });
    }
    expect(position).toMatchObject({ offset: 1 });
    expect(skipped).toEqual([]);
  });

  it("passes over and counts what the log does not take in any form", async () => {
    const { position, skipped } = await put(tooLarge(), tooLarge(), tooLarge());
    expect(position).toBeNull();
    expect(skipped).toEqual([["tributary_dead_letters_skipped_total", { topic: record.topic }]]);
  });

  it("passes over nothing while the log is away", async () => {
    const { position, tried, skipped } = await put(tooLarge(), unavailable("away"));
    expect(position).toBeInstanceOf(AppError);
    expect(tried).toHaveLength(2);
    expect(skipped).toEqual([]);
  });
});
