import { expect, it } from "vitest";
import type { Clock } from "#kit/clock.ts";
import { Wakeup } from "#kit/loop.ts";

const never = new AbortController().signal;

/** A clock that sleeps until it is aborted, and records the durations it was requested in `waits`. */
function recordingClock(waits: number[]): Clock {
  return {
    now: () => 0,
    sleep(ms, signal) {
      waits.push(ms);
      return new Promise((resolve) => signal!.addEventListener("abort", () => resolve()));
    },
  };
}

it("a signal that comes before the wait is not lost, until it is forgotten", async () => {
  const waits: number[] = [];
  const wakeup = new Wakeup(recordingClock(waits));
  wakeup.signal();
  await wakeup.wait(1_000, never);
  await wakeup.wait(1_000, never);
  expect(waits).toEqual([]);
  wakeup.reset();
  const waiting = wakeup.wait(1_000, never);
  wakeup.signal();
  await waiting;
  expect(waits).toEqual([1_000]);
});

it("an abort ends the wait, and no wait begins after one", async () => {
  const waits: number[] = [];
  const wakeup = new Wakeup(recordingClock(waits));
  const abort = new AbortController();
  const waiting = wakeup.wait(1_000, abort.signal);
  abort.abort();
  await waiting;
  await wakeup.wait(1_000, abort.signal);
  expect(waits).toEqual([1_000]);
});

it("waits as long as it is told, but never longer than a timer of the runtime can", async () => {
  const waits: number[] = [];
  const clock: Clock = { now: () => 0, sleep: (ms) => Promise.resolve(void waits.push(ms)) };
  const wakeup = new Wakeup(clock);
  await wakeup.wait(5, never);
  await wakeup.wait(Infinity, never);
  expect(waits).toEqual([5, 2 ** 31 - 1]);
});
