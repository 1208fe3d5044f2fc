import { describe, expect, it } from "vitest";
import { canonical } from "#kit/canonical.ts";
import { inferType } from "./posted-item.ts";

describe("inferType", () => {
  it.each([
    [7, "INTEGER", "7"],
    [9007199254740993n, "INTEGER", "9007199254740993"],
    [1e21, "INTEGER", "1000000000000000000000"],
    [1.5, "FLOAT", "1.5"],
    [true, "BOOLEAN", "true"],
    ["plain", "STRING", "plain"],
    ["2024-01-31", "STRING", "2024-01-31"],
    ["2024-01-31T12:00:00Z", "DATETIME", "2024-01-31T12:00:00Z"],
    ["2024-01-31T12:00:00.123+02:00", "DATETIME", "2024-01-31T12:00:00.123+02:00"],
    ["2024-13-31T12:00:00Z", "STRING", "2024-13-31T12:00:00Z"],
    ['{"a":1}', "JSON", '{"a":1}'],
    ["[1,2]", "JSON", "[1,2]"],
    ["{not json", "STRING", "{not json"],
    [[1, 9007199254740993n], "ARRAY", "[1,9007199254740993]"],
    [{ a: [] }, "JSON", '{"a":[]}'],
  ])("takes %s for %s", (value, type, text) => {
    expect(inferType(value)).toEqual({ type, text });
  });

  it("leaves null out", () => {
    expect(inferType(null)).toBeNull();
  });
});

describe("canonical", () => {
  it("is one text whatever the order of keys and however absence is spelled", () => {
    expect(canonical({ b: [1, { d: 2n, c: "x" }], a: undefined }))
      .toBe(canonical({ b: [1, { c: "x", d: 2n }] }));
  });

  it("tells a text from a number, and a list from its text", () => {
    const values = [1, "1", [1], "[1]", null, "null", { a: 1 }, true, "true", ["a,b"], ["a", "b"]];
    expect(new Set(values.map(canonical)).size).toBe(values.length);
  });
});
