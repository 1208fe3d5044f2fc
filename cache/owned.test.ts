import { expect, it } from "vitest";
import { MemoryOwned } from "#cache/owned.ts";
import { noMetrics } from "#kit/metrics.ts";

function ownedWith(limits: { maxOfOwner?: number; max?: number } = {}) {
  let now = 1_000;
  const clock = { now: () => now, sleep: () => Promise.resolve() };
  const owned = new MemoryOwned({ metrics: noMetrics, clock, ...limits });
  return Object.assign(owned, { pass: (ms: number) => void (now += ms) });
}

it("of an owner with too many values the oldest is forgotten; those of others stay", async () => {
  const owned = ownedWith({ maxOfOwner: 3 });
  await owned.put("ada", "a", "1", 60_000);
  for (let n = 0; n < 5; n++) await owned.put("mallory", `m${n}`, "x", 60_000);
  expect([await owned.take("m1"), await owned.take("m2"), await owned.take("a")])
    .toEqual([null, "x", "1"]);
  expect(await owned.take("a")).toBeNull();
});

it("full, it forgets values of whoever has most", async () => {
  const owned = ownedWith({ maxOfOwner: 10, max: 12 });
  await owned.put("ada", "a", "1", 60_000);
  for (let n = 0; n < 10; n++) await owned.put("mallory", `m${n}`, "x", 60_000);
  for (let n = 0; n < 5; n++) await owned.put(`stranger ${n}`, `s${n}`, "y", 60_000);
  expect(await owned.take("a")).toBe("1");
  expect(await Promise.all([0, 1, 2, 3, 4].map((n) => owned.take(`s${n}`))))
    .toEqual(["y", "y", "y", "y", "y"]);
  expect([await owned.take("m3"), await owned.take("m4")]).toEqual([null, "x"]);
});

it("a value ends with its time, and expired ones go first", async () => {
  const owned = ownedWith({ max: 2 });
  await owned.put("ada", "old", "1", 1_000);
  owned.pass(1_000);
  expect(await owned.take("old")).toBeNull();
  await owned.put("ada", "old", "1", 1_000);
  await owned.put("ada", "new", "2", 60_000);
  owned.pass(1_000);
  await owned.put("bob", "b", "3", 60_000);
  expect([await owned.take("new"), await owned.take("b")]).toEqual(["2", "3"]);
});
