import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Cache } from "#cache/port.ts";
import { eventually } from "#test/support/eventually.ts";

/** What every cache promises; `open` is called once and may wait for its engine. */
export function cacheConformance(engine: Cache["engine"], open: () => Promise<Cache>): void {
  describe(`cache on ${engine}`, () => {
    let cache: Cache;
    beforeAll(async () => void (cache = await open()));
    afterAll(() => cache.close());

    it("names its engine and answers a ping", async () => {
      expect(cache.engine).toBe(engine);
      await cache.ping(2_000);
    });

    it("get gives null for what was never set, and what was set otherwise", async () => {
      expect(await cache.get("never")).toBeNull();
      await cache.set("text", "żółw 🐢\u0000", 60_000);
      expect(await cache.get("text")).toBe("żółw 🐢\u0000");
      await cache.set("text", "", 60_000);
      expect(await cache.get("text")).toBe("");
    });

    it("delete forgets, also what is not there", async () => {
      await cache.set("gone", "1", 60_000);
      await cache.delete("gone");
      await cache.delete("gone");
      expect(await cache.get("gone")).toBeNull();
    });

    it("clear forgets values, counters and what strangers left, and takes new ones", async () => {
      await cache.set("cleared", "1", 60_000);
      await cache.counters.increment("cleared", 60_000);
      await cache.owned.put("owner", "cleared", "1", 60_000);
      await cache.clear();
      expect(await cache.get("cleared")).toBeNull();
      expect(await cache.counters.read("cleared")).toBe(0);
      expect(await cache.owned.take("cleared")).toBeNull();
      await cache.set("cleared", "2", 60_000);
      expect(await cache.get("cleared")).toBe("2");
    });

    it("replace sets what is there, and nothing else", async () => {
      await cache.replace("absent", "1", 60_000);
      expect(await cache.get("absent")).toBeNull();
      await cache.set("present", "1", 60_000);
      await cache.replace("present", "2", 60_000);
      expect(await cache.get("present")).toBe("2");
    });

    it("take gives a value to one of its callers", async () => {
      await cache.set("once", "1", 60_000);
      const taken = await Promise.all([1, 2, 3].map(() => cache.take("once")));
      expect(taken.sort()).toEqual(["1", null, null]);
      expect(await cache.take("once")).toBeNull();
    });

    it("its strict commands see the same values", async () => {
      await cache.strict.set("strict", "1", 60_000);
      expect(await cache.get("strict")).toBe("1");
      expect(await cache.strict.get("strict")).toBe("1");
      expect(await cache.strict.increment("strict count", 60_000)).toBe(1);
      expect(await cache.strict.take("strict")).toBe("1");
      await cache.strict.delete("strict count");
      expect(await cache.get("strict count")).toBeNull();
    });

    it("a value ends with its time", async () => {
      await cache.set("short", "1", 30);
      await eventually(async () => expect(await cache.get("short")).toBeNull());
    });

    it("increment counts from 1, without loss among concurrent callers", async () => {
      const seen = await Promise.all(
        Array.from({ length: 50 }, () => cache.increment("count", 60_000)),
      );
      expect(seen.sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
    });

    it("a counter ends with the time of its first increment, later ones do not prolong it", async () => {
      const started = Date.now();
      await cache.increment("window", 200);
      let last = 1;
      await eventually(async () => {
        const next = await cache.increment("window", 200);
        const restarted = next <= last;
        last = next;
        expect(restarted).toBe(true);
      });
      expect(Date.now() - started).toBeGreaterThanOrEqual(150);
    });

    it("its counters count without loss, apart from its values, and forget what is cleared", async () => {
      const { counters } = cache;
      expect(await counters.read("attempts")).toBe(0);
      const counts = await Promise.all(
        Array.from({ length: 20 }, () => counters.increment("attempts", 60_000)),
      );
      expect(counts.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
      expect([await counters.read("attempts"), await cache.get("attempts")]).toEqual([20, null]);
      await cache.set("attempts", "text", 60_000);
      expect(await counters.read("attempts")).toBe(20);
      await counters.clear("attempts");
      await counters.clear("attempts");
      expect(await counters.read("attempts")).toBe(0);
    });

    it("a counter of attempts ends with the time of its first increment", async () => {
      await cache.counters.increment("short", 30);
      await eventually(async () => expect(await cache.counters.read("short")).toBe(0));
      expect(await cache.counters.increment("short", 60_000)).toBe(1);
    });

    it("turns of a key follow each other, whoever takes them, and pass with time", async () => {
      const next = cache.counters.nextTurn;
      expect(next === undefined).toBe(engine === "memory");
      if (!next) return;
      const waits = await Promise.all([1, 2, 3].map(() => next("paced", 5_000)));
      const [first, second, third] = waits.sort((a, b) => a - b) as [number, number, number];
      expect(first).toBe(5_000);
      for (const [wait, at] of [[second, 10_000], [third, 15_000]] as const) {
        expect(wait).toBeGreaterThan(at - 1_000);
        expect(wait).toBeLessThanOrEqual(at);
      }
      expect(await next("paced otherwise", 5_000)).toBe(5_000);
      await next("quick", 20);
      await eventually(async () => expect(await next("quick", 20)).toBe(20));
    });

    it("what strangers leave is theirs to take, once, and no value of the cache", async () => {
      const { owned } = cache;
      await owned.put("192.0.2.1", "way", "text", 60_000);
      expect(await cache.get("way")).toBeNull();
      const taken = await Promise.all([1, 2, 3].map(() => owned.take("way")));
      expect(taken.filter((text) => text !== null)).toEqual(["text"]);
      await owned.put("192.0.2.1", "short way", "text", 30);
      await eventually(async () => expect(await owned.take("short way")).toBeNull());
    });

    it("no number of values pushes out what somebody has left", async () => {
      const { owned } = cache;
      await owned.put("192.0.2.1", "kept way", "text", 60_000);
      for (let n = 0; n < 11_000; n += 500) {
        const many = Array.from({ length: 500 }, (_, i) => `${n + i}`);
        await Promise.all(many.map((key) => owned.put("192.0.2.2", `way ${key}`, "x", 60_000)));
        await Promise.all(many.map((key) => cache.set(`value ${key}`, "x", 60_000)));
      }
      expect(await owned.take("kept way")).toBe("text");
    });

    it("no number of values pushes a counter out", async () => {
      await cache.counters.increment("guarded", 60_000);
      for (let at = 0; at < 12_000; at += 500) {
        await Promise.all(
          Array.from({ length: 500 }, (_, i) => cache.set(`flood ${at + i}`, "x", 60_000)),
        );
      }
      expect(await cache.counters.read("guarded")).toBe(1);
    });
  });
}
