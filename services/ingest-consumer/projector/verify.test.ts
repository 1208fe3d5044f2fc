import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Neo4jGraph } from "#graph/neo4j/neo4j.ts";
import { PostgresGraph } from "#graph/postgres/postgres.ts";
import { systemClock } from "#kit/clock.ts";
import { silentLogger } from "#kit/log.ts";
import { noMetrics } from "#kit/metrics.ts";
import { Leases } from "#metadata/postgres/leases.ts";
import { Wakeups } from "#metadata/postgres/wakeups.ts";
import { Projector } from "#services/ingest-consumer/projector/projector.ts";
import { rebuild, type RebuildDeps } from "#services/ingest-consumer/projector/rebuild.ts";
import { isEqual, verify, type VerifyOptions, type VerifyReport } from "#platform/ops/edges.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { distributed } from "#test/support/engines/engines.ts";
import { eventually } from "#test/support/eventually.ts";
import { seedShape } from "#test/support/engines/lineage-graph.ts";
import { cypher, sharedNeo4j } from "#test/support/engines/neo4j-graph.ts";

let test: TestDatabase;
beforeAll(async () => void (test = await testDatabase()));
afterAll(() => test.drop());

describe("verify and rebuild on an inline graph", () => {
  it("answer that there is nothing to do", async () => {
    const deps = depsOf(new PostgresGraph(test.db));
    expect(await verify(deps)).toEqual({ projection: "inline" });
    expect(await rebuild(deps)).toEqual({ projection: "inline" });
  });
});

function depsOf(graph: RebuildDeps["graph"]): RebuildDeps {
  const leases = new Leases(test.db, crypto.randomUUID());
  return { db: test.db, graph, leases, clock: systemClock, log: silentLogger };
}

if (distributed()) {
  describe("verify and rebuild on Neo4j", () => {
    let graph: Neo4jGraph;
    let remove: () => Promise<void>;
    let ids: number[];
    beforeAll(async () => {
      ({ graph, remove } = sharedNeo4j(test.name));
      ids = await seedShape(
        test.db,
        3_001,
        Array.from({ length: 3_000 }, (_, i) => [i % 7, i + 1]),
      );
    });
    afterAll(() => remove());
    const check = async (options: VerifyOptions = {}) =>
      await verify(depsOf(graph), options) as VerifyReport;

    it("rebuild fills an empty graph, and verify finds it equal", async () => {
      const seen: number[] = [];
      const built = await rebuild(depsOf(graph), { progress: (edges) => seen.push(edges) });
      expect(built).toMatchObject({ projection: "projected", edges: 3_000 });
      expect(seen.at(-1)).toBe(3_000);
      const report = await check();
      expect(report).toMatchObject({ compared: 3_000, missing: [], extra: [], more: false });
      expect(isEqual(report)).toBe(true);
    });

    it("verify names what is missing and what is too much, rebuild fixes it", async () => {
      const [entity, feeds] = [`\`Entity:${test.name}\``, `\`FEEDS:${test.name}\``];
      await cypher(`MATCH (:${entity} {id: $p})-[r:${feeds}]->(:${entity} {id: $c}) DELETE r`, {
        p: ids[0],
        c: ids[1],
      });
      await cypher(
        `MATCH (a:${entity} {id: $a}) MATCH (b:${entity} {id: $b}) CREATE (a)-[:${feeds}]->(b)`,
        { a: ids[3000], b: ids[0] },
      );
      const report = await check();
      expect(report.missing).toEqual([[ids[0], ids[1]]]);
      expect(report.extra).toEqual([[ids[3000], ids[0]]]);
      expect(isEqual(report)).toBe(false);
      await rebuild(depsOf(graph));
      expect(isEqual(await check())).toBe(true);
    });

    it("verify says how far a graph is behind when nobody projects", async () => {
      await seedShape(test.db, 2, [[0, 1]]);
      const report = await check({ maxWaitMs: 0 });
      expect(report.head).toBeGreaterThan(report.position);
      expect(isEqual(report)).toBe(false);
    });

    it("a running projector has lower precedence than rebuild and goes on after it", async () => {
      const wakeups = new Wakeups(test.url, silentLogger);
      const deps = { ...depsOf(graph), graph, wakeups, metrics: noMetrics };
      const projector = new Projector(deps);
      const crashes: unknown[] = [];
      await projector.start((error) => void crashes.push(error));
      await eventually(() => expect(projector.health().state).toBe("running"));
      await rebuild(depsOf(graph));
      await seedShape(test.db, 2, [[0, 1]]);
      expect(isEqual(await check())).toBe(true);
      await projector.stop();
      await wakeups.close();
      expect(crashes).toEqual([]);
    });
  });
}
