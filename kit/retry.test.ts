import { describe, expect, it, vi } from "vitest";
import type { Clock } from "#kit/clock.ts";
import { backoff, retry, type RetryOptions, withTimeout } from "#kit/retry.ts";

/** A clock whose sleeps end at once and are recorded in `slept`. */
function clockOf(slept: number[], onSleep = () => {}): Clock {
  return {
    now: () => 0,
    sleep: (ms) => {
      slept.push(ms);
      onSleep();
      return Promise.resolve();
    },
  };
}

const options = (more: Partial<RetryOptions> = {}): RetryOptions => ({
  initial: 100,
  max: 1_000,
  attempts: 3,
  retryable: () => true,
  ...more,
});

/** Work that fails `times` times before it succeeds, and the attempts it saw. */
function failing(times: number) {
  const seen = { attempts: 0 };
  const work = () =>
    ++seen.attempts <= times
      ? Promise.reject(new Error(`failure ${seen.attempts}`))
      : Promise.resolve("done");
  return { seen, work };
}

describe("backoff", () => {
  it.each([[1, 50, 100], [2, 100, 200], [4, 400, 800], [5, 500, 1_000], [2_000, 500, 1_000]])(
    "before attempt %i more lies between %i and %i",
    (attempt, min, max) => {
      const bounds = { initial: 100, max: 1_000 };
      expect(backoff(attempt, bounds, () => 0)).toBe(min);
      expect(backoff(attempt, bounds, () => 1)).toBe(max);
    },
  );
});

describe("retry", () => {
  it("waits longer each time, tells of each, and gives what came in the end", async () => {
    const slept: number[] = [];
    const reported: unknown[] = [];
    const { work, seen } = failing(2);
    const done = await retry(work, {
      ...options({ clock: clockOf(slept) }),
      onRetry: (error, attempt, delay) => reported.push([(error as Error).message, attempt, delay]),
    });
    expect([done, seen.attempts]).toEqual(["done", 3]);
    expect(reported).toEqual([["failure 1", 1, slept[0]], ["failure 2", 2, slept[1]]]);
    expect(slept[1]).toBeGreaterThanOrEqual(slept[0]!);
  });

  it("gives up with the last error once its attempts are used up, without another wait", async () => {
    const slept: number[] = [];
    const { work } = failing(9);
    await expect(retry(work, options({ clock: clockOf(slept) }))).rejects.toThrow("failure 3");
    expect(slept).toHaveLength(2);
  });

  it("does not try again what is not worth it", async () => {
    const { work, seen } = failing(9);
    await expect(retry(work, options({ retryable: () => false }))).rejects.toThrow("failure 1");
    expect(seen.attempts).toBe(1);
  });

  it("an abort during a wait leaves one attempt, whose error counts", async () => {
    const abort = new AbortController();
    const clock = clockOf([], () => abort.abort());
    const { work, seen } = failing(9);
    await expect(retry(work, options({ clock, attempts: 9, signal: abort.signal }))).rejects
      .toThrow("failure 2");
    expect(seen.attempts).toBe(2);
  });
});

describe("withTimeout", () => {
  it.each(["the outcome", "the failure"])("passes on %s, and leaves no timer", async (what) => {
    vi.useFakeTimers();
    try {
      const work = what === "the outcome"
        ? Promise.resolve(what)
        : Promise.reject<string>(new Error(what));
      const late = () => new Error("late");
      await expect(withTimeout(work, 1_000, late).catch((error: Error) => error.message)).resolves
        .toBe(what);
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it("fails by the given error when the time is over", async () => {
    const never = new Promise<never>(() => {});
    await expect(withTimeout(never, 5, () => new Error("late"))).rejects.toThrow("late");
  });
});
