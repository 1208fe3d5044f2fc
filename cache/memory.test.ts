import { describe, expect, it } from "vitest";
import { memoryCache } from "#cache/memory.ts";
import { noMetrics } from "#kit/metrics.ts";
import { cacheConformance } from "#test/conformance/cache.ts";

cacheConformance("memory", () => Promise.resolve(memoryCache({ metrics: noMetrics })));

describe("memoryCache", () => {
  it("forgets what was used longest ago once it holds its number of entries", async () => {
    const cache = memoryCache({ metrics: noMetrics, maxEntries: 2 });
    await cache.set("a", "1", 1_000);
    await cache.set("b", "1", 1_000);
    await cache.get("a");
    await cache.set("c", "1", 1_000);
    expect([await cache.get("a"), await cache.get("b"), await cache.get("c")])
      .toEqual(["1", null, "1"]);
  });

  it("is bounded by size as well", async () => {
    const cache = memoryCache({ metrics: noMetrics, maxCharacters: 100 });
    await cache.set("a", "x".repeat(60), 1_000);
    await cache.set("b", "x".repeat(60), 1_000);
    expect([await cache.get("a"), await cache.get("b")]).toEqual([null, "x".repeat(60)]);
  });
});
