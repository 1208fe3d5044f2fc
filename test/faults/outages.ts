import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "#test/support/eventually.ts";
import { isLongRun } from "#test/support/size.ts";
import { ask, lineageOf, outage, Shop, shown } from "./client.ts";
import { allReady, expectRecovered, illWith } from "./recoveries.ts";
import { type EngineName, type MindedEngine, settled, type Stack } from "./stack.ts";
import { watch, type WatchedService } from "./watched-service.ts";

const ways: ["killed" | "hanging", (engine: MindedEngine) => Promise<void>][] = [
  ["killed", (engine) => engine.kill()],
  ["hanging", (engine) => engine.pause()],
];

/** Reads that do not need the lineage graph. */
const reads = (id: number) => [
  "/api/dataentities?page=1&size=10",
  `/api/dataentities/${id}`,
  `/api/datasets/${id}/structure`,
  "/api/dataentities/classes",
  "/api/dataentities/popular?page=1&size=10",
  "/api/datasources?page=1&size=10",
  "/api/directory",
  "/api/appInfo",
];

/**
 * Milliseconds that a refusal may take on a machine under load. The longest deadline is 5 s; a request that waits for
 * the end of the outage takes 30 s.
 */
const promptly = 20_000;

/** What `/health/ready` calls them. */
const ports = {
  kafka: "event-log",
  neo4j: "graph",
  postgres: "metadata",
  redis: "cache",
} satisfies Record<EngineName, string>;

const ready = (url: string) => ask(url, "GET", "/health/ready");

/** What one engine's outage may cost, and what not; and that it ends by itself. */
export function outages(stack: () => Stack): void {
  describe.each(ways)("an engine is %s", (way, strike) => {
    let watched: WatchedService | undefined;
    if (way === "killed") {
      beforeAll(async () => void (watched = await watch(stack())));
      afterAll(() => watched?.service.kill());
    }
    /** Once the outage is over, all go on within the times that operators are told; engines that hang tell nobody when. */
    const heal = async (name: EngineName, states: string[]) => {
      const { engines, processes } = stack();
      if (!watched) return await engines[name].heal();
      const services = [processes.consumer1, processes.consumer2, watched.service];
      const before = await illWith(services, states);
      await engines[name].heal();
      // A cold engine has its port open long before it answers.
      await eventually(async () => {
        const { json } = await ready(processes.api1.url);
        expect(json.engines[ports[name]]).toMatchObject({ ready: true });
      }, { within: 120_000 });
      await expectRecovered(services, before);
    };
    const struck = async (
      name: EngineName,
      work: (shop: Shop) => Promise<void>,
      states: string[] = [],
    ) => {
      const { engines, processes, observer } = stack();
      const shop = new Shop(processes.api1.url, `//outage/${name}/${way}`);
      await shop.open();
      await settled(observer);
      // Connections lie in the pools, so that the outage meets them there.
      await shop.fed("a");
      if (watched) await allReady([watched.service]);
      await strike(engines[name]);
      try {
        await work(shop);
        await heal(name, states);
      } finally {
        await engines[name].heal();
      }
      await eventually(async () => {
        const posted = await shop.post("job4", "d", "e");
        expect(posted.headers.get("x-ingestion-state")).toBe("applied");
      });
      await settled(observer);
    };

    /** Tests of each engine's client let it hang too, so `npm test` lets only PostgreSQL hang below whole services. */
    const itOn = (name: EngineName, title: string, test: () => Promise<void>) => {
      if (isLongRun || way === "killed" || name === "postgres") it(`${name}: ${title}`, test);
    };
    itOn("neo4j", "only lineage is refused, and the graph catches up", async () => {
      let surviving: Shop | undefined;
      await struck("neo4j", async (shop) => {
        surviving = shop;
        const id = await shop.id("a");
        const requests = Array.from({ length: 40 }, () => ask(shop.url, "GET", lineageOf(id)));
        for (const answer of await Promise.all(requests)) {
          expect(shown(answer)).toEqual(outage);
          expect(answer.json.message).toMatch(/lineage graph/);
          expect(answer.ms).toBeLessThan(promptly);
        }
        for (const path of reads(id)) {
          expect([path, (await ask(shop.url, "GET", path)).status]).toEqual([path, 200]);
        }
        const posted = await shop.post("job2", "b", "c");
        expect([posted.status, posted.headers.get("x-ingestion-state")]).toEqual([200, "stored"]);
        expect(posted.ms).toBeLessThan(promptly);
        const health = await ready(shop.url);
        expect([health.status, health.json.degraded]).toEqual([200, true]);
        expect(health.json.engines.graph).toMatchObject({ engine: "neo4j", ready: false });
        expect(health.json.engines.metadata.ready).toBe(true);
      }, ["graph_down"]);
      expect(await surviving!.fed("a")).toEqual(["a", "b", "c", "job", "job2"]);
    });

    itOn(
      "postgres",
      "reads and ingestion answer 503, and everything goes on when it is back",
      async () => {
        let caught: Promise<number>[] = [];
        await struck("postgres", async (shop) => {
          if (way === "hanging") {
            // They take the connections that lie in the pool, and wait for the end of the outage there.
            const page = (n: number) => ask(shop.url, "GET", `/api/dataentities?page=${n}&size=11`);
            caught = Array.from(
              { length: 12 },
              (_, n) => page(n + 1).then((a) => a.status, () => 0),
            );
          }
          const refused = await Promise.all([
            ask(shop.url, "GET", "/api/dataentities?page=1&size=10"),
            ask(shop.url, "GET", lineageOf(1)),
            shop.post("job2", "b", "c"),
          ]);
          for (const answer of refused) {
            expect(shown(answer)).toEqual(outage);
            expect(answer.ms).toBeLessThan(promptly);
          }
          const health = await ready(shop.url);
          expect(health.status).toBe(503);
          expect(health.json.engines.metadata).toMatchObject({ engine: "postgres", ready: false });
        });
        for (const status of await Promise.all(caught)) expect([200, 503]).toContain(status);
      },
    );

    itOn("kafka", "ingestion answers 503 within its deadline, reads go on", async () => {
      await struck("kafka", async (shop) => {
        await watched?.busy();
        const posted = await shop.post("job2", "b", "c");
        expect(shown(posted)).toEqual(outage);
        expect(posted.ms).toBeLessThan(promptly);
        const id = await shop.id("a");
        for (const path of [...reads(id), lineageOf(id)]) {
          expect([path, (await ask(shop.url, "GET", path)).status]).toEqual([path, 200]);
        }
        const health = await ready(shop.url);
        expect(health.status).toBe(503);
        expect(health.json.engines["event-log"]).toMatchObject({ engine: "kafka", ready: false });
      }, ["waiting", "log_down", "event_log_down"]);
    });

    itOn("redis", "nothing but the cache suffers", async () => {
      await struck("redis", async (shop) => {
        const posted = await shop.post("job2", "b", "c");
        expect([posted.status, posted.headers.get("x-ingestion-state")]).toEqual([200, "applied"]);
        const id = await shop.id("a");
        for (const path of [...reads(id), lineageOf(id)]) {
          expect([path, (await ask(shop.url, "GET", path)).status]).toEqual([path, 200]);
        }
        const health = await ready(shop.url);
        expect([health.status, health.json.degraded]).toEqual([200, true]);
        expect(health.json.engines.cache).toMatchObject({ engine: "redis", ready: false });
      });
    });
  });
}
