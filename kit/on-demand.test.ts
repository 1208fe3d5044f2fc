import { expect, it } from "vitest";
import { loadedOnce, onDemand } from "#kit/on-demand.ts";

it("onDemand gives the same module to every call", () => {
  const yaml = onDemand<typeof import("yaml")>("yaml");
  expect(yaml().parse("a: 1")).toEqual({ a: 1 });
  expect(yaml()).toBe(yaml());
});

it("loadedOnce loads once for calls at the same time and later ones, and again after a failure", async () => {
  const outcomes = [() => Promise.reject(new Error("no descriptor")), () => Promise.resolve({})];
  let loads = 0;
  const module = loadedOnce(() => outcomes[loads++]!());
  const both = await Promise.allSettled([module(), module()]);
  expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  const [one, other] = await Promise.all([module(), module()]);
  expect(one).toBe(other);
  expect(await module()).toBe(one);
  expect(loads).toBe(2);
});
