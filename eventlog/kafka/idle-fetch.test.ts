import { expect, it } from "vitest";
import { busyWaitMs, idleWaitMs, waitingFetch } from "#eventlog/kafka/client-patches.ts";

/** A member of a group; each fetch tells how long the broker was asked to wait. */
function member() {
  const state = { now: 0, records: 0, paused: [] as number[], fail: false };
  const group = {
    maxWaitTime: busyWaitMs,
    subscriptionState: { paused: () => [{ topic: "t", partitions: state.paused }] },
    fetch: waitingFetch(
      () =>
        state.fail
          ? Promise.reject(new Error("away"))
          : Promise.resolve([{ isEmpty: () => state.records === 0 }]),
      () => state.now,
    ),
  };
  const waited = async () => {
    await group.fetch("1").catch(() => {});
    return group.maxWaitTime;
  };
  return { state, waited };
}

it("a consumer fetches with a short wait until it had no records for a while", async () => {
  const { state, waited } = member();
  expect(await waited()).toBe(busyWaitMs);
  state.now = 9_999;
  expect(await waited()).toBe(busyWaitMs);
  state.now = 10_000;
  expect(await waited()).toBe(idleWaitMs);
  state.records = 3;
  await waited();
  state.records = 0;
  expect(await waited()).toBe(busyWaitMs);
  state.now = 20_000;
  expect(await waited()).toBe(idleWaitMs);
});

it("a paused partition keeps the wait short, so that it is fetched soon after it is resumed", async () => {
  const { state, waited } = member();
  await waited();
  state.now = 60_000;
  state.paused = [2];
  expect(await waited()).toBe(busyWaitMs);
  state.paused = [];
  expect(await waited()).toBe(busyWaitMs);
  state.now = 70_000;
  expect(await waited()).toBe(idleWaitMs);
});

it("members are idle each for itself, and a failed fetch changes nothing", async () => {
  const [one, other] = [member(), member()];
  await one.waited();
  one.state.now = 10_000;
  one.state.fail = true;
  expect(await one.waited()).toBe(idleWaitMs);
  one.state.fail = false;
  expect(await one.waited()).toBe(idleWaitMs);
  expect(await other.waited()).toBe(busyWaitMs);
});
