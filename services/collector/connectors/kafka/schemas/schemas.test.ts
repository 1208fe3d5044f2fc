import { describe, expect, it } from "vitest";
import { avroFields } from "./avro.ts";
import { datasetFields, maxSchemaFields } from "#platform/items.ts";
import { jsonFields } from "./json.ts";
import { protobufFields } from "./protobuf.ts";

const node = {
  type: "record",
  name: "Node",
  fields: [{ name: "next", type: ["null", "Node"] }, { name: "value", type: ["int", "string"] }],
};

describe("schemas of messages", () => {
  it("of Avro end where a record holds itself, and keep several types of a union", () => {
    expect(avroFields(JSON.stringify(node))).toMatchObject([
      { name: "next", type: "TYPE_STRUCT", nullable: true, children: [] },
      { name: "value", type: "TYPE_UNION", logical: "union<int,string>" },
    ]);
    expect(avroFields('"long"')).toMatchObject([{ name: "value", type: "TYPE_INTEGER" }]);
    expect(avroFields('{"type": "map", "values": "Unknown"}')).toMatchObject([
      { type: "TYPE_MAP", logical: "map<Unknown>", children: [] },
    ]);
  });

  it("of JSON follow references within the document only, and end where they are circles", () => {
    const text = JSON.stringify({
      properties: {
        self: { $ref: "#" },
        loop: { $ref: "#/$defs/loop" },
        far: { $ref: "http://x.example/y.json" },
        inherited: { $ref: "#/constructor" },
        tags: { type: "array", items: { properties: { name: { type: "string" } } } },
        either: { oneOf: [{ type: "null" }, { type: "integer" }] },
      },
      $defs: { loop: { $ref: "#/$defs/loop" } },
    });
    const fields = new Map(jsonFields(text).map((field) => [field.name, field]));
    expect(fields.get("loop")).toMatchObject({ type: "TYPE_UNKNOWN", children: [] });
    expect(fields.get("far")).toMatchObject({ type: "TYPE_UNKNOWN" });
    expect(fields.get("inherited")).toMatchObject({ type: "TYPE_UNKNOWN" });
    expect(fields.get("tags")!.children).toMatchObject([{ name: "name" }]);
    expect(fields.get("either")).toMatchObject({ type: "TYPE_INTEGER", nullable: true });
    expect(datasetFields("//x", [...fields.values()]).length).toBeLessThanOrEqual(maxSchemaFields);
  });

  it("of Protobuf know nested messages, maps and enumerations", () => {
    const text = `syntax = "proto3"; package a.b; import "google/protobuf/timestamp.proto";
      message Tree { Tree left = 1; map<string, int32> counts = 2; Kind kind = 3;
        google.protobuf.Timestamp at = 4; other.Missing missing = 5; enum Kind { OAK = 0; ELM = 1; } }`;
    expect(protobufFields(text)).toMatchObject([
      { name: "left", type: "TYPE_STRUCT", children: [] },
      { name: "counts", type: "TYPE_MAP", logical: "map<string,int32>" },
      { name: "kind", type: "TYPE_STRING", values: ["OAK", "ELM"] },
      { name: "at", type: "TYPE_DATETIME" },
      { name: "missing", type: "TYPE_UNKNOWN" },
    ]);
    expect(() => protobufFields("no protobuf")).toThrow();
  });
});
