import { expect, it } from "vitest";
import type { Clock } from "#kit/clock.ts";
import { LowPriorityScheduler, lowPriorityWaitMs, oneAtATimeMs } from "./consumer.ts";

/** Chunks that begin and end by hand, and a clock that is moved by hand. */
function scheduler() {
  const clock = { at: 0, wake: new Set<() => void>() };
  const source: Clock = {
    now: () => clock.at,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        const until = clock.at + ms;
        clock.wake.add(() => clock.at >= until && resolve());
        signal?.addEventListener("abort", () => resolve());
      }),
  };
  const way = new LowPriorityScheduler(source);
  const begun: string[] = [];
  const chunk = (name: string, gives: boolean) => {
    const ended = Promise.withResolvers<void>();
    const done = way.run(gives, () => {
      begun.push(name);
      return ended.promise;
    });
    return { end: () => (ended.resolve(), done) };
  };
  const pass = async (ms: number) => {
    clock.at += ms;
    for (const wake of clock.wake) wake();
    await new Promise((turn) => setTimeout(turn, 0));
  };
  return { begun, chunk, pass };
}

it("what has low precedence waits until nothing else is applied", async () => {
  const { begun, chunk, pass } = scheduler();
  const [first, second] = [chunk("a", false), chunk("b", false)];
  chunk("flood", true);
  await first.end();
  await pass(0);
  expect(begun).toEqual(["a", "b"]);
  await second.end();
  await pass(0);
  expect(begun).toEqual(["a", "b", "flood"]);
});

it("others wait for nothing", async () => {
  const { begun, chunk, pass } = scheduler();
  chunk("flood", true);
  chunk("a", false);
  await pass(0);
  expect(begun).toEqual(["flood", "a"]);
});

it("waits no longer than its patience", async () => {
  const { begun, chunk, pass } = scheduler();
  chunk("a", false);
  chunk("flood", true);
  await pass(lowPriorityWaitMs - 1);
  expect(begun).toEqual(["a"]);
  await pass(1);
  expect(begun).toEqual(["a", "flood"]);
});

it("goes one at a time while others come, and together when none have come for a while", async () => {
  const { begun, chunk, pass } = scheduler();
  await chunk("a", false).end();
  const first = chunk("1", true);
  chunk("2", true);
  await pass(0);
  expect(begun).toEqual(["a", "1"]);
  await first.end();
  await pass(0);
  expect(begun).toEqual(["a", "1", "2"]);
  await pass(oneAtATimeMs);
  chunk("3", true);
  await pass(0);
  expect(begun).toEqual(["a", "1", "2", "3"]);
});

it("tells the outcome of the work, and lets the next go on after a failure", async () => {
  const { begun, chunk, pass } = scheduler();
  const way = new LowPriorityScheduler({ now: () => 0, sleep: () => Promise.resolve() });
  await expect(way.run(true, () => Promise.reject(new Error("poison")))).rejects.toThrow("poison");
  expect(await way.run(true, () => Promise.resolve(7))).toBe(7);
  chunk("a", true);
  await pass(0);
  expect(begun).toEqual(["a"]);
});
