import { describe, expect, it } from "vitest";
import { memoryCounters } from "#cache/counters.ts";

/** Counters with a clock that is moved by hand. */
function countersWith(maxCounters: number) {
  let now = 1_000_000;
  const clock = { now: () => now, sleep: () => Promise.resolve() };
  return { ...memoryCounters({ maxCounters, clock }), pass: (ms: number) => void (now += ms) };
}

describe("counters in memory", () => {
  it("keeps every count however many others come after it", async () => {
    const counters = countersWith(100);
    for (let i = 0; i < 7; i++) await counters.increment("ada", 60_000);
    for (let i = 0; i < 5_000; i++) await counters.increment(`flood ${i}`, 60_000);
    expect(await counters.read("ada")).toBe(7);
    expect(await counters.increment("ada", 60_000)).toBe(8);
  });

  it("counts too much rather than too little once it is full", async () => {
    const counters = countersWith(10);
    for (let i = 0; i < 10; i++) await counters.increment(`flood ${i}`, 60_000);
    for (let i = 1; i <= 5; i++) {
      expect(await counters.increment("late", 60_000)).toBeGreaterThanOrEqual(i);
    }
    expect(await counters.read("late")).toBeGreaterThanOrEqual(5);
    await counters.clear("late");
    expect(await counters.read("late")).toBeGreaterThanOrEqual(5);
  });

  it("has room again when its counters have expired", async () => {
    const counters = countersWith(10);
    for (let i = 0; i < 20; i++) await counters.increment(`flood ${i}`, 60_000);
    counters.pass(60_001);
    expect(await counters.read("flood 0")).toBe(0);
    expect([await counters.increment("new", 60_000), await counters.increment("new", 60_000)])
      .toEqual([1, 2]);
    await counters.clear("new");
    expect(await counters.read("new")).toBe(0);
  });

  it("a shared count lasts for the whole time of its last increment", async () => {
    const counters = countersWith(1);
    await counters.increment("first", 60_000);
    await counters.increment("late", 60_000);
    counters.pass(40_000);
    await counters.increment("late", 60_000);
    counters.pass(40_000);
    expect(await counters.read("late")).toBeGreaterThanOrEqual(2);
  });
});
