import { Buffer } from "node:buffer";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { jsonLimits } from "#contract/ingestion/inspect.ts";
import { unavailable } from "#kit/errors.ts";
import { silentLogger } from "#kit/log.ts";
import { noMetrics } from "#kit/metrics.ts";
import { Pipeline } from "./pipeline.ts";
import { inlineBytes, RecordReader } from "./reader.ts";
import {
  directRecord,
  type Harness,
  harness,
  httpRecord,
  source,
  table,
} from "./testing/harness.ts";

let t: Harness;
beforeAll(async () => {
  t = await harness();
});
afterAll(() => t.drop());

const many = (item: string, n: number) =>
  `{"data_source_catrn":"${source}","items":[${Array(n).fill(item).join(",")}]}`;
const lastDeadLetter = () => t.deadLetters.at(-1)!;

describe("a record that costs more than its bytes tell", () => {
  it.each([
    ["small wrong items", many("{}", 200_000), "invalid_items"],
    [
      "items that are hardly wrong",
      many('{"catrn":"//a","name":"a","type":"TABLE"}', 100_000),
      "invalid_items",
    ],
    ["more items than are taken", many("{}", 300_001), "invalid_body"],
    ["more objects than are taken", many("{}", jsonLimits.containers), "invalid_body"],
    [
      "more elements than are taken",
      many(`[${"0,".repeat(jsonLimits.elements + 1)}0]`, 1),
      "invalid_body",
    ],
    ["a long number", many(`{"catrn":${"9".repeat(2_000_000)}}`, 1), "invalid_body"],
  ])("%s: a dead letter with its reason, and nothing else waits", async (_, body, reason) => {
    let longest = 0;
    let last = performance.now();
    const timer = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 5);
    const record = directRecord(body);
    expect(await t.pipeline.process(record)).toBe("refused");
    clearInterval(timer);
    expect(lastDeadLetter().reason).toBe(reason);
    expect(lastDeadLetter().record.value).toBe(record.value);
    expect(lastDeadLetter().details.length).toBeLessThanOrEqual(100);
    expect(longest).toBeLessThan(1_000);
  });

  it("a wrong place in every one of many lists is told a hundred times, not more", async () => {
    const fields = `[${Array(2_000).fill("{}").join(",")}]`;
    const item = `{"catrn":"//a","name":"a","type":"TABLE","dataset":{"field_list":${fields}}}`;
    expect(await t.pipeline.process(httpRecord(JSON.parse(`[${Array(300).fill(item)}]`))))
      .toBe("refused");
    expect(lastDeadLetter().details).toHaveLength(100);
  });
});

describe("a large record", () => {
  it("stays whole in the memory of the log's client, which others share", async () => {
    const body = directRecord({
      data_source_catrn: source,
      items: [table("//shared", { description: "x".repeat(inlineBytes) })],
    });
    const fetched = Buffer.concat([Buffer.from("before"), body.value, Buffer.from("after")]);
    const record = { ...body, value: fetched.subarray(6, 6 + body.value.length) };
    expect(await t.pipeline.process(record)).toBe("applied");
    expect(fetched.toString("latin1", 0, 6)).toBe("before");
    expect(Buffer.compare(record.value, body.value)).toBe(0);
  });

  it("is applied in chunks, and what is wrong in it is left over byte by byte", async () => {
    const description = "x".repeat(1_000);
    const sound = Array.from({ length: 1_500 }, (_, n) => table(`//large/${n}`, { description }));
    const wrong = { catrn: "//wrong", name: 1e21, type: "TABLE" };
    const record = directRecord({ data_source_catrn: source, items: [wrong, ...sound, wrong] });
    expect(record.value.length).toBeGreaterThan(inlineBytes);
    expect(await t.pipeline.process(record)).toBe("applied");
    const [retained] = await t.rows(
      "SELECT count(*)::int AS n FROM data_entity WHERE catrn LIKE '//large/%'",
    );
    expect(retained).toEqual({ n: 1_500 });
    const deadLetter = lastDeadLetter();
    expect(deadLetter.reason).toBe("invalid_items");
    expect(new TextDecoder().decode(deadLetter.record.value)).toBe(
      JSON.stringify({ data_source_catrn: source, items: [wrong, wrong] }),
    );
    expect([deadLetter.record.headers.part, deadLetter.record.headers.parts]).toEqual(["2", "3"]);
    expect(await t.pipeline.process(record)).toBe("applied");
    expect(lastDeadLetter()).toBe(deadLetter);
  });

  it("that cannot be read in the time there is goes to the dead letters at the third delivery", async () => {
    const reader = new RecordReader(noMetrics);
    reader.read = () => Promise.reject(unavailable("The body took too long to read"));
    const pipeline = new Pipeline({
      db: t.db,
      log: silentLogger,
      metrics: noMetrics,
      maxBodyBytes: 20 * 1024 * 1024,
      reader,
      deadLetter: (deadLetter) => Promise.resolve(void t.deadLetters.push(deadLetter)),
    });
    const record = directRecord({ data_source_catrn: source, items: [table("//late")] });
    await expect(pipeline.process(record)).rejects.toThrow("too long");
    await expect(pipeline.process(record)).rejects.toThrow("too long");
    expect(await pipeline.process(record)).toBe("refused");
    expect(lastDeadLetter().reason).toBe("too_costly");
  });
});
