import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { directRecord, type Harness, harness, source, table } from "./testing/harness.ts";

let at: Harness;
beforeAll(async () => void (at = await harness()));
afterAll(() => at.drop());

const body = (items: string) => `{"data_source_catrn":"${source}","items":[${items}]}`;
const named = (name: string) =>
  body(
    `{"catrn":"//p/${name.length}","name":"${name}","type":"TABLE","dataset":{"field_list":[]}}`,
  );

const poison: [string, string | Uint8Array, Record<string, string>, string][] = [
  ["bad JSON", "{not json", {}, "invalid_body"],
  ["no JSON object", "[1]", {}, "invalid_body"],
  ["an empty value", "", {}, "invalid_body"],
  ["invalid UTF-8", Uint8Array.of(0x22, 0xff, 0x22), {}, "invalid_body"],
  ["deep nesting", "[".repeat(200_000), {}, "invalid_body"],
  ["deep nesting in upstream spelling", `{"oddrn":${"[".repeat(200_000)}`, {}, "invalid_body"],
  ["half a surrogate pair", named("\\ud800"), {}, "invalid_body"],
  ["NUL", named("a\\u0000b"), {}, "invalid_body"],
  ["a key that would pollute prototypes", body(`{"__proto__":{"polluted":1}}`), {}, "invalid_body"],
  ["no items", body(""), {}, "invalid_body"],
  ["wrong types", body(`{"catrn":7}`), {}, "invalid_items"],
  ["an unknown type header", named("t"), { type: "other.thing" }, "unknown_type"],
  ["an unknown major version", named("v"), { version: "2" }, "unknown_version"],
  ["21 MB", " ".repeat(21 * 1024 * 1024), {}, "body_too_large"],
];

describe("Pipeline poison", () => {
  it.each(poison)("dead-letters %s with its reason", async (_what, value, headers, reason) => {
    expect(await at.pipeline.process(directRecord(value, headers))).toBe("refused");
    expect(at.deadLetters.splice(0)).toMatchObject([{ reason, topic: "ingestion.batches" }]);
    const next = directRecord({ data_source_catrn: source, items: [table(`//after/${reason}`)] });
    expect(await at.pipeline.process(next)).toBe("applied");
  });

  it("takes keys such as __proto__ and constructor as ordinary names", async () => {
    const text = body(
      `{"catrn":"//p/proto","name":"p","type":"TABLE","dataset":{"field_list":[]},` +
        `"metadata":[{"schema_url":"u","metadata":{"constructor":"c","rows":1}}]}`,
    );
    expect(await at.pipeline.process(directRecord(text))).toBe("applied");
    const values = await at.rows(
      `SELECT f.name, v.value FROM metadata_value v JOIN metadata_field f ON f.id = v.field_id
         JOIN data_entity e ON e.id = v.entity_id WHERE e.catrn = '//p/proto' ORDER BY 1`,
    );
    expect(values).toEqual([{ name: "constructor", value: "c" }, { name: "rows", value: "1" }]);
  });

  it("stores strange CATRNs as they are", async () => {
    const catrn = "//w/sch ema\\x/tab//le/Übung ' \" {a,b} \u{1F600}";
    const record = directRecord({ data_source_catrn: source, items: [table(catrn)] });
    expect(await at.pipeline.process(record)).toBe("applied");
    expect(await at.entity(catrn)).toMatchObject({ catrn });
  });
});
