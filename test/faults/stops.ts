import { expect, it } from "vitest";
import { eventually } from "#test/support/eventually.ts";
import { Shop } from "./client.ts";
import { settled, type Stack } from "./stack.ts";

/** Milliseconds in which an orderly stop must be done; an orchestrator kills after 30 s. */
const stopWithinMs = 25_000;

/** SIGTERM in the midst of work. */
export function stops(stack: () => Stack): void {
  it("an API process told to stop answers its waiters `queued`, and nothing is lost", async () => {
    const { processes, observer } = stack();
    const { api1, consumer1, consumer2 } = processes;
    const shop = new Shop(api1.url, "//stops/api");
    await shop.open();
    for (const consumer of [consumer1, consumer2]) await consumer.pause();
    const posted = Array.from({ length: 8 }, (_, n) => shop.post(`late${n}`, "b", `c${n}`));
    await waiting(api1.url, 8);
    const ended = api1.terminate();
    for (const answer of await Promise.all(posted)) {
      expect([answer.status, answer.headers.get("x-ingestion-state")]).toEqual([200, "queued"]);
    }
    const { ms, code } = await ended;
    expect(code).toBe(0);
    expect(ms).toBeLessThan(stopWithinMs);
    for (const consumer of [consumer1, consumer2]) consumer.resume();
    await api1.start();
    await settled(observer);
    const there = Array.from({ length: 8 }, (_, n) => [`late${n}`, `c${n}`]).flat();
    expect(await shop.fed("b")).toEqual(["b", ...there].sort());
  });

  it("consumers told to stop finish what they have in hand, and the rest comes after", async () => {
    const { processes, observer } = stack();
    const { api1, consumer1, consumer2 } = processes;
    const shops = Array.from({ length: 6 }, (_, n) => new Shop(api1.url, `//stops/consumer/${n}`));
    await Promise.all(shops.map((shop) => shop.open()));
    const posted = shops.flatMap((shop) =>
      Array.from({ length: 5 }, (_, n) => shop.post(`late${n}`, "b", `c${n}`))
    );
    const ended = await Promise.all([consumer1.terminate(), consumer2.terminate()]);
    for (const { ms, code } of ended) {
      expect(code).toBe(0);
      expect(ms).toBeLessThan(stopWithinMs);
    }
    await Promise.all([consumer1.start(), consumer2.start()]);
    for (const answer of await Promise.all(posted)) expect(answer.status).toBe(200);
    await settled(observer);
    for (const shop of shops) expect(await shop.fed("b")).toHaveLength(11);
  });
}

/** Waits until so many posts wait for their outcome. */
async function waiting(url: string, count: number): Promise<void> {
  await eventually(async () => {
    const text = await (await fetch(`${url}/metrics`)).text();
    const found = Number(/^tributary_ingestion_waiters (\d+)/m.exec(text)?.[1]);
    if (found < count) throw new Error(`${found} wait`);
  });
}
