import { setImmediate } from "node:timers";
import { describe, expect, it } from "vitest";
import { inBatches } from "#kit/event-loop.ts";

describe("inBatches", () => {
  it("gives every item once, in order, and yields after each batch", async () => {
    const seen: (number[] | string)[] = [];
    setImmediate(() => seen.push("another"));
    for await (const batch of inBatches([1, 2, 3, 4, 5], 2)) seen.push(batch);
    expect(seen).toEqual([[1, 2], "another", [3, 4], [5]]);
    for await (const batch of inBatches([], 2)) seen.push(batch);
    expect(seen).toHaveLength(4);
  });
});
