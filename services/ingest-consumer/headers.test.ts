import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { batchHeaders } from "#contract/ingestion/frame.ts";
import type { LogRecord } from "#eventlog/port.ts";
import { directRecord, type Harness, harness, replayOf, source, table } from "./testing/harness.ts";

let at: Harness;
beforeAll(async () => void (at = await harness()));
afterAll(() => at.drop());

const day = 24 * 60 * 60 * 1_000;
const placeOf = ({ topic, partition, offset }: LogRecord) => `${topic}/${partition}/${offset}`;
const posted = (catrn: string) => ({ data_source_catrn: source, items: [table(catrn)] });
const outcomes = (batch: string) =>
  at.rows("SELECT part, outcome FROM applied_batch WHERE batch = $1 ORDER BY part", batch);

/** Identities that the store cannot hold, or that make no sense. */
const unusable: [string, Record<string, string>][] = [
  ["a part over int4", { batch: "b", part: "4294967296" }],
  ["a part just over int4", { batch: "b", part: "2147483648" }],
  ["the last part that int4 holds", { batch: "b", part: "2147483647" }],
  ["a part that is no number", { batch: "b", part: "-1" }],
  ["parts over int4", { batch: "b", part: "0", parts: "99999999999" }],
  ["a batch with NUL", { batch: "b\u0000c", part: "0" }],
  ["a batch of 3,000 characters", { batch: "b".repeat(3_000), part: "0" }],
  ["a batch of a megabyte", { batch: "é".repeat(500_000), part: "0" }],
  ["a batch of half a surrogate pair", { batch: "\ud800", part: "0" }],
  ["a batch that ends lines", { batch: "b\r\nc", part: "0" }],
];

describe("identities that cannot be stored", () => {
  it.each(unusable)("%s: the record is named by its place and applied", async (what, headers) => {
    const record = directRecord(posted(`//headers/${what}`), headers);
    expect(await at.pipeline.process(record)).toBe("applied");
    expect(await outcomes(placeOf(record))).toEqual([{ part: 0, outcome: "applied" }]);
    expect(await at.entity(`//headers/${what}`)).toMatchObject({ batch: placeOf(record) });
  });

  it.each(unusable)(
    "%s: the record is refused once, and its letter replays",
    async (_, headers) => {
      const record = directRecord("{", headers);
      expect(await at.pipeline.process(record)).toBe("refused");
      expect(await at.pipeline.process(record)).toBe("refused");
      const [deadLetter, ...more] = at.deadLetters.splice(0);
      expect(more).toEqual([]);
      expect(await outcomes(placeOf(record))).toEqual([{ part: 0, outcome: "refused" }]);
      const replay = replayOf(deadLetter!);
      expect(replay.headers).toMatchObject({ [batchHeaders.batch]: placeOf(record) });
      replay.value = directRecord(posted(`//replayed/${record.offset}`)).value;
      expect(await at.pipeline.process(replay)).toBe("applied");
      expect(await outcomes(placeOf(record))).toEqual([{ part: 0, outcome: "applied" }]);
    },
  );
});

describe("other headers", () => {
  it.each([
    ["a type with NUL", { type: "a\u0000b" }, "unknown_type"],
    ["a type of half a surrogate pair", { type: "\ud800" }, "unknown_type"],
    ["a type of a megabyte", { type: "t".repeat(1_000_000) }, "unknown_type"],
    ["a version with NUL", { version: "2\u0000" }, "unknown_version"],
    ["a version of a megabyte", { version: "2".repeat(1_000_000) }, "unknown_version"],
  ])("refuse a record with %s, in words that can be stored", async (_, headers, reason) => {
    const record = directRecord(posted("//never"), headers);
    expect(await at.pipeline.process(record)).toBe("refused");
    expect(at.deadLetters.splice(0)).toMatchObject([{ reason }]);
    const [row] = await at.rows<{ detail: { reason: string; message: string } }>(
      "SELECT detail FROM applied_batch WHERE batch = $1",
      placeOf(record),
    );
    expect(row!.detail.reason).toBe(reason);
    expect(row!.detail.message.length).toBeLessThan(200);
  });

  it("that are none of ours do no harm, whatever their names and sizes", async () => {
    const headers = Object.fromEntries([
      ["__proto__", "p"],
      ["constructor", "c"],
      ["traceparent", "0".repeat(1_000_000)],
      ["tracestate", "a=b,".repeat(200_000)],
      ["baggage", "a=b,".repeat(200_000)],
    ]);
    expect(await at.pipeline.process(directRecord(posted("//foreign/headers"), headers)))
      .toBe("applied");
  });

  it("keys of any kind do no harm", async () => {
    for (const key of ["\u0000", "k".repeat(1_000_000), "\ud800", ""]) {
      const record = { ...directRecord(posted(`//key/${key.length}`)), key };
      expect(await at.pipeline.process(record)).toBe("applied");
    }
  });
});

describe("times of receipt", () => {
  const receivedAt = async (catrn: string) =>
    ((await at.entity(catrn)).received_at as Date).getTime();

  it.each([
    ["far in the future", "999999999999999"],
    ["of tomorrow", String(Date.now() + day)],
    ["beyond all dates", "9007199254740993"],
    ["before 1970", "-5"],
    ["that is no number", "1e400"],
  ])("a time %s is that of the record", async (what, time) => {
    const catrn = `//times/${what}`;
    const record = directRecord(posted(catrn), { batch: `t ${what}`, "received-at": time });
    expect(await at.pipeline.process(record)).toBe("applied");
    expect(await receivedAt(catrn)).toBe(record.timestamp);
  });

  it("the log's own time counts for no more when it lies in the future", async () => {
    for (const timestamp of [Date.now() + day, 8.64e15 + 1, 2 ** 63, -1, NaN]) {
      const record = { ...directRecord(posted(`//clock/${timestamp}`)), timestamp };
      expect(await at.pipeline.process(record)).toBe("applied");
      expect(await receivedAt(`//clock/${timestamp}`)).toBeGreaterThan(Date.now() - 60_000);
      expect(await receivedAt(`//clock/${timestamp}`)).toBeLessThanOrEqual(Date.now());
    }
  });

  it("so no record keeps later ones from being applied", async () => {
    const future = { batch: "future", part: "0", "received-at": String(Date.now() + 300 * day) };
    await at.pipeline.process(directRecord(posted("//age/future"), future));
    await at.post([table("//age/future", { description: "later" })]);
    expect(await at.entity("//age/future")).toMatchObject({ external_description: "later" });
  });
});
