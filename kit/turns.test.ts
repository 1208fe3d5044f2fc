import { setImmediate } from "node:timers";
import { describe, expect, it } from "vitest";
import { inLots } from "#kit/turns.ts";

describe("inLots", () => {
  it("gives every item once, in order, and others a turn after each lot", async () => {
    const seen: (number[] | string)[] = [];
    setImmediate(() => seen.push("another"));
    for await (const lot of inLots([1, 2, 3, 4, 5], 2)) seen.push(lot);
    expect(seen).toEqual([[1, 2], "another", [3, 4], [5]]);
    for await (const lot of inLots([], 2)) seen.push(lot);
    expect(seen).toHaveLength(4);
  });
});
