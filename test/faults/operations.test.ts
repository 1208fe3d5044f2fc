import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { groups } from "#platform/ops/lag.ts";
import { notifierService } from "#services/notifier/service.ts";
import { apiService } from "#services/api/service.ts";
import { ingestConsumerService } from "#services/ingest-consumer/service.ts";
import { distributed, neo4jOptions, redisUrl } from "#test/support/engines/engines.ts";
import { engineSets, type Instance, startInstance } from "#test/support/engines/instance.ts";
import { type OwnEngine, startKafka, startPostgres } from "#test/support/engines/own-engines.ts";
import { type TcpProxy, tcpProxy } from "#test/support/engines/tcp-proxy.ts";
import { eventually } from "#test/support/eventually.ts";

// deno-lint-ignore no-explicit-any -- tests look into answers of every shape
type Json = any;

const engines = async (instance: Instance): Promise<Record<string, Json>> => {
  const { items } = await instance.json("/api/ops/engines") as Json;
  return Object.fromEntries(items.map((item: Json) => [item.port, item]));
};

describe.each(engineSets())("/api/ops, %s engines", (set) => {
  let instance: Instance;
  beforeAll(async () => {
    instance = await startInstance(set, {
      services: [apiService, ingestConsumerService, notifierService],
      config: { notifications: { enabled: true } },
    });
  });
  afterAll(() => instance?.stop());

  it("every engine is up, and tells its release where it can", async () => {
    // A graph that is new takes its time for the first answer.
    await eventually(async () => {
      const found = Object.values(await engines(instance));
      expect(found.map(({ port, state, cause }) => `${port} ${state} ${cause}`))
        .toEqual(["metadata", "event-log", "graph", "cache", "storage"].map((p) => `${p} up null`));
    });
    const versions = set === "distributed" ? ["metadata", "graph", "cache"] : ["metadata"];
    await eventually(async () => {
      const found = await engines(instance);
      for (const port of versions) expect(found[port].version, port).toMatch(/^\d+\.\d+/);
    });
  });

  it("every worker stands with its state, since when, and what to do", async () => {
    const workers = await eventually(async () => {
      const { state, items } = await instance.json("/api/ops/workers") as Json;
      expect([state, items.length, items[0].own]).toEqual(["known", 1, true]);
      expect(items[0].workers.filter(({ ready }: Json) => !ready)).toEqual([]);
      return items[0].workers as Json[];
    });
    expect(workers.length).toBeGreaterThan(5);
    for (const { name, since, meaning, action } of workers) {
      expect([name, Date.parse(since) > 0, meaning, action]).toEqual([
        name,
        true,
        expect.stringMatching(/./),
        expect.stringMatching(/./),
      ]);
    }
  });

  it("consumers, slot and projection are known", async () => {
    const lag = await eventually(async () => {
      const lag = await instance.json("/api/ops/lag") as Json;
      expect(lag.items.map(({ state }: Json) => state)).toEqual(groups.map(() => "known"));
      return lag;
    });
    expect(lag.lag).toBe(0);
    await eventually(async () => {
      expect(await instance.json("/api/ops/slot")).toMatchObject({
        state: "known",
        enabled: true,
        facts: { exists: true, active: true, publication_exists: true },
      });
    });
    const kind = set === "distributed" ? "PROJECTED" : "INLINE";
    expect(await instance.json("/api/ops/projection"))
      .toMatchObject({ state: "known", projection: kind, lag: 0 });
  });

  it("a second process of the instance is known to the first, and gone when it ends", async () => {
    const otherInstance = await startInstance(set, {
      services: [ingestConsumerService],
      sharedDatabase: instance.test,
    });
    const others = async () => {
      const { items } = await instance.json("/api/ops/workers") as Json;
      return items.filter(({ own }: Json) => !own);
    };
    await eventually(async () => {
      expect(await others()).toMatchObject([{ state: "up", services: ["ingest-consumer"] }]);
      expect((await others())[0].workers.length).toBeGreaterThan(0);
    });
    await otherInstance.stop();
    await eventually(async () => expect(await others()).toEqual([]));
  });

  it("a process that was killed is unknown, and forgotten after a minute", async () => {
    const { db } = instance.test;
    await db.query(
      `INSERT INTO process (holder, services, version, started_at, seen_at, workers)
       VALUES ('gone', '{notifier}', '0', now(), now() - interval '20 s',
               '[{"name":"w","ready":true,"state":"of another release","since":"2030-01-01T00:00:00.000Z","cause":null}]')`,
    );
    const found = async () =>
      ((await instance.json("/api/ops/workers")) as Json).items.find(({ id }: Json) =>
        id === "gone"
      );
    await eventually(async () => {
      expect(await found()).toMatchObject({
        state: "unknown",
        cause: expect.stringMatching(/no report for \d+ s/),
        workers: [{ state: "of another release", meaning: null, action: null }],
      });
    });
    await db.query("UPDATE process SET seen_at = now() - interval '61 s' WHERE holder = 'gone'");
    await eventually(async () => expect(await found()).toBeUndefined());
  });
});

/** Milliseconds within which a machine under load tells that an engine does not answer; a statement may take 30 s. */
const promptly = 20_000;

describe("a frozen PostgreSQL", () => {
  let server: OwnEngine;
  let instance: Instance;
  beforeAll(async () => {
    server = await startPostgres();
    instance = await startInstance("embedded", {
      config: { metadata: { postgres: { url: server.url } } },
    });
  });
  afterAll(async () => {
    server?.resume();
    await instance?.stop();
    await server?.stop();
  });

  it(
    "is unknown everywhere, each part within seconds, and known again when it answers",
    async () => {
      await server.pause();
      const began = performance.now();
      const [found, lag, slot, projection, workers] = await Promise.all([
        engines(instance),
        instance.json("/api/ops/lag"),
        instance.json("/api/ops/slot"),
        instance.json("/api/ops/projection"),
        instance.json("/api/ops/workers"),
      ]) as Json[];
      expect(performance.now() - began).toBeLessThan(promptly);
      expect(found.metadata).toMatchObject({ state: "unknown", latency_ms: null });
      expect(found.metadata.cause).toMatch(/no answer within 2 s/);
      expect([found.cache.state, found.storage.state]).toEqual(["up", "up"]);
      expect([lag.lag, lag.items[0].state, lag.items[0].lag]).toEqual([null, "unknown", null]);
      expect([slot.state, slot.facts]).toEqual(["unknown", null]);
      expect([projection.state, projection.lag, projection.newest]).toEqual([
        "unknown",
        null,
        null,
      ]);
      expect([workers.state, workers.items.length]).toEqual(["unknown", 1]);
      server.resume();
      await eventually(async () => expect((await engines(instance)).metadata.state).toBe("up"));
    },
  );
});

if (distributed()) {
  describe("frozen engines", () => {
    let instance: Instance | undefined;
    const ends: (() => Promise<unknown>)[] = [];
    afterEach(async () => {
      await instance?.stop();
      for (const end of ends.splice(0)) await end();
    });

    const starting = async (config: Record<string, unknown>) =>
      instance = await startInstance("distributed", { config, services: [apiService] });

    it("Neo4j and Redis are unknown, the rest is told; both come back", async () => {
      const proxies: TcpProxy[] = [await tcpProxy(neo4jOptions().url), await tcpProxy(redisUrl())];
      ends.push(...proxies.map((proxy) => () => proxy.close()));
      const own = await starting({
        graph: { neo4j: { ...neo4jOptions(), url: proxies[0]!.url } },
        cache: { redis: { url: proxies[1]!.url } },
      });
      await eventually(async () => {
        expect(Object.values(await engines(own)).map(({ state }) => state))
          .toEqual(["up", "up", "up", "up", "up"]);
      });
      for (const proxy of proxies) proxy.freeze();
      await eventually(async () => {
        const found = await engines(own);
        expect([found.metadata.state, found["event-log"].state]).toEqual(["up", "up"]);
        expect([found.graph.state, found.cache.state]).toEqual(["unknown", "unknown"]);
      });
      expect(await own.json("/api/ops/projection"))
        .toMatchObject({ state: "unknown", position: null, lag: null, newest: expect.any(Number) });
      for (const proxy of proxies) await proxy.open();
      await eventually(async () => {
        expect(Object.values(await engines(own)).filter(({ state }) => state !== "up")).toEqual([]);
      });
    });

    it("Kafka is unknown and its lag is not 0; it comes back", async () => {
      const kafka = await startKafka();
      ends.push(() => kafka.stop());
      const own = await starting({ "event-log": { kafka: { brokers: kafka.url, partitions: 1 } } });
      await eventually(async () => expect((await own.json("/api/ops/lag") as Json).lag).toBe(0));
      await kafka.pause();
      await eventually(async () => {
        const { lag, items } = await own.json("/api/ops/lag") as Json;
        expect(lag).toBeNull();
        expect(items.map(({ state }: Json) => state)).toEqual(groups.map(() => "unknown"));
      });
      const found = await engines(own);
      expect([found["event-log"].state, found.graph.state]).toEqual(["unknown", "up"]);
      kafka.resume();
      await eventually(async () => {
        expect((await own.json("/api/ops/lag") as Json).lag).toBe(0);
      });
    });
  });
}
