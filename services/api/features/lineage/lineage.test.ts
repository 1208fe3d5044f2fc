import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DataEntityGroupLineageList, DataEntityLineage } from "#contract/lineage.ts";
import { PostgresGraph } from "#graph/postgres/postgres.ts";
import { lineageRoutes } from "#services/api/features/lineage/routes.ts";
import { type Answer, testApi, testContext } from "#test/support/http/api.ts";
import { testDatabase } from "#test/support/engines/database.ts";
import { distributed } from "#test/support/engines/engines.ts";
import { expectLineageAnswer, lineageUrl } from "#test/support/seed/lineage-answers.ts";
import { type LineageScenario, lineageScenarios } from "#test/support/seed/lineage-cases.ts";
import type { GraphUnderTest } from "#test/support/engines/lineage-graph.ts";
import { type SeededScenario, seedScenario } from "#test/support/seed/lineage-seed.ts";
import { seedAlert, seedEntity } from "#test/support/seed/seed.ts";
import { insertEdges } from "#test/support/seed/catalogue.ts";
import { neo4jUnderTest } from "#test/support/engines/neo4j-graph.ts";

async function postgresUnderTest(): Promise<GraphUnderTest> {
  const { db, drop } = await testDatabase();
  return { graph: new PostgresGraph(db), db, settle: () => Promise.resolve(), close: drop };
}

const engines: [name: string, open: () => Promise<GraphUnderTest>][] = [
  ["PostgreSQL", postgresUnderTest],
  ...(distributed() ? [["Neo4j", neo4jUnderTest] as [string, typeof neo4jUnderTest]] : []),
];

describe.each(engines)("lineage through HTTP, walks in %s", (_, open) => {
  let test: GraphUnderTest;
  let ask: (path: string, lineage?: object) => Promise<Answer>;
  const seed = async (scenario: LineageScenario) => {
    const seeded = await seedScenario(test.db, scenario);
    await test.settle();
    return seeded;
  };

  beforeAll(async () => {
    test = await open();
    const store = { db: test.db, url: "", name: "lineage", drop: () => Promise.resolve() };
    const context = testContext(store, { graph: test.graph });
    ask = (path, lineage = {}) => {
      const config = { ...context.config, lineage: { ...context.config.lineage, ...lineage } };
      return testApi(lineageRoutes({ ...context, config })).get(path);
    };
  });
  afterAll(() => test.close());

  for (const scenario of lineageScenarios()) {
    describe(scenario.scenario, () => {
      let seeded: SeededScenario;
      beforeAll(async () => void (seeded = await seed(scenario)));
      for (const lineageCase of scenario.cases) {
        it(lineageCase.name, async () => {
          const budget = { "max-nodes": lineageCase.max_nodes, timeout: lineageCase.timeout_ms };
          const answer = await ask(lineageUrl(lineageCase, seeded.ids), budget);
          expectLineageAnswer(answer, lineageCase, seeded.ids);
          if (answer.status === 200) {
            DataEntityLineage.parse(answer.json);
            const position = Number(answer.headers.get("x-lineage-position"));
            expect(position).toBeGreaterThanOrEqual(seeded.position);
          }
        });
      }
    });
  }

  it("a node tells its type and whether it has an open alert; one known only by its CATRN has neither", async () => {
    const sick = await seedEntity(test.db);
    const well = await seedEntity(test.db);
    const healed = await seedEntity(test.db);
    const hollow = await seedEntity(test.db, { hollow: true });
    await seedAlert(test.db, sick);
    await seedAlert(test.db, sick, { type: 2 });
    await seedAlert(test.db, healed, { status: 2 });
    const chain = [sick, well, healed, hollow];
    await insertEdges(test.db, chain.slice(1).map((id, at) => [id, chain[at]!, id]));
    await test.db.query("SELECT lineage_append($1)", [chain]);
    await test.settle();
    const { json } = await ask(`/api/dataentities/${sick}/lineage/downstream?lineage_depth=5`);
    const listed = json.downstream.nodes.map((n: Record<string, unknown>) => [
      n.id,
      (n.type as { name: string } | null)?.name,
      n.has_alerts,
    ]);
    expect(listed.sort()).toEqual([
      [sick, "TABLE", true],
      [well, "TABLE", false],
      [healed, "TABLE", false],
      [hollow, undefined, false],
    ].sort());
    expect(json.root).toMatchObject({ type: { id: 1, name: "TABLE" }, has_alerts: true });
  });

  it("answers 404 for an unknown root and 400 for a depth below 1", async () => {
    expect((await ask("/api/dataentities/999999999/lineage/upstream")).status).toBe(404);
    const wrong = await ask("/api/dataentities/1/lineage/upstream?lineage_depth=0");
    expect([wrong.status, wrong.json.details[0].field]).toEqual([400, "lineage_depth"]);
  });

  describe("of a group", () => {
    let ids: Map<string, number>;
    beforeAll(async () => {
      const entity = { hollow: false, deleted: false };
      const arrow = (parent: string, child: string) => ({ parent, child, establisher: child });
      ({ ids } = await seed({
        scenario: "a group of two parts and one alone",
        entities: {
          ...Object.fromEntries(["a", "b", "c", "d", "alone", "out"].map((n) => [n, entity])),
          ghost: { ...entity, hollow: true },
        },
        edges: [arrow("a", "b"), arrow("c", "d"), arrow("b", "out"), arrow("d", "ghost")],
        groups: { all: ["a", "b", "nested", "alone"], nested: ["c", "d", "ghost"], empty: [] },
        cases: [],
      }));
    });
    const lineage = (name: string) => ask(`/api/dataentitygroups/${ids.get(name)}/lineage`);

    it("gives one stream for each connected part, nested members and hollow ones included", async () => {
      const answer = await lineage("all");
      const { items } = DataEntityGroupLineageList.parse(answer.json);
      const components = items.map((s) => s.nodes.map((n) => n.id).sort((x, y) => x - y));
      const of = (...names: string[]) => names.map((name) => ids.get(name));
      expect(components).toEqual([of("a", "b"), of("c", "d", "ghost"), of("alone")]);
      expect(items.map((s) => s.edges.length)).toEqual([1, 2, 0]);
      expect(items.every((s) => s.groups.length === 0)).toBe(true);
    });
    it("answers 404 alike for an unknown id, an entity that is no group, and an empty group", async () => {
      for (const name of ["a", "empty"]) expect((await lineage(name)).status).toBe(404);
      expect((await ask("/api/dataentitygroups/999999999/lineage")).status).toBe(404);
    });
  });
});
