import { expect, it } from "vitest";
import { noMetrics } from "#kit/metrics.ts";
import { RefusedBodies } from "#platform/http/refusals.ts";
import { Budget, maxWaitMs, OverloadedError } from "./budget.ts";

let now = 0;
const clock = { now: () => now, sleep: () => Promise.resolve() };
const unmetered = new RefusedBodies({ allowance: 0, metrics: noMetrics });
const budget = () => new Budget(100, noMetrics, unmetered, clock);

it("Budget: while there is room no body is ended, however long it takes", () => {
  const all = budget();
  const [first, second] = [all.open("a"), all.open("b")];
  first.atLeast(50);
  now += 10 * maxWaitMs;
  second.atLeast(50);
  expect([first.reserved, second.reserved]).toEqual([50, 50]);
});

it("Budget: when it is full the bodies that have been arriving longest are ended for new ones", () => {
  const all = budget();
  const slow = [all.open("a"), all.open("b"), all.open("c")];
  for (const one of slow) one.atLeast(30);
  const logged: unknown[] = [];
  slow[0]!.onWithdrawn((why) => logged.push(why));
  now += maxWaitMs;
  all.open("d").atLeast(40);
  expect(slow.map(({ reserved }) => reserved)).toEqual([0, 30, 30]);
  expect(logged[0]).toBeInstanceOf(OverloadedError);
  expect(() => slow[0]!.atLeast(31)).toThrow(OverloadedError);
  expect(all.used).toBe(100);
});

it("Budget: bodies of a client above its share are ended at once for other clients, not for its own", () => {
  const all = budget();
  const greedy = Array.from({ length: 10 }, () => all.open("greedy"));
  for (const one of greedy) one.atLeast(10);
  expect(() => all.open("greedy").atLeast(10)).toThrow(OverloadedError);
  all.open("modest").atLeast(30);
  expect(greedy.map(({ reserved }) => reserved)).toEqual([0, 0, 0, 10, 10, 10, 10, 10, 10, 10]);
  all.open("modest").atLeast(20);
  expect(() => all.open("modest").atLeast(10)).toThrow(OverloadedError);
});

it("Budget: a body that has arrived whole is never ended", () => {
  const all = budget();
  const whole = all.open("a");
  whole.atLeast(100);
  whole.complete();
  now += 10 * maxWaitMs;
  expect(() => all.open("b").atLeast(1)).toThrow(OverloadedError);
  whole.release();
  whole.release();
  expect(all.used).toBe(0);
});
