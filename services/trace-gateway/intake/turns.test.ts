import { expect, it } from "vitest";
import type { ResourceSpans, SpanModel } from "../model.ts";
import { lotsOf, Turns } from "./turns.ts";

const spans = (from: number, count: number) =>
  Array.from({ length: count }, (_, n) => ({ name: `${from + n}` }) as SpanModel);

it("lotsOf: every span once, in order, with its resource", () => {
  const all: ResourceSpans[] = [
    { resource: { of: "a" }, spans: spans(0, 7) },
    { resource: { of: "b" }, spans: [] },
    { resource: { of: "c" }, spans: spans(7, 2) },
  ];
  const lots = [...lotsOf(all, 3)];
  const named = lots.map((lot) => lot.flatMap((one) => one.spans.map((s) => s.name)));
  expect(named).toEqual([["0", "1", "2"], ["3", "4", "5"], ["6", "7", "8"]]);
  expect(lots[2]!.map(({ resource }) => resource.of)).toEqual(["a", "c"]);
  expect([...lotsOf([], 3)]).toEqual([]);
});

it("Turns: one after another, also after one that fails", async () => {
  const turns = new Turns();
  const seen: string[] = [];
  const work = (name: string) => async () => {
    seen.push(`${name} begins`);
    await Promise.resolve();
    seen.push(`${name} ends`);
    if (name === "a") throw new Error("a failed");
  };
  const both = [turns.take(work("a")), turns.take(work("b"))];
  await expect(both[0]).rejects.toThrow("a failed");
  await both[1];
  expect(seen).toEqual(["a begins", "a ends", "b begins", "b ends"]);
});
