import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PostgresGraph } from "#graph/postgres/postgres.ts";
import { lineageRoutes } from "#services/api/features/lineage/routes.ts";
import { testDatabase } from "#test/support/engines/database.ts";
import { distributed } from "#test/support/engines/engines.ts";
import { type GraphUnderTest, seedShape } from "#test/support/engines/lineage-graph.ts";
import { neo4jUnderTest } from "#test/support/engines/neo4j-graph.ts";
import { testApi, testContext } from "#test/support/http/api.ts";
import { seeded } from "#test/support/random.ts";
import { sized } from "#test/support/size.ts";

type Pair = [parent: number, child: number];

async function postgresUnderTest(): Promise<GraphUnderTest> {
  const { db, drop } = await testDatabase();
  return { graph: new PostgresGraph(db), db, settle: () => Promise.resolve(), close: drop };
}

const engines: [name: string, open: () => Promise<GraphUnderTest>][] = [
  ["PostgreSQL", postgresUnderTest],
  ...(distributed() ? [["Neo4j", neo4jUnderTest] as [string, typeof neo4jUnderTest]] : []),
];

/** Lengths of the shortest ways from a node to the others, by trying edge after edge. */
function lengths(count: number, edges: Pair[], from: number): number[] {
  const found = Array.from({ length: count }, (_, at) => (at === from ? 0 : Infinity));
  for (let round = 0; round < count; round++) {
    for (const [a, b] of edges) found[b] = Math.min(found[b]!, found[a]! + 1);
  }
  return found;
}

/** The edges on a path of at most `depth` edges between two nodes, either way; `a>b` each. */
function expected(count: number, edges: Pair[], [one, other]: Pair, depth: number): string[] {
  const turned = edges.map(([a, b]): Pair => [b, a]);
  const on = (from: number, to: number) => {
    const [ahead, back] = [lengths(count, edges, from), lengths(count, turned, to)];
    return edges.filter(([a, b]) => ahead[a]! + 1 + back[b]! <= depth);
  };
  return [...new Set([...on(one, other), ...on(other, one)].map(([a, b]) => `${a}>${b}`))].sort();
}

describe.each(engines)("paths between two entities, walks in %s", (_, open) => {
  let test: GraphUnderTest;
  let get: (path: string, lineage?: object) => ReturnType<ReturnType<typeof testApi>["get"]>;
  beforeAll(async () => {
    test = await open();
    const store = { db: test.db, url: "", name: "paths", drop: () => Promise.resolve() };
    const context = testContext(store, { graph: test.graph });
    get = (path, lineage = {}) => {
      const config = { ...context.config, lineage: { ...context.config.lineage, ...lineage } };
      return testApi(lineageRoutes({ ...context, config })).get(path);
    };
  });
  afterAll(() => test.close());

  const pathOf = (id: number, to: number, rest = "") =>
    `/api/dataentities/${id}/lineage/paths?to=${to}${rest}`;

  async function pathsBetween(ids: number[], [one, other]: Pair, depth: number): Promise<string[]> {
    const { json } = await get(pathOf(ids[one]!, ids[other]!, `&lineage_depth=${depth}`));
    const edges = json.edges.map((e: { source_id: number; target_id: number }) =>
      `${ids.indexOf(e.source_id)}>${ids.indexOf(e.target_id)}`
    );
    const ends = new Set(json.edges.flatMap((e: Record<string, number>) => Object.values(e)));
    expect(new Set(json.nodes.map((n: { id: number }) => n.id))).toEqual(ends);
    return edges.sort();
  }

  it("are all of them and nothing else, in random graphs with cycles", async () => {
    for (let seed = 1; seed <= sized(4, 12); seed++) {
      const random = seeded(seed);
      const count = 12;
      const pick = () => Math.floor(random() * count);
      const drawn = Array.from({ length: 20 }, (): Pair => [pick(), pick()]);
      const edges = [...new Map(drawn.map((edge) => [edge.join(), edge])).values()];
      const ids = await seedShape(test.db, count, edges);
      await test.settle();
      for (let attempt = 0; attempt < 6; attempt++) {
        const [ends, depth]: [Pair, number] = [[pick(), pick()], 1 + pick()];
        expect([seed, ends, depth, await pathsBetween(ids, ends, depth)])
          .toEqual([seed, ends, depth, expected(count, edges, ends, depth)]);
      }
    }
  });

  it("go by no deleted entity, and are none between strangers", async () => {
    const ids = await seedShape(test.db, 5, [[0, 1], [1, 2], [0, 3], [3, 2]]);
    await test.db.query("UPDATE data_entity SET status = 5 WHERE id = $1", [ids[1]]);
    await test.db.query("SELECT lineage_append(lineage_set_deleted($1, true))", [[ids[1]]]);
    await test.settle();
    expect(await pathsBetween(ids, [2, 0], 9)).toEqual(["0>3", "3>2"]);
    expect(await pathsBetween(ids, [0, 4], 9)).toEqual([]);
  });

  it("say when a budget cut them", async () => {
    const ids = await seedShape(test.db, 6, [[0, 1], [1, 2], [2, 3], [3, 4], [4, 5]]);
    await test.settle();
    const { headers, status } = await get(pathOf(ids[0]!, ids[5]!), { "max-nodes": 3 });
    expect([status, headers.get("x-lineage-truncated")]).toEqual([200, "nodes"]);
  });

  it("404 for an unknown or deleted end, 400 without the other end", async () => {
    const ids = await seedShape(test.db, 2, []);
    await test.db.query("UPDATE data_entity SET status = 5 WHERE id = $1", [ids[1]]);
    for (const [id, to] of [[ids[0]!, 999_999_999], [999_999_999, ids[0]!], [ids[0]!, ids[1]!]]) {
      expect((await get(pathOf(id!, to!))).status).toBe(404);
    }
    const wrong = await get(`/api/dataentities/${ids[0]}/lineage/paths`);
    expect([wrong.status, wrong.json.details[0].field]).toEqual([400, "to"]);
  });
});
