import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { avroReader } from "./avro.ts";

const bytes = (...given: (number | string)[]) =>
  new Uint8Array(
    given.flatMap((one) =>
      typeof one === "number" ? [one] : [one.length * 2, ...new TextEncoder().encode(one)]
    ),
  );
const read = (schema: unknown, ...given: (number | string)[]) =>
  avroReader(JSON.stringify(schema))(bytes(...given));

it.each([
  ["long", [0xac, 0x02], 150],
  ["long", [0x01], -1],
  ["long", [0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x1f], Number.MAX_SAFE_INTEGER],
  ["boolean", [1], true],
  ["string", ["ada"], "ada"],
  [["null", "string"], [2, "ada"], "ada"],
  [["null", "string"], [0], null],
  [{ type: "enum", name: "E", symbols: ["A", "B"] }, [2], "B"],
  [{ type: "array", items: "int" }, [4, 2, 4, 0], [1, 2]],
  [{ type: "array", items: "int" }, [3, 4, 2, 4, 0], [1, 2]],
  [{ type: "map", values: "int" }, [2, "a", 2, 0], { a: 1 }],
  [{ type: "fixed", name: "F", size: 2 }, [104, 105], "hi"],
  [{ type: { type: "string", "avro.java.string": "String" } }, ["x"], "x"],
] as [unknown, (number | string)[], unknown][])("%j of %j", (schema, given, value) => {
  expect(read(schema, ...given)).toEqual(value);
});

it("a record that contains itself, by its name and that of its namespace", () => {
  const list = {
    type: "record",
    name: "List",
    namespace: "a.b",
    fields: [{ name: "value", type: "int" }, { name: "next", type: ["null", "List"] }],
  };
  expect(read(list, 2, 2, 4, 0)).toEqual({ value: 1, next: { value: 2, next: null } });
});

it.each([
  ["string", [20, 65], "the value is cut off"],
  [["null"], [4], "a union has no such branch"],
  [{ type: "array", items: "null" }, [0xfe, 0xff, 0xff, 0xff, 0x0f], "a list is too long"],
  ["Unknown", [], "the schema does not define Unknown"],
  [{ type: "record", fields: [] }, [], "a named schema has no name"],
] as [unknown, number[], string][])("%j of %j: %s", (schema, given, message) => {
  expect(() => read(schema, ...given)).toThrow(message);
});

it("a schema or value that never ends is refused", () => {
  const endless = {
    type: "record",
    name: "R",
    fields: [{ name: "next", type: ["R"] }],
  };
  expect(() => avroReader(JSON.stringify(endless))(new Uint8Array(1_000))).toThrow("too deeply");
  const deep = `${'{"type":'.repeat(500)}"int"${"}".repeat(500)}`;
  expect(() => avroReader(deep)).toThrow("too deeply");
  expect(() => avroReader("{")).toThrow("not JSON");
});

it("a proposal that the client of DataHub wrote", () => {
  const { schema, record } = JSON.parse(
    readFileSync(new URL("../testing/kafka-record.json", import.meta.url), "utf8"),
  ) as { schema: string; record: string };
  const value = Uint8Array.from(atob(record), (one) => one.charCodeAt(0)).subarray(5);
  expect(avroReader(schema)(value)).toMatchObject({
    entityType: "dataset",
    entityUrn: "urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)",
    changeType: "UPSERT",
    aspectName: "status",
    aspect: { value: '{"removed": false}', contentType: "application/json" },
    systemMetadata: { lastObserved: 1_700_000_000_000, runId: "run" },
  });
});
