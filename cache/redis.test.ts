import { describe, expect, it } from "vitest";
import { redisCache } from "#cache/redis.ts";
import { silentLogger } from "#kit/log.ts";
import { type Metrics, noMetrics } from "#kit/metrics.ts";
import { cacheConformance } from "#test/conformance/cache.ts";
import { distributed, redisUrl } from "#test/support/engines/engines.ts";
import { eventually } from "#test/support/eventually.ts";

const options = { prefix: `t_${crypto.randomUUID()}:`, log: silentLogger, metrics: noMetrics };

if (distributed()) {
  cacheConformance("redis", async () => {
    const cache = redisCache({ ...options, url: redisUrl() });
    await eventually(() => cache.ping(1_000));
    return cache;
  });
}

describe("redisCache", () => {
  it("behaves like an empty cache while Redis cannot be reached, and counts it", async () => {
    const failed: string[] = [];
    const metrics: Metrics = {
      ...noMetrics,
      counter: () => ({ inc: (labels) => void failed.push(labels!.command!) }),
    };
    const cache = redisCache({ ...options, metrics, url: "redis://127.0.0.1:1" });
    const started = Date.now();
    expect(await cache.get("a")).toBeNull();
    await cache.set("a", "1", 1_000);
    await cache.delete("a");
    expect(await cache.increment("a", 1_000)).toBe(1);
    await expect(cache.ping(200)).rejects.toMatchObject({ status: 503 });
    expect(await cache.take("a")).toBeNull();
    expect(failed).toEqual(["get", "set", "delete", "increment", "take"]);
    expect(Date.now() - started).toBeLessThan(4_000);
    await cache.close();
  });

  it("rejects strict commands with 503 while Redis cannot be reached", async () => {
    const cache = redisCache({ ...options, url: "redis://127.0.0.1:1" });
    const calls = [
      cache.strict.get("a"),
      cache.strict.set("a", "1", 1_000),
      cache.strict.delete("a"),
      cache.strict.take("a"),
      cache.strict.increment("a", 1_000),
      cache.counters.read("a"),
      cache.counters.increment("a", 1_000),
      cache.counters.clear("a"),
      cache.counters.nextTurn!("a", 1_000),
      cache.owned.put("a", "b", "1", 1_000),
      cache.owned.take("b"),
    ];
    for (const answer of calls) await expect(answer).rejects.toMatchObject({ status: 503 });
    await cache.close();
  });
});
