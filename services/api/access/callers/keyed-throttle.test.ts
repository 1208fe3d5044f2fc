import { expect, it } from "vitest";
import { unavailable } from "#kit/errors.ts";
import { KeyedThrottle } from "./throttle.ts";

const rate = { everyMs: 5_000, maxWaiting: 3 };

function throttleWith(nextTurn?: () => Promise<number>) {
  const slept: number[] = [];
  const clock = { sleep: (ms: number) => Promise.resolve(void slept.push(ms)) };
  return { throttle: new KeyedThrottle(clock, () => ({ nextTurn })), slept };
}

it("waits for the turn that all processes share, where they share a store", async () => {
  let at = 0;
  const { throttle, slept } = throttleWith(() => Promise.resolve(at += 7_000));
  await Promise.all(["a", "b"].map((client) => throttle.turn("ada", client, rate)));
  expect(slept).toEqual([7_000, 14_000]);
});

it("takes its own turns where processes share nothing", async () => {
  const { throttle, slept } = throttleWith();
  await Promise.all(["a", "b"].map((client) => throttle.turn("ada", client, rate)));
  expect(slept).toEqual([5_000, 5_000]);
});

it("an attempt whose turn cannot be taken fails, the next ones have theirs", async () => {
  let calls = 0;
  const { throttle } = throttleWith(() =>
    ++calls === 1 ? Promise.reject(unavailable("The cache does not answer")) : Promise.resolve(1)
  );
  const first = throttle.turn("ada", "a", rate);
  const second = throttle.turn("ada", "b", rate);
  await expect(first).rejects.toMatchObject({ status: 503 });
  await second;
  await throttle.turn("ada", "a", rate);
});
