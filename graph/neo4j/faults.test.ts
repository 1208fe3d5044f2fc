import { createServer, type Server } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Neo4jGraph } from "#graph/neo4j/neo4j.ts";
import { distributed, neo4jOptions } from "#test/support/engines/engines.ts";
import { eventually } from "#test/support/eventually.ts";
import { ask, within } from "#test/support/engines/lineage-graph.ts";
import { sharedNeo4j } from "#test/support/engines/neo4j-graph.ts";
import { type TcpProxy, tcpProxy } from "#test/support/engines/tcp-proxy.ts";

if (distributed()) {
  describe("Neo4jGraph over a faulty connection", () => {
    const instance = `t_${crypto.randomUUID().slice(0, 8)}`;
    let proxy: TcpProxy;
    let graph: Neo4jGraph;
    beforeAll(async () => {
      proxy = await tcpProxy(neo4jOptions().url);
      graph = new Neo4jGraph({ ...neo4jOptions(), url: proxy.url, instance });
      await graph.ensureSchema();
      await graph.claim(1);
      await graph.apply(1, { position: 1, entities: [1], edges: [[1, 2]] });
    });
    afterAll(async () => {
      await graph.close();
      await proxy.close();
      await sharedNeo4j(instance).remove();
    });
    const walked = () => graph.walk(ask([1]));
    const refused = async (ms = 5_000) => {
      const error = await within(ms, () => walked().catch((e) => e));
      expect(error).toMatchObject({ name: "AppError", status: 503 });
      expect(error.retryAfter).toBeGreaterThan(0);
    };

    it("walk answers 503 within 2 s while connections are refused, and works again after it", async () => {
      expect((await walked()).edges).toEqual([[1, 2]]);
      await proxy.cut();
      await refused(2_000);
      await refused(2_000);
      await proxy.open();
      await eventually(async () => expect((await walked()).edges).toEqual([[1, 2]]));
    });

    it("walk answers 503 within 5 s when the engine hangs behind open connections", async () => {
      await walked();
      await new Promise((idle) => setTimeout(idle, 150));
      proxy.freeze();
      await refused();
      await refused();
      await proxy.open();
      await eventually(async () => expect((await walked()).edges).toEqual([[1, 2]]));
    });

    it("walk answers 503 within 5 s when the engine hangs in the midst of it", async () => {
      await walked();
      proxy.freeze();
      await refused();
      await proxy.open();
      await eventually(async () => expect((await walked()).edges).toEqual([[1, 2]]));
    });

    it("walk waits for an engine that answers slowly, such as one that has just started", async () => {
      await proxy.open();
      proxy.delay(600);
      expect((await walked()).edges).toEqual([[1, 2]]);
      await proxy.open();
    });

    it("apply is given up when the engine hangs, long before its deadline", async () => {
      await walked();
      proxy.freeze();
      const batch = { position: 1, entities: [1], edges: [[1, 2]] as [number, number][] };
      const error = await within(5_000, () => graph.apply(1, batch).catch((e) => e));
      expect(error).toMatchObject({ name: "AppError", status: 503 });
      await proxy.open();
      await eventually(async () => expect((await walked()).edges).toEqual([[1, 2]]));
    });

    it("walk survives connections that broke while they lay idle", async () => {
      await Promise.all([walked(), walked(), walked()]);
      await proxy.open();
      await eventually(async () => expect((await walked()).edges).toEqual([[1, 2]]), {
        within: 1_000,
      });
    });

    it("apply repeats a batch whose connection broke, with the same effect as once", async () => {
      const batches = Array.from({ length: 20 }, (_, i) => i + 2);
      for (const position of batches) {
        const edges: [number, number][] = Array.from({ length: position }, (_, i) => [1, i + 2]);
        const batch = { position, entities: [1], edges };
        if (position % 5 === 0) setTimeout(() => void proxy.open(), 3);
        await eventually(() => graph.apply(1, batch));
      }
      const walk = await eventually(walked);
      expect(walk.edges).toHaveLength(21);
      expect(walk.position).toBe(21);
    });
  });
}

describe("Neo4jGraph without its engine", () => {
  const options = { username: "neo4j", password: "secret", instance: "t_down" };
  let silent: Server;
  beforeAll(() => {
    silent = createServer(() => {});
    return new Promise<void>((ready) => silent.listen(0, "127.0.0.1", ready));
  });
  afterAll(() => void silent.close());
  const failure = async (graph: Neo4jGraph, ms: number) => {
    const error = await within(ms, () => graph.walk(ask([1], { depth: 3 })).catch((e) => e));
    expect(error).toMatchObject({ name: "AppError", status: 503, retryable: true });
    expect(error.retryAfter).toBeGreaterThan(0);
    expect(error.message).not.toMatch(/bolt|secret|ECONN/);
    await graph.close();
  };

  it("walk answers 503 with Retry-After within 2 s when nothing listens", () =>
    failure(new Neo4jGraph({ ...options, url: "bolt://127.0.0.1:1" }), 2_000));

  it("walk answers 503 with Retry-After within 5 s when something listens and never answers", () => {
    const { port } = silent.address() as { port: number };
    return failure(new Neo4jGraph({ ...options, url: `bolt://127.0.0.1:${port}` }), 5_000);
  });
});
