import neo4j from "neo4j-driver";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Connection, isTimeout } from "#graph/neo4j/connection.ts";
import { queriesFor } from "#graph/neo4j/queries.ts";
import { graphConformance } from "#test/conformance/graph.ts";
import { projectionConformance } from "#test/conformance/graph-projection.ts";
import { distributed, neo4jOptions } from "#test/support/engines/engines.ts";
import { within } from "#test/support/engines/lineage-graph.ts";
import { cypher, neo4jUnderTest, sharedNeo4j } from "#test/support/engines/neo4j-graph.ts";

if (distributed()) {
  graphConformance("neo4j", neo4jUnderTest);
  projectionConformance("neo4j", async () => {
    const instance = `t_${crypto.randomUUID().slice(0, 8)}`;
    const [one, two] = [sharedNeo4j(instance), sharedNeo4j(instance)];
    await one.graph.ensureSchema();
    return {
      one: one.graph,
      two: two.graph,
      async close() {
        await two.graph.close();
        await one.remove();
      },
    };
  });

  it("ensureSchema makes the constraints although a broken-off attempt left their indexes", async () => {
    const instance = `t_${crypto.randomUUID().slice(0, 8)}`;
    const { graph, remove } = sharedNeo4j(instance);
    await cypher(`CREATE INDEX \`entity_id:${instance}\` FOR (n:\`Entity:${instance}\`) ON (n.id)`);
    await graph.ensureSchema();
    await graph.ensureSchema();
    const made = await cypher(
      "SHOW CONSTRAINTS YIELD name WHERE name ENDS WITH $instance RETURN name ORDER BY name",
      { instance },
    );
    expect(made.map(({ name }) => name)).toEqual(
      ["entity_id", "projection_one"].map((name) => `${name}:${instance}`),
    );
    await remove();
  });

  describe("Connection", () => {
    it("read ends a query at its deadline, known as such", async () => {
      const connection = new Connection({ ...neo4jOptions(), instance: "t_slow" });
      const slow = "UNWIND range(1, 1000000000) AS x WITH x WHERE x % 7 = 1 RETURN count(x) AS n";
      const error = await within(3_000, () => connection.read(slow, {}, 50).catch((e) => e));
      expect(isTimeout(error)).toBe(true);
      await connection.close();
    });

    it("read sends many parameters without waiting for a delayed acknowledgement", async () => {
      const connection = new Connection({ ...neo4jOptions(), instance: "t_slow" });
      const ids = Array.from({ length: 2_000 }, (_, i) => i);
      const ask = () => connection.read<{ n: number }>("RETURN size($ids) AS n", { ids }, 5_000);
      let fastest = Infinity;
      for (let i = 0; i < 10; i++) {
        const started = performance.now();
        expect((await ask()).n).toBe(2_000);
        fastest = Math.min(fastest, performance.now() - started);
      }
      expect(fastest).toBeLessThan(35);
      await connection.close();
    });

    it("read answers 503 when it is not let in, and names neither user nor password", async () => {
      const options = { ...neo4jOptions(), username: "nobody", instance: "t_slow" };
      const connection = new Connection(options);
      const error = await connection.read("RETURN 1 AS n", {}, 1_000)
        .then(() => new Error("no error"), (e: Error) => e);
      expect(error).toMatchObject({ name: "AppError", status: 503 });
      expect(error.message).not.toMatch(/nobody|password/i);
      await connection.close();
    });
  });

  describe("Neo4jGraph plans", () => {
    const queries = queriesFor("t_plans");
    beforeAll(async () => {
      for (const { create } of queries.constraints) await cypher(create);
      await cypher(queries.begin);
    });
    afterAll(() => sharedNeo4j("t_plans").remove());

    it.each(["upstream", "downstream"] as const)(
      "walk %s visits each node once, lazily, by a pruning breadth-first expansion",
      async (direction) => {
        const operators = await planOf(queries.walk(direction, 19));
        expect(operators).toContain("VarLengthExpand(Pruning,BFS,All)");
        expect(operators).toContain("NodeUniqueIndexSeek");
        const walked = operators.slice(0, operators.indexOf("VarLengthExpand(Pruning,BFS,All)"));
        expect(walked.slice(walked.indexOf("Limit"))).toEqual(["Limit", "Projection"]);
        expect(operators.join()).not.toMatch(/AllNodesScan|NodeByLabelScan/);
      },
    );

    it("remove looks for a relationship at the end that has fewer", async () => {
      expect(await planOf(queries.remove)).toContain("Expand(Into)");
    });

    // The planner then knows how many entities there are, and not yet that their ids are distinct.
    it.each([0, 20, 400])(
      "every text finds entities by index while the graph is being filled, with %i relationships",
      async (size) => {
        const instance = `t_${crypto.randomUUID().slice(0, 8)}`;
        const { graph, remove } = sharedNeo4j(instance);
        await graph.ensureSchema();
        const queries = queriesFor(instance);
        const ids = Array.from({ length: size }, (_, at) => at);
        await cypher(queries.create, { parents: ids, children: ids.map((id) => id + 1) });
        const { create, remove: removal, touching, prune, scan, among } = queries;
        const names = ["walk", "step", "detail", "firstLevel", "neighbours"] as const;
        const reads = names.flatMap((name) => [
          queries[name]("upstream", 19),
          queries[name]("downstream", 19),
        ]);
        for (const text of [create, removal, touching, prune, scan, among, ...reads]) {
          expect((await planOf(text)).join(), text).not.toMatch(/Scan/);
        }
        await remove();
      },
    );
  });
}

async function planOf(text: string): Promise<string[]> {
  const { url, username, password } = neo4jOptions();
  const driver = neo4j.driver(url, neo4j.auth.basic(username, password));
  try {
    const names = ["root", "limit", "depth", "whole", "ids", "distances", "parents", "children"];
    const parameters = Object.fromEntries(names.map((name) => [name, null]));
    const { summary } = await driver.executeQuery(`EXPLAIN ${text}`, {
      ...parameters,
      after: 0,
      size: neo4j.int(1),
    });
    return summary.plan ? operatorsOf(summary.plan) : [];
  } finally {
    await driver.close();
  }
}

interface PlanNode {
  operatorType: string;
  children: PlanNode[];
}

function operatorsOf(node: PlanNode): string[] {
  return [node.operatorType.replace("@neo4j", ""), ...node.children.flatMap(operatorsOf)];
}

describe("queriesFor", () => {
  it("refuses a name that is not an instance's", () => {
    expect(() => queriesFor("a`) DETACH DELETE n //")).toThrow("not an instance name");
  });
});
