import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PostgresGraph } from "#graph/postgres/postgres.ts";
import { alertRoutes } from "#services/api/features/alerts/routes.ts";
import { type TestApi, testApi, testContext } from "#test/support/http/api.ts";
import { bindUser, calledBy } from "#test/support/http/caller.ts";
import { testDatabase } from "#test/support/engines/database.ts";
import { distributed } from "#test/support/engines/engines.ts";
import type { GraphUnderTest } from "#test/support/engines/lineage-graph.ts";
import { neo4jUnderTest } from "#test/support/engines/neo4j-graph.ts";
import { seedAlert, seedEdge, seedEntity, seedOwnership } from "#test/support/seed/seed.ts";

async function postgresUnderTest(): Promise<GraphUnderTest> {
  const { db, drop } = await testDatabase();
  return { graph: new PostgresGraph(db), db, settle: () => Promise.resolve(), close: drop };
}

const engines: [name: string, open: () => Promise<GraphUnderTest>][] = [
  ["PostgreSQL", postgresUnderTest],
  ...(distributed() ? [["Neo4j", neo4jUnderTest] as [string, typeof neo4jUnderTest]] : []),
];

// ghost > b > a > mine > c > d, own > mine, lost > deleted > mine, and back from d to a.
const edges = [
  ["ghost", "b"],
  ["b", "a"],
  ["a", "mine"],
  ["mine", "c"],
  ["c", "d"],
  ["d", "a"],
  ["own", "mine"],
  ["lost", "deleted"],
  ["deleted", "mine"],
];

describe.each(engines)("alerts seen from what the caller owns, walks in %s", (_, open) => {
  let test: GraphUnderTest;
  let api: TestApi;
  let close: () => Promise<void>;
  const names = new Map<number, string>();

  beforeAll(async () => {
    test = await open();
    const ids: Record<string, number> = {};
    for (const name of new Set(edges.flat())) {
      const id = await seedEntity(test.db, { hollow: name === "ghost" });
      ids[name] = id;
      names.set(await seedAlert(test.db, id), name);
    }
    for (const [parent, child] of edges) await seedEdge(test.db, ids[parent!]!, ids[child!]!);
    await test.db.query("SELECT lineage_append($1)", [Object.values(ids)]);
    await test.settle();
    // The graph still has the deleted entity; PostgreSQL decides what exists.
    await test.db.query("UPDATE data_entity SET status = 5 WHERE id = $1", [ids.deleted]);
    for (const name of ["mine", "own"]) await seedOwnership(test.db, ids[name]!, "Data Team");
    await bindUser(test.db, "ada", "Data Team");
    const store = { db: test.db, url: "", name: "views", drop: () => Promise.resolve() };
    const context = testContext(store, { graph: test.graph });
    api = testApi(calledBy("ada", alertRoutes(context)));
    close = () => test.close();
  });
  afterAll(() => close());

  const shown = async (path: string) => {
    const { json } = await api.get(path);
    const items: { id: number }[] = Array.isArray(json) ? json : json.items;
    return items.map((alert) => names.get(alert.id)).sort();
  };

  it("getDependentEntitiesAlerts: everything upstream but one's own, and nothing behind what is deleted", async () => {
    expect(await shown("/api/alerts/dependents?page=1&size=20"))
      .toEqual(["a", "b", "c", "d", "ghost"]);
    const totals = { total: 8, my_total: 2, dependent_total: 5 };
    expect((await api.get("/api/alerts/totals")).json).toEqual({ ...totals });
  });

  it("getAlertsList: one hop up and down", async () => {
    expect(await shown("/api/alerts/list?type=UPSTREAM")).toEqual(["a"]);
    expect(await shown("/api/alerts/list?type=DOWNSTREAM")).toEqual(["c"]);
    expect(await shown("/api/alerts/list?type=MY_OBJECTS")).toEqual(["mine", "own"]);
    expect((await api.get("/api/alerts/counts")).json).toEqual({
      total_count: 8,
      my_objects_count: 2,
      downstream_count: 1,
      upstream_count: 1,
    });
  });
});
