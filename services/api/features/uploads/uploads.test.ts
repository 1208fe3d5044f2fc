import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { ingestionBatches } from "#contract/topics.ts";
import { uploadRoutes } from "#services/api/features/uploads/routes.ts";
import { auditedBy } from "#test/support/audit.ts";
import { featureUnderTest } from "#test/support/http/feature.ts";

const published: string[] = [];
const feature = featureUnderTest((context) => {
  const publish = (topic: string, records: { value: Uint8Array }[]) => {
    expect(topic).toBe(ingestionBatches);
    for (const { value } of records) published.push(new TextDecoder().decode(value));
    return Promise.resolve([]);
  };
  return uploadRoutes({ ...context, events: { ...context.events, publish } as never });
});

const parquet = readFileSync(
  new URL("../../../collector/connectors/files/testing/orders.parquet", import.meta.url),
);

async function send(name: string, content: Uint8Array | string, more: Record<string, string> = {}) {
  const body = new FormData();
  body.set("file", new File([content as Uint8Array<ArrayBuffer>], name));
  for (const [key, value] of Object.entries(more)) body.set(key, value);
  const encoded = new Response(body);
  const bytes = new Uint8Array(await encoded.arrayBuffer());
  const headers = { "content-type": encoded.headers.get("content-type")! };
  return await feature.api.send("POST", "/api/files/describe", bytes, headers);
}

describe("a file that is uploaded", () => {
  it("becomes a dataset with the fields of CSV, without its content", async () => {
    const csv = "id,amount,note\n1,2.5,secret-note\n2,3,other\n";
    const audited = await auditedBy(feature.database.db, async () => {
      expect((await send("orders.csv", csv)).json).toEqual({
        catrn: "//tributary/uploads/files/orders.csv",
        name: "orders.csv",
        rows: null,
        fields: [
          { name: "id", type: "integer" },
          { name: "amount", type: "number" },
          { name: "note", type: "string" },
        ],
      });
    });
    expect(audited).toMatchObject([[
      "FILE_DESCRIBED",
      null,
      "//tributary/uploads/files/orders.csv",
    ]]);
    const batch = JSON.parse(published.at(-1)!);
    expect(batch.data_source_catrn).toBe("//tributary/uploads");
    expect(batch.items[0]).toMatchObject({ name: "orders.csv", type: "FILE" });
    expect(batch.items[0].dataset.field_list).toHaveLength(3);
    expect(published.join()).not.toContain("secret-note");
  });

  it.each([
    ["events.jsonl", '{"a": 1, "b": {"c": "x"}}\n{"a": 2}\n', ["a", "b"]],
    ["events.ndjson.gz", gzipSync('{"a": 1}\n'), ["a"]],
    ["events.tsv", "a\tb\n1\t2\n", ["a", "b"]],
  ])("is understood as %s", async (name, content, fields) => {
    const { status, json } = await send(name, content);
    expect(status).toBe(200);
    expect(json.fields.map((field: { name: string }) => field.name)).toEqual(fields);
  });

  it("of Parquet needs its end only, of long text its beginning", async () => {
    const whole = (await send("orders.parquet", parquet)).json;
    expect(whole.fields.length).toBeGreaterThan(2);
    const size = 5_000_000_000;
    const bytes = new Uint8Array(64 * 1024 + parquet.length);
    bytes.set(parquet, 64 * 1024);
    const end = await send("orders.parquet", bytes, { size: String(size), name: "lake orders" });
    expect([end.status, end.json.name, end.json.fields]).toEqual([
      200,
      "lake orders",
      whole.fields,
    ]);
    const line = "1,2\n";
    const text = await send("long.csv", `a,b\n${line.repeat(80_000)}`, { size: String(size) });
    expect(text.json.fields).toEqual([{ name: "a", type: "integer" }, {
      name: "b",
      type: "integer",
    }]);
  });

  it.each([
    ["a.exe", "MZ", {}, /must be a .parquet/],
    ["a.parquet", "PAR1 no", {}, /not a readable file of Parquet/],
    ["a.jsonl", "not json\n", {}, /not json/],
    ["a.csv", "", {}, /no fields/],
    ["a.csv", "a,b\n", { size: "1" }, /larger than size/],
    ["a.csv.gz", "plain", {}, /not compressed/],
  ])("400: %s of %j", async (name, content, more, reason) => {
    const answer = await send(name, content, more);
    expect([answer.status, answer.text]).toEqual([400, expect.stringMatching(reason)]);
  });
});
