import { describe, expect, it } from "vitest";
import { batchHeaders } from "#contract/ingestion/frame.ts";
import { composedBatches, ingestionBatches } from "#contract/topics.ts";
import type { NewRecord } from "#eventlog/port.ts";
import { PermanentError, unavailable } from "#kit/errors.ts";
import { LeaseLostError } from "#metadata/postgres/leases.ts";
import { noBackpressure } from "./applied.ts";
import { collectorBatches, publishRows, yieldingBatches } from "./batches.ts";
import { type BatchPolicy, LogFailure } from "./deps.ts";

const receivedAt = 1_000_000;

/** Publishes rows, each of which is one item, into a log that fails over what it is given. */
function publisher(
  { batches = yieldingBatches, fails = () => undefined }: {
    batches?: BatchPolicy;
    fails?: (body: string) => Error | undefined;
  } = {},
) {
  const records: { topic: string; items: { catrn: string }[]; record: NewRecord }[] = [];
  const [finished, refused]: [string[], string[]] = [[], []];
  const events = {
    publish(topic: string, some: NewRecord[]) {
      const bodies = some.map(({ value }) => new TextDecoder().decode(value));
      const error = bodies.map(fails).find((one) => one !== undefined);
      if (error) return Promise.reject(error);
      some.forEach((record, at) =>
        records.push({ topic, items: JSON.parse(bodies[at]!).items, record })
      );
      return Promise.resolve([]);
    },
  };
  const source = { system: "Test", batches, removals: undefined as never };
  const deps = { events: events as never, backpressure: noBackpressure, source };
  const publish = (rows: string[]) =>
    publishRows(deps, rows, {
      prepare: (some) =>
        Promise.resolve({
          receivedAt,
          posts: some.map((row) => ({ source: "//test", seenAt: receivedAt, items: [item(row)] })),
        }),
      finish: (some) => Promise.resolve(void finished.push(...some)),
      refuse: (row) => Promise.resolve(void refused.push(row)),
    });
  return { publish, records, finished, refused };
}

const item = (row: string) => ({
  catrn: `//test/${row}`,
  json: JSON.stringify({ catrn: `//test/${row}` }),
  isGroup: row.startsWith("group"),
});

describe("publishRows", () => {
  it("refuses only the row that the log will never take, and publishes all others", async () => {
    const rows = ["a", "b", "bad", "c", "d"];
    const at = publisher({
      fails: (body) =>
        body.includes("bad") ? new PermanentError("record_too_large", "too large") : undefined,
    });
    await at.publish(rows);
    expect(at.refused).toEqual(["bad"]);
    expect(at.finished).toEqual(["a", "b", "c", "d"]);
    expect(at.records.flatMap(({ items }) => items.map(({ catrn }) => catrn)))
      .toEqual(["//test/a", "//test/b", "//test/c", "//test/d"]);
  });

  it("refuses nothing and finishes nothing while the log is down", async () => {
    const at = publisher({ fails: () => unavailable("down") });
    await expect(at.publish(["a", "b"])).rejects.toThrow(LogFailure);
    expect([at.finished, at.refused]).toEqual([[], []]);
  });

  it("refuses nothing when another process leads", async () => {
    const lost = new LeaseLostError("over");
    const { events, ...deps } = { events: undefined as never, backpressure: noBackpressure };
    const refused: string[] = [];
    const published = publishRows({ ...deps, events, source: undefined as never }, ["a", "b"], {
      prepare: () => Promise.reject(lost),
      finish: () => Promise.resolve(),
      refuse: (row) => Promise.resolve(void refused.push(row)),
    });
    await expect(published).rejects.toBe(lost);
    expect(refused).toEqual([]);
  });

  it.each([
    ["yield to collectors", yieldingBatches, composedBatches, "yield"],
    ["have the precedence of a collector", collectorBatches(1_000), ingestionBatches, undefined],
  ])("batches that %s are in their topic, of their size, and groups are last", async (
    _,
    batches,
    topic,
    precedence,
  ) => {
    const at = publisher({ batches: { ...batches, maxItems: 2 } });
    await at.publish(["a", "group", "b"]);
    expect(at.records.map(({ items }) => items.map(({ catrn }) => catrn)))
      .toEqual([["//test/a", "//test/b"], ["//test/group"]]);
    for (const { topic: used, record: { key, headers } } of at.records) {
      expect([used, key]).toEqual([topic, "//test"]);
      expect(headers[batchHeaders.precedence]).toBe(precedence);
      expect(headers[batchHeaders.receivedAt]).toBe(String(receivedAt));
    }
  });
});
