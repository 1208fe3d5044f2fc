import { expect, it } from "vitest";
import { systemClock } from "#kit/clock.ts";
import { type Metrics, noMetrics } from "#kit/metrics.ts";
import { Fresh } from "./fresh.ts";

function fixture() {
  const told: unknown[] = [];
  const metrics: Metrics = {
    ...noMetrics,
    gauge: () => ({ set: (_, value) => void told.push(value) }),
    counter: () => ({ inc: (labels) => void told.push(labels?.result) }),
  };
  const time = { now: 0 };
  const clock = { ...systemClock, now: () => time.now };
  const cache = new Fresh<string>({ name: "test", lifetimeMs: 10, most: 2, clock, metrics });
  const loads: string[] = [];
  const get = (key: string) =>
    cache.get(key, () => {
      loads.push(key);
      return Promise.resolve(`${key} at ${time.now}`);
    });
  return { cache, get, loads, told, time };
}

it("keeps a value for its lifetime, counted from when loading began", async () => {
  const { get, time, told } = fixture();
  expect(await get("a")).toBe("a at 0");
  time.now = 9;
  expect(await get("a")).toBe("a at 0");
  time.now = 10;
  expect(await get("a")).toBe("a at 10");
  expect(told).toEqual(["miss", 1, "hit", "miss", 1]);
});

it("loads anew when the clock was set back", async () => {
  const { get, time } = fixture();
  await get("a");
  time.now = -1;
  expect(await get("a")).toBe("a at -1");
});

it("drops the oldest beyond its bound", async () => {
  const { get, loads } = fixture();
  for (const key of ["a", "b", "a", "c", "b", "a", "c"]) await get(key);
  expect(loads).toEqual(["a", "b", "c", "a"]);
});

it("keeps no failure", async () => {
  const { cache, get } = fixture();
  await expect(cache.get("a", () => Promise.reject(new Error("down")))).rejects.toThrow("down");
  expect(await get("a")).toBe("a at 0");
});
