import { describe, expect, it } from "vitest";
import { parseDataEntityList } from "./batch.ts";
import { draftsFrom, draftsOf, joinTexts, textOf } from "./drafts.ts";

const itemsOf = (items: string) =>
  parseDataEntityList(`{"data_source_catrn":"//s","items":[${items}]}`).items;
const job = (catrn: string, more = "") =>
  `{"catrn":"${catrn}","name":"n","type":"JOB","data_transformer":{"inputs":[],"outputs":[]}${more}}`;
const withValue = (value: string) =>
  job("//v", `,"metadata":[{"schema_url":"s","metadata":{"value":${value}}}]`);

describe("drafts as a text", () => {
  it("are the drafts of the items", () => {
    const run = `{"catrn":"//run","name":"r","type":"JOB_RUN","data_transformer_run":
      {"transformer_catrn":"//b","start_time":"2024-01-31T12:00:00+02:00","status":"SUCCESS"}}`;
    const table = `{"catrn":"//c","name":"\\"ünï\\" 💧\\n","type":"TABLE","description":null,
      "dataset":{"rows_number":7,"field_list":[]}}`;
    const values = '{"a":null,"b":[null,1.5,-0,1e21,{"c":"\\u2028"}],"":true,"10":1,"9":2}';
    const items = itemsOf([run, table, withValue(values), job("//a"), job("//b")].join());
    const texts = items.map((item) => textOf(item)!);
    const read = draftsFrom(joinTexts(texts));
    const drafts = draftsOf(items);
    expect(read.entities.map(({ catrn }) => catrn)).toEqual(["//a", "//b", "//c", "//v"]);
    expect(read.runs).toMatchObject([{ catrn: "//run", taskCatrn: "//b", kind: "TRANSFORMER" }]);
    expect(JSON.stringify(read)).toBe(JSON.stringify(drafts));
    expect(draftsOf(read.entities.map(({ item }) => item)).entities).toEqual(read.entities);
  });

  it("are parsed when somebody asks for the item", () => {
    const text = joinTexts([{ catrn: "//a", hash: "h", run: false, json: "{" }]);
    const [draft] = draftsFrom(text).entities;
    expect(draft).toHaveProperty("hash", "h");
    expect(() => draft!.item).toThrow(SyntaxError);
  });

  it.each(["12345678901234567890", "1e400", "-1e400"])("are not made of %s", (value) => {
    const [item] = itemsOf(withValue(value));
    expect(textOf(item!)).toBeNull();
  });
});
