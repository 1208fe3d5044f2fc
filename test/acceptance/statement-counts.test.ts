import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { memoryCache } from "#cache/memory.ts";
import { PostgresGraph } from "#graph/postgres/postgres.ts";
import { noMetrics } from "#kit/metrics.ts";
import type { Context } from "#platform/context.ts";
import { publishedRoutes } from "#services/api/openapi.ts";
import { createFeatures, type Feature } from "#services/api/features.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { type TestApi, testApi, testContext } from "#test/support/http/api.ts";
import { calledBy } from "#test/support/http/caller.ts";
import { sized } from "#test/support/size.ts";
import { type CountedDatabase, countedDatabase } from "#test/support/statements/counted.ts";
import { type CallWorld, rows } from "#test/support/statements/rows.ts";
import { seedWorld, type StatementWorld } from "#test/support/statements/world.ts";

// An operation that asks the database once an item is quick in every small test. Here each is called for few and for
// many items, and must run the same statements.

const [few, many] = [3, sized(100, 300)];

interface SeededApi {
  world: StatementWorld;
  api: TestApi;
  search: string;
  termSearch: string;
}

let t: TestDatabase;
let context: Context;
let counted: CountedDatabase;
let features: Feature[];
const worlds = new Map<number, SeededApi>();

beforeAll(async () => {
  t = await testDatabase();
  counted = countedDatabase(t.db);
  const { db } = counted;
  const cache = memoryCache({ metrics: noMetrics });
  context = testContext(t, { db, cache, graph: new PostgresGraph(db) });
  features = createFeatures(context);
  const routes = features.flatMap((feature) => feature.routes);
  for (const n of [few, many]) {
    const world = await seedWorld(t.db, n);
    const api = testApi(calledBy(world.user, routes), context);
    const started = await api.post("/api/search", { query: "world", filters: {} });
    const terms = await api.post("/api/terms/search", { query: "world", filters: {} });
    const [search, termSearch] = [started.json.search_id, terms.json.search_id];
    worlds.set(n, { world, api, search, termSearch });
  }
});
afterAll(async () => {
  for (const feature of features) feature.stop?.();
  await context.wakeups.close();
  await t.drop();
});

/** Statements of one call of an operation. */
async function statementsOf(id: string, n: number, round: number): Promise<string[]> {
  const { world, api, ...searches } = worlds.get(n)!;
  const fixture: CallWorld = { ...world, page: `page=1&size=${n}`, ...searches, round };
  const call = rows[id]!(fixture);
  const [method, path, body] = typeof call === "string" ? ["GET", call] as const : call;
  const { outcome, statements } = await counted.during(() => api.send(method, path, body));
  expect([path, outcome.status < 300 ? "" : outcome.text]).toEqual([path, ""]);
  return statements;
}

it("counts operations that there are", () => {
  const known = new Set(publishedRoutes().map(({ spec }) => spec.id));
  expect(Object.keys(rows).filter((id) => !known.has(id))).toEqual([]);
});

describe.each(Object.keys(rows))("%s", (id) => {
  it(`runs the same statements for ${few} items as for ${many}`, async () => {
    for (const n of [few, many]) await statementsOf(id, n, 0);
    const [one, other] = [await statementsOf(id, few, 1), await statementsOf(id, many, 1)];
    expect(other).toEqual(one);
    expect(one.length).toBeGreaterThan(0);
  });
});

it.each(["getDataEntityDetails", "getDataSetStructureLatest"])(
  "%s is one statement",
  async (id) => {
    expect(await statementsOf(id, many, 1)).toHaveLength(1);
  },
);
