import { describe, expect, it } from "vitest";
import { cases } from "../alerts/testing/case.ts";
import { field, type Item, job, table } from "../testing/harness.ts";

const c = cases();

describe("writeAlerts of structure", () => {
  const typed = (type: string, is_nullable: boolean, logical_type?: string) => ({
    type: { type, is_nullable, ...(logical_type ? { logical_type } : {}) },
  });
  const dataset = (...fields: ReturnType<typeof field>[]) =>
    table(c().catrn("d"), { dataset: { field_list: fields } });
  const f = (name: string, more = {}) => field(c().catrn(`d/${name}`), { name, ...more });

  it.each<[string, () => ReturnType<typeof field>[], string[]]>([
    ["a field is added", () => [f("a"), f("b"), f("c")], []],
    ["the order changes", () => [f("b"), f("a")], []],
    ["a name changes", () => [f("a", { name: "other" }), f("b")], []],
    ["a key changes", () => [f("a", { is_primary_key: true }), f("b")], []],
    ["a description changes", () => [f("a", { description: "d" }), f("b")], []],
    ["a field is gone", () => [f("b")], ["SCHEMA d OPEN: Missing field: a"]],
    ["a field has another CATRN", () => [f("a2", { name: "a" }), f("b")], [
      "SCHEMA d OPEN: Missing field: a",
    ]],
    ["all are gone", () => [], ["SCHEMA d OPEN: Missing field: a | Missing field: b"]],
    ["a type changes", () => [f("a", typed("TYPE_INTEGER", true)), f("b")], [
      "SCHEMA d OPEN: Field a: type changed from TYPE_STRING to TYPE_INTEGER",
    ]],
    ["a field takes no nulls any more", () => [f("a", typed("TYPE_STRING", false)), f("b")], [
      "SCHEMA d OPEN: Field a: is no longer nullable",
    ]],
    ["a logical type is stated", () => [f("a", typed("TYPE_STRING", true, "uuid")), f("b")], [
      "SCHEMA d OPEN: Field a: type changed from TYPE_STRING to uuid (TYPE_STRING)",
    ]],
  ])("of a dataset when %s", async (_what, next, expected) => {
    await c().post(dataset(f("a"), f("b")));
    expect(await c().alerts()).toEqual([]);
    await c().post(dataset(...next()));
    expect(await c().alerts()).toEqual(expected);
  });

  it.each<[string, string, string | null]>([
    ["decimal(6,5)", "DECIMAL(6, 5)", null],
    ["int", "integer", null],
    ["int", "bigint", "type changed from int (TYPE_NUMBER) to bigint (TYPE_NUMBER)"],
    [
      "varchar(10)",
      "varchar(20)",
      "type changed from varchar(10) (TYPE_NUMBER) to varchar(20) (TYPE_NUMBER)",
    ],
  ])("of a field that was %s and is %s", async (before, now, change) => {
    await c().post(dataset(f("a", typed("TYPE_NUMBER", true, before))));
    await c().post(dataset(f("a", typed("TYPE_NUMBER", true, now))));
    await c().post(dataset(f("a", typed("TYPE_NUMBER", true, now))));
    expect(await c().alerts()).toEqual(change ? [`SCHEMA d OPEN: Field a: ${change}`] : []);
  });

  it("says what else changed of a field", async () => {
    await c().post(dataset(f("a", typed("TYPE_STRING", false, "varchar(10)"))));
    await c().post(dataset(f("a", typed("TYPE_BINARY", true, "VARCHAR(10)"))));
    expect(await c().alerts()).toEqual([
      "SCHEMA d OPEN: Field a: type changed from varchar(10) (TYPE_STRING) to VARCHAR(10) " +
      "(TYPE_BINARY), is nullable now",
    ]);
  });

  it("stacks what breaks next, and never resolves by itself", async () => {
    await c().post(dataset(f("a"), f("b")));
    await c().post(dataset(f("b")));
    await c().post(dataset());
    await c().post(dataset(f("a"), f("b")));
    expect(await c().alerts())
      .toEqual(["SCHEMA d OPEN: Missing field: a | Missing field: b"]);
    expect(await c().events()).toEqual(["CREATED d", "UPDATED d"]);
  });

  it("compares with the version before, not with the first", async () => {
    await c().post(dataset(f("a")));
    await c().post(dataset());
    await c().setStatus("RESOLVED");
    await c().post(dataset(f("b")));
    await c().post(dataset(f("b")));
    expect(await c().alerts()).toEqual(["SCHEMA d RESOLVED: Missing field: a"]);
  });

  it("raises nothing by a payload that is older than the one held", async () => {
    const now = Date.now();
    await c().at.post([dataset(f("a"))], { receivedAt: now });
    await c().at.post([dataset()], { receivedAt: now - 1_000, batch: "late" });
    expect(await c().alerts()).toEqual([]);
  });

  it("says how many more there are than an alert can name", async () => {
    await c().post(dataset(...Array.from({ length: 1_203 }, (_, i) => f(`f${i}`))));
    await c().post(dataset());
    const [text] = await c().alerts();
    const chunks = text!.split(" | ");
    expect(chunks).toHaveLength(1_000);
    expect(chunks.at(-1)).toBe("… and 204 more");
  });
});

describe("writeAlerts of links", () => {
  const transformer = (inputs: string[], outputs: string[], type = "JOB"): Item => ({
    ...job(c().catrn("x"), inputs.map(c().catrn), outputs.map(c().catrn)),
    type,
  });
  const consumer = (inputs?: string[]): Item => ({
    catrn: c().catrn("x"),
    name: "x",
    type: "DASHBOARD",
    data_consumer: inputs ? { inputs: inputs.map(c().catrn) } : {},
  });
  const missing = (...lost: [string, string][]) => [
    `SCHEMA x OPEN: ${lost.map(([kind, name]) => `Missing ${kind}: ${name}`).join(" | ")}`,
  ];

  it.each<[string, () => Item, () => Item, string[]]>([
    [
      "a transformer names other sources",
      () => transformer(["a", "b"], ["c"]),
      () => transformer(["a", "d"], ["c"]),
      missing(["source", "b"]),
    ],
    [
      "a transformer drops an output",
      () => transformer(["a"], ["b", "c"]),
      () => transformer(["a"], ["b"]),
      missing(["target", "c"]),
    ],
    [
      "a transformer drops everything",
      () => transformer(["a"], ["b"]),
      () => transformer([], []),
      missing(["source", "a"], ["target", "b"]),
    ],
    [
      "a transformer names more, in another order, twice",
      () => transformer(["a", "b"], []),
      () => transformer(["c", "b", "a", "a"], ["d"]),
      [],
    ],
    [
      "a microservice drops everything",
      () => transformer(["a"], ["b"], "MICROSERVICE"),
      () => transformer([], [], "MICROSERVICE"),
      [],
    ],
    [
      "a consumer drops an input",
      () => consumer(["a", "b"]),
      () => consumer(["b"]),
      missing(["input", "a"]),
    ],
    [
      "a consumer names no inputs",
      () => consumer(["a"]),
      () => consumer(),
      missing(["input", "a"]),
    ],
    [
      "a transformer is none any more",
      () => transformer(["a"], ["b"]),
      () => consumer(["a"]),
      missing(["source", "a"], ["target", "b"]),
    ],
    ["a consumer names its first input", () => consumer(), () => consumer(["a"]), []],
  ])("when %s, in a batch without runs and datasets", async (_what, before, next, expected) => {
    await c().post(before());
    await c().post(next());
    expect(await c().alerts()).toEqual(expected);
  });

  it("stacks a second time, and again for each of several transformers of a batch", async () => {
    const batch = (inputs: string[]) =>
      ["j1", "j2", "j3"].map((name) => job(c().catrn(name), inputs, []));
    await c().post(...batch(["//in/1", "//in/2"]));
    await c().post(...batch(["//in/2"]));
    await c().post(...batch([]));
    const text = "Missing source: //in/1 | Missing source: //in/2";
    expect((await c().alerts()).sort())
      .toEqual(["j1", "j2", "j3"].map((name) => `SCHEMA ${name} OPEN: ${text}`));
    expect(await c().events()).toHaveLength(6);
  });

  it("is one alert with what the same entity lost as a dataset", async () => {
    const view = (inputs: string[], fields: string[]): Item => ({
      ...transformer(inputs, [], "VIEW"),
      dataset: { field_list: fields.map((name) => field(c().catrn(`x/${name}`), { name })) },
    });
    await c().post(view(["a"], ["f"]));
    await c().post(view([], []));
    expect(await c().alerts()).toEqual(["SCHEMA x OPEN: Missing field: f | Missing source: a"]);
  });
});
