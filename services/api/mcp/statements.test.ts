import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { memoryCache } from "#cache/memory.ts";
import { PostgresGraph } from "#graph/postgres/postgres.ts";
import { noMetrics } from "#kit/metrics.ts";
import type { Context } from "#platform/context.ts";
import { open } from "#platform/operations/access.ts";
import { createFeatures, type Feature } from "#services/api/features.ts";
import { ApiClient, ToolCalls } from "#services/api/mcp/tool.ts";
import { LineageQueue } from "#services/api/features/lineage/service.ts";
import { tools } from "#services/api/mcp/tools/all.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { testContext } from "#test/support/http/api.ts";
import { callerFrom } from "#test/support/http/caller.ts";
import { type CountedDatabase, countedDatabase } from "#test/support/statements/counted.ts";
import { seedWorld, type StatementWorld } from "#test/support/statements/world.ts";

// A tool that asks the database once an item is quick in every small test: each is asked about few and about many.

const [few, many] = [3, 300];
const worlds = new Map<number, StatementWorld>();

let t: TestDatabase;
let context: Context;
let counted: CountedDatabase;
let features: Feature[];
let calls: ToolCalls;

beforeAll(async () => {
  t = await testDatabase();
  counted = countedDatabase(t.db);
  const { db } = counted;
  const cache = memoryCache({ metrics: noMetrics });
  context = testContext(t, { db, cache, graph: new PostgresGraph(db) });
  features = createFeatures(context);
  calls = new ToolCalls(context, new LineageQueue(context), tools);
  for (const n of [few, many]) worlds.set(n, await seedWorld(t.db, n));
});
afterAll(async () => {
  for (const feature of features) feature.stop?.();
  await context.wakeups.close();
  await t.drop();
});

const include = ["fields", "metadata", "runs", "tests", "sql", "terms", "owners", "usage"];

/** What each tool is asked about a world. */
const questions: Record<string, (world: StatementWorld) => object> = {
  search_catalog: ({ name, n }) => ({ query: "world", data_source: name, limit: Math.min(n, 50) }),
  get_entities: ({ dataset, job, members, n }) => ({
    refs: n === few ? [dataset, job] : [dataset, job, ...members.slice(0, 8)],
    include,
  }),
  get_lineage: ({ dataset }) => ({ ref: dataset, direction: "upstream", depth: 5, limit: 200 }),
  get_column_lineage: ({ dataset }) => ({ ref: dataset, direction: "upstream", depth: 3 }),
  find_lineage_path: ({ members, dataset }) => ({ from: members[0], to: dataset }),
  impact_of: ({ members }) => ({ ref: members[0] }),
  diff_lineage: ({ dataset }) => {
    const [from, to] = [-1, 0].map((hours) =>
      new Date(Date.now() + hours * 3_600_000 - 1).toISOString()
    );
    return { ref: dataset, direction: "upstream", from, to };
  },
  list_alerts: ({ dataset }) => ({ upstream_of: dataset, limit: 50 }),
  get_runs: ({ job }) => ({ ref: job, limit: 50 }),
  resolve_name: ({ n }) => ({ namespace: "postgres://db:5432", name: `shop.public.t${n}` }),
};

it("asks every tool", () => {
  expect(Object.keys(questions)).toEqual(tools.map(({ name }) => name));
});

describe.each(Object.keys(questions))("%s", (name) => {
  const statementsOf = async (n: number) => {
    const world = worlds.get(n)!;
    const routes = new Map(
      features.flatMap(({ routes }) => routes).map((one) => [one.spec.id, one]),
    );
    const request = new Request("http://localhost/mcp");
    const ask = new ApiClient({ routes, authorizer: open }, callerFrom(world.user), request);
    const given = questions[name]!(world);
    const { outcome, statements } = await counted.during(() => calls.call(name, given, ask));
    expect([outcome.isError, outcome.isError && outcome.content]).toEqual([undefined, undefined]);
    return statements;
  };

  it(`runs the same statements for ${few} items as for ${many}`, async () => {
    const [one, other] = [await statementsOf(few), await statementsOf(many)];
    expect(other).toEqual(one);
    expect(one.length).toBeGreaterThan(0);
    expect(one.length).toBeLessThanOrEqual(10);
  });
});
