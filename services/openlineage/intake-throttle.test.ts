import { expect, it } from "vitest";
import { IntakeThrottle } from "./intake-throttle.ts";

function throttleAt(now: number, batchesInFlight?: { any: boolean }) {
  const clock = { at: now, now: () => clock.at, sleep: () => Promise.resolve() };
  return { clock, throttle: new IntakeThrottle(clock, batchesInFlight) };
}

it("rests as long as work took, within bounds", () => {
  const { throttle } = throttleAt(1_000);
  const pauses = [5, 80, 5_000].map((took) => throttle.pauseAfter(took, { min: 30, full: false }));
  expect(pauses).toEqual([30, 80, 200]);
});

it("goes on at once when there was as much to do as fits", () => {
  const { throttle } = throttleAt(1_000);
  expect(throttle.pauseAfter(80, { min: 30, full: true })).toBe(0);
});

it("rests four times as long in a burst, however much there is to do", () => {
  const { throttle } = throttleAt(1_000);
  throttle.came(900, 950);
  const pauses = [5, 80, 5_000].map((took) => throttle.pauseAfter(took, { min: 30, full: true }));
  expect(pauses).toEqual([30, 320, 800]);
});

it("keeps up with a flow that goes on, until there was a break", () => {
  const { clock, throttle } = throttleAt(0);
  const pauses = [];
  for (; clock.at <= 6_000; clock.at += 1_000) {
    throttle.came(clock.at - 600, clock.at);
    pauses.push(throttle.pauseAfter(80, { min: 30, full: true }));
  }
  expect(pauses).toEqual([320, 320, 320, 320, 320, 0, 0]);
  clock.at += 1_000;
  throttle.came(clock.at - 500, clock.at);
  expect(throttle.pauseAfter(80, { min: 30, full: true })).toBe(320);
});

it("a burst is over a moment after its newest event, whatever came late", () => {
  const { clock, throttle } = throttleAt(1_000);
  throttle.came(900, 950);
  throttle.came(100, 100);
  expect(throttle.pauseAfter(80, { min: 30, full: true })).toBe(320);
  clock.at = 1_150;
  expect(throttle.pauseAfter(80, { min: 30, full: true })).toBe(0);
});

it("rests twice as long while a collector waits, however much there is to do", () => {
  const inFlight = { any: true };
  const { throttle } = throttleAt(1_000, inFlight);
  const pauseAfter = (took: number) => throttle.pauseAfter(took, { min: 30, full: true });
  expect([5, 80, 5_000].map(pauseAfter)).toEqual([10, 160, 500]);
  throttle.came(900, 950);
  expect(pauseAfter(80)).toBe(320);
  inFlight.any = false;
  expect([pauseAfter(80), throttle.pauseAfter(5, { min: 30, full: false })]).toEqual([320, 30]);
});
