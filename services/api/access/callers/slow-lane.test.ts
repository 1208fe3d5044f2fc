import { expect, it } from "vitest";
import { unavailable } from "#kit/errors.ts";
import { SlowLane } from "./slow-lane.ts";

const pace = { everyMs: 5_000, maxWaiting: 3 };

function laneWith(nextTurn?: () => Promise<number>) {
  const slept: number[] = [];
  const clock = { sleep: (ms: number) => Promise.resolve(void slept.push(ms)) };
  return { lane: new SlowLane(clock, () => ({ nextTurn })), slept };
}

it("waits for the turn that all processes share, where they share a store", async () => {
  let at = 0;
  const { lane, slept } = laneWith(() => Promise.resolve(at += 7_000));
  await Promise.all(["a", "b"].map((client) => lane.turn("ada", client, pace)));
  expect(slept).toEqual([7_000, 14_000]);
});

it("takes its own turns where processes share nothing", async () => {
  const { lane, slept } = laneWith();
  await Promise.all(["a", "b"].map((client) => lane.turn("ada", client, pace)));
  expect(slept).toEqual([5_000, 5_000]);
});

it("an attempt whose turn cannot be taken fails, the next ones have theirs", async () => {
  let calls = 0;
  const { lane } = laneWith(() =>
    ++calls === 1 ? Promise.reject(unavailable("The cache does not answer")) : Promise.resolve(1)
  );
  const first = lane.turn("ada", "a", pace);
  const second = lane.turn("ada", "b", pace);
  await expect(first).rejects.toMatchObject({ status: 503 });
  await second;
  await lane.turn("ada", "a", pace);
});
