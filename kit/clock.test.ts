import { expect, it, vi } from "vitest";
import { systemClock } from "#kit/clock.ts";

it("sleeps no longer than it is told, and not at all once it is aborted", async () => {
  vi.useFakeTimers();
  try {
    let awake = 0;
    const { signal } = new AbortController();
    void systemClock.sleep(1_000, signal).then(() => awake++);
    await vi.advanceTimersByTimeAsync(999);
    expect(awake).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(awake).toBe(1);
    await systemClock.sleep(1_000, AbortSignal.abort());
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

it("an abort ends the sleep without an error and leaves no timer and no listener", async () => {
  vi.useFakeTimers();
  try {
    const abort = new AbortController();
    const removed = vi.spyOn(abort.signal, "removeEventListener");
    const sleep = systemClock.sleep(60_000, abort.signal);
    abort.abort(new Error("stopping"));
    await expect(sleep).resolves.toBeUndefined();
    expect([vi.getTimerCount(), removed.mock.calls.length]).toEqual([0, 1]);
  } finally {
    vi.useRealTimers();
  }
});
