import { expect, it } from "vitest";
import { Inflow } from "./inflow.ts";

function inflowAt(now: number, batchesInHand?: { any: boolean }) {
  const clock = { at: now, now: () => clock.at, sleep: () => Promise.resolve() };
  return { clock, inflow: new Inflow(clock, batchesInHand) };
}

it("rests as long as work took, within bounds", () => {
  const { inflow } = inflowAt(1_000);
  const rests = [5, 80, 5_000].map((took) => inflow.restAfter(took, { least: 30, full: false }));
  expect(rests).toEqual([30, 80, 200]);
});

it("goes on at once when there was as much to do as fits", () => {
  const { inflow } = inflowAt(1_000);
  expect(inflow.restAfter(80, { least: 30, full: true })).toBe(0);
});

it("rests four times as long in a burst, however much there is to do", () => {
  const { inflow } = inflowAt(1_000);
  inflow.came(900, 950);
  const rests = [5, 80, 5_000].map((took) => inflow.restAfter(took, { least: 30, full: true }));
  expect(rests).toEqual([30, 320, 800]);
});

it("keeps up with a flow that goes on, until there was a break", () => {
  const { clock, inflow } = inflowAt(0);
  const rests = [];
  for (; clock.at <= 6_000; clock.at += 1_000) {
    inflow.came(clock.at - 600, clock.at);
    rests.push(inflow.restAfter(80, { least: 30, full: true }));
  }
  expect(rests).toEqual([320, 320, 320, 320, 320, 0, 0]);
  clock.at += 1_000;
  inflow.came(clock.at - 500, clock.at);
  expect(inflow.restAfter(80, { least: 30, full: true })).toBe(320);
});

it("a burst is over a moment after its newest event, whatever came late", () => {
  const { clock, inflow } = inflowAt(1_000);
  inflow.came(900, 950);
  inflow.came(100, 100);
  expect(inflow.restAfter(80, { least: 30, full: true })).toBe(320);
  clock.at = 1_150;
  expect(inflow.restAfter(80, { least: 30, full: true })).toBe(0);
});

it("rests twice as long while a collector waits, however much there is to do", () => {
  const inHand = { any: true };
  const { inflow } = inflowAt(1_000, inHand);
  const rest = (took: number) => inflow.restAfter(took, { least: 30, full: true });
  expect([5, 80, 5_000].map(rest)).toEqual([10, 160, 500]);
  inflow.came(900, 950);
  expect(rest(80)).toBe(320);
  inHand.any = false;
  expect([rest(80), inflow.restAfter(5, { least: 30, full: false })]).toEqual([320, 30]);
});
