import { describe, expect, it } from "vitest";
import { systemClock } from "#kit/clock.ts";
import { noMetrics } from "#kit/metrics.ts";
import { ShortCache } from "#kit/short-cache.ts";

function fixture(maxEntries = 3) {
  let now = 10_000;
  const sizes: number[] = [];
  const results: (string | undefined)[] = [];
  const metrics = {
    ...noMetrics,
    gauge: () => ({ set: (_: unknown, size: number) => void sizes.push(size) }),
    counter: () => ({
      inc: (labels?: Record<string, string>) => void results.push(labels?.result),
    }),
  };
  const cache = new ShortCache<string>({
    ttlMs: 1_000,
    maxEntries,
    clock: { ...systemClock, now: () => now },
    name: "test",
    metrics,
  });
  let fetches = 0;
  return {
    sizes,
    results,
    fetches: () => fetches,
    move: (ms: number) => void (now += ms),
    get: (key: string) => cache.get(key, () => Promise.resolve(`${key}${++fetches}`)),
    peek: (key: string) => cache.peek(key),
    renew: (key: string) => cache.renew(key, () => Promise.resolve(`${key}${++fetches}`)),
    fail: (key: string) => cache.get(key, () => Promise.reject(new Error("down"))),
  };
}

describe("a short cache", () => {
  it("keeps an answer for its time, and looks up again at its end", async () => {
    const { get, move, results } = fixture();
    expect(await get("a")).toBe("a1");
    move(999);
    expect(await get("a")).toBe("a1");
    move(1);
    expect(await get("a")).toBe("a2");
    expect(results).toEqual(["miss", "hit", "miss"]);
  });

  it("shares a look-up among callers at the same time", async () => {
    const { get, fetches } = fixture();
    expect(await Promise.all([get("a"), get("a"), get("a")])).toEqual(["a1", "a1", "a1"]);
    expect(fetches()).toBe(1);
  });

  it("returns what is cached, and looks up again when asked to", async () => {
    const { peek, get, renew, move } = fixture();
    expect(peek("a")).toBeUndefined();
    await get("a");
    expect(await peek("a")).toBe("a1");
    expect(await renew("a")).toBe("a2");
    expect(await peek("a")).toBe("a2");
    move(1_000);
    expect(peek("a")).toBeUndefined();
  });

  it("keeps no failure", async () => {
    const { get, fail, sizes } = fixture();
    await expect(fail("a")).rejects.toThrow("down");
    expect(await get("a")).toBe("a1");
    expect(sizes).toEqual([1, 0, 1]);
  });

  it("is bounded, drops the oldest first, and what has ended before", async () => {
    const { get, move, fetches, sizes } = fixture(2);
    for (const key of ["a", "b", "c"]) await get(key);
    expect([await get("c"), await get("b")]).toEqual(["c3", "b2"]);
    expect(await get("a")).toBe("a4");
    expect(Math.max(...sizes)).toBe(2);
    move(1_000);
    await get("d");
    expect([sizes.at(-1), fetches()]).toEqual([1, 5]);
  });

  it("looks up again when the clock was set back", async () => {
    const { get, move } = fixture();
    await get("a");
    move(-5_000);
    expect(await get("a")).toBe("a2");
  });
});
