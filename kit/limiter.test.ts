import { describe, expect, it } from "vitest";
import { AppError, unavailable } from "#kit/errors.ts";
import { noMetrics } from "#kit/metrics.ts";
import { ConcurrencyLimiter, type LimiterOptions } from "./limiter.ts";

const limiterOf = (options: Omit<LimiterOptions, "refused" | "waiting">) =>
  new ConcurrencyLimiter({
    ...options,
    refused: "too many at once",
    waiting: noMetrics.gauge("waiting", "Calls that wait"),
  });

const refusal = (error: unknown) => (error instanceof AppError ? error.status : String(error));

/** Starts work that lasts until the test releases it. */
function holdUntilReleased(limiter: ConcurrencyLimiter, log: string[], name: string, key?: string) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const outcome = limiter.run(async () => {
    log.push(`${name} begins`);
    await promise;
    return name;
  }, key).catch(refusal);
  return { outcome, letGo: resolve };
}

describe("ConcurrencyLimiter", () => {
  it("lets so many work at once, the others in order, and refuses who finds the queue full", async () => {
    const limiter = limiterOf({ concurrency: 2, maxWaiting: 2, waitMs: 60_000 });
    const log: string[] = [];
    const [a, b, c, d, e] = ["a", "b", "c", "d", "e"].map((name) =>
      holdUntilReleased(limiter, log, name)
    );
    expect(await e!.outcome).toBe(503);
    expect(log).toEqual(["a begins", "b begins"]);
    b!.letGo();
    expect(await b!.outcome).toBe("b");
    a!.letGo();
    expect(await a!.outcome).toBe("a");
    c!.letGo();
    d!.letGo();
    expect(await Promise.all([c!.outcome, d!.outcome])).toEqual(["c", "d"]);
    expect(log.slice(2)).toEqual(["c begins", "d begins"]);
  });

  it("gives the turn of failed work on, and refuses who waited too long", async () => {
    const limiter = limiterOf({ concurrency: 1, maxWaiting: 2, waitMs: 20 });
    const log: string[] = [];
    const first = holdUntilReleased(limiter, log, "first");
    expect(await holdUntilReleased(limiter, log, "late").outcome).toBe(503);
    const failing = limiter.run(() => Promise.reject(new Error("broken"))).catch(refusal);
    first.letGo();
    expect(await failing).toBe("Error: broken");
    expect(await limiter.run(() => Promise.resolve("next"))).toBe("next");
    expect(log).toEqual(["first begins"]);
  });

  it("refuses whoever waits when the engine turns out to be down, and no one later", async () => {
    const limiter = limiterOf({ concurrency: 1, maxWaiting: 2, waitMs: 60_000 });
    const { promise, reject } = Promise.withResolvers<string>();
    const log: string[] = [];
    const running = limiter.run(() => promise).catch(refusal);
    const waiting = [holdUntilReleased(limiter, log, "a"), holdUntilReleased(limiter, log, "b")]
      .map(({ outcome }) => outcome);
    reject(unavailable("The lineage graph does not answer"));
    expect(await Promise.all([running, ...waiting])).toEqual([503, 503, 503]);
    expect(log).toEqual([]);
    expect(await limiter.run(() => Promise.resolve("free"))).toBe("free");
  });

  it("lets keys take turns, and gives each its share of the queue", async () => {
    const limiter = limiterOf({
      concurrency: 1,
      maxWaiting: 10,
      maxWaitingPerKey: 3,
      waitMs: 60_000,
    });
    const log: string[] = [];
    const flood = Array.from(
      { length: 6 },
      (_, n) => holdUntilReleased(limiter, log, `flood${n}`, "flood"),
    );
    const honest = [
      holdUntilReleased(limiter, log, "ada", "ada"),
      holdUntilReleased(limiter, log, "bob", "bob"),
    ];
    expect(await Promise.all([flood[4]!.outcome, flood[5]!.outcome])).toEqual([503, 503]);
    for (const one of [...flood, ...honest]) one.letGo();
    await Promise.all([...flood, ...honest].map(({ outcome }) => outcome));
    expect(log.map((line) => line.split(" ")[0])).toEqual(
      ["flood0", "flood1", "ada", "bob", "flood2", "flood3"],
    );
  });

  it("leaves running places to others when one key has its share, which then gets 429", async () => {
    const limiter = new ConcurrencyLimiter({
      ...{
        concurrency: 3,
        concurrencyPerKey: 2,
        maxWaiting: 10,
        maxWaitingPerKey: 1,
        waitMs: 60_000,
      },
      ...{ refused: "full", refusedKey: "your share", retryAfter: 7 },
    });
    const log: string[] = [];
    const flood = Array.from(
      { length: 4 },
      (_, n) => holdUntilReleased(limiter, log, `flood${n}`, "flood"),
    );
    expect(await flood[3]!.outcome).toBe(429);
    const ada = holdUntilReleased(limiter, log, "ada", "ada");
    ada.letGo();
    expect(await ada.outcome).toBe("ada");
    expect(log).toEqual(["flood0 begins", "flood1 begins", "ada begins"]);
    for (const one of flood) one.letGo();
    expect(await flood[2]!.outcome).toBe("flood2");
    expect(await limiter.run(() => Promise.resolve("free"), "flood")).toBe("free");
  });

  it("passes over a key with its share when a place is free, and counts what it refuses", async () => {
    const counted: string[] = [];
    const limiter = new ConcurrencyLimiter({
      ...{ concurrency: 2, concurrencyPerKey: 1, maxWaiting: 2, waitMs: 60_000, refused: "full" },
      refusals: { inc: (labels, by = 1) => by > 0 && void counted.push(labels!.limit!) },
    });
    const log: string[] = [];
    const calls = [["a0", "a"], ["b0", "b"], ["a1", "a"], ["c0", "c"], ["d0", "d"]] as const;
    const [a0, b0, a1, c0, d0] = calls.map(([name, key]) =>
      holdUntilReleased(limiter, log, name, key)
    );
    expect([await d0!.outcome, counted]).toEqual([503, ["all"]]);
    b0!.letGo();
    c0!.letGo();
    expect(await c0!.outcome).toBe("c0");
    expect(log).toEqual(["a0 begins", "b0 begins", "c0 begins"]);
    a0!.letGo();
    a1!.letGo();
    expect(await a1!.outcome).toBe("a1");
  });

  it("a turn that a stream has entered ends once, however often it is ended", async () => {
    const limiter = limiterOf({ concurrency: 1, maxWaiting: 0, waitMs: 1 });
    const leave = await limiter.enter("a");
    await expect(limiter.enter("b")).rejects.toMatchObject({ status: 503 });
    leave();
    leave();
    await limiter.enter("b");
    await expect(limiter.enter("c")).rejects.toMatchObject({ status: 503 });
  });
});
