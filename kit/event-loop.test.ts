import { setImmediate } from "node:timers";
import { describe, expect, it } from "vitest";
import { EventLoopYielder, inBatches } from "#kit/event-loop.ts";

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

describe("EventLoopYielder", () => {
  it("lets events be handled between the slices of any two computations", async () => {
    const seen: string[] = [];
    let over = false;
    const events = () => {
      seen.push("events");
      if (!over) setImmediate(events);
    };
    setImmediate(events);
    await Promise.all(["a", "b", "c"].map(async (name) => {
      const yielder = new EventLoopYielder(0);
      for (let n = 0; n < 3; n++) {
        await yielder.yieldWhenDue();
        seen.push(name);
      }
    }));
    over = true;
    const slices = seen.filter((one) => one !== "events");
    expect(slices.toSorted().join("")).toBe("aaabbbccc");
    expect(slices.slice(0, 3)).toEqual(["a", "b", "c"]);
    const together = seen.filter((one, at) => one !== "events" && seen[at + 1] !== "events");
    expect(together).toEqual([seen.at(-1)]);
  });
});
