import { describe, expect, it } from "vitest";
import {
  bytesOf,
  cursorTo,
  fitSections,
  fitting,
  likePattern,
  offsetOf,
} from "#services/api/mcp/shapes.ts";

describe("what fits into an answer", () => {
  it("is the first of the items, whole, measured in bytes", () => {
    const items = Array.from({ length: 1_000 }, (_, id) => ({ id, name: "ü".repeat(50) }));
    const fitted = fitting(items, { total: 1_000 }, 10_000);
    expect(fitted).toEqual(items.slice(0, fitted.length));
    expect(bytesOf({ total: 1_000, items: fitted })).toBeLessThanOrEqual(10_000);
    expect(fitted.length).toBeGreaterThan(70);
  });

  it("leaves items of the largest list out first, and never a total", () => {
    const small = { total: 2, items: ["a", "b"] };
    const large = { total: 500, items: Array.from({ length: 500 }, () => "x".repeat(20)) };
    fitSections([small, large], 1_000);
    expect(small.items).toHaveLength(2);
    expect(large.total).toBe(500);
    expect(bytesOf(small.items) + bytesOf(large.items)).toBeLessThanOrEqual(1_004);
    fitSections([small, large], 0);
    expect([small.items, large.items]).toEqual([[], []]);
  });
});

describe("a cursor", () => {
  const given = { ref: "orders", depth: 3, limit: 50 };

  it("goes on with the same question, with another number of items too", () => {
    const cursor = cursorTo("get_lineage", given, 50, 51)!;
    expect(offsetOf("get_lineage", { ...given, limit: 10, cursor } as object)).toBe(50);
    expect(cursorTo("get_lineage", given, 51, 51)).toBeNull();
  });

  it("is refused for another question, and when it is none", () => {
    const cursor = cursorTo("get_lineage", given, 50, 51)!;
    const questions: [string, object][] = [
      ["get_lineage", { ...given, depth: 4, cursor }],
      ["list_alerts", { ...given, cursor }],
      ["get_lineage", { ...given, cursor: "50" }],
    ];
    for (const [tool, args] of questions) {
      expect(() => offsetOf(tool, args)).toThrow(/^cursor is of another question/);
    }
  });
});

it("a name pattern has * and ? as wildcards, and nothing else", () => {
  expect(["order", "order*", "?_%\\"].map(likePattern)).toEqual([
    "%order%",
    "order%",
    "_\\_\\%\\\\",
  ]);
});
