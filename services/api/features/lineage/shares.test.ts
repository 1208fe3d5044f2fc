import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PostgresGraph } from "#graph/postgres/postgres.ts";
import type { WalkRequest } from "#graph/port.ts";
import { Config } from "#platform/config/schema.ts";
import { lineageQueue } from "#services/api/features/lineage/limits.ts";
import { lineageRoutes } from "#services/api/features/lineage/routes.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { eventually } from "#test/support/eventually.ts";
import { testApi, testContext } from "#test/support/http/api.ts";
import { calledBy } from "#test/support/http/caller.ts";
import { seedEntity } from "#test/support/seed/seed.ts";

/** Walks deeper than this last until the test ends them. */
const deep = 50;

describe("lineage questions of one caller", () => {
  let database: TestDatabase;
  beforeAll(async () => void (database = await testDatabase()));
  afterAll(() => database.drop());

  /** Callers of one process, whose deep walks wait for `release`. */
  function walking() {
    const graph = new PostgresGraph(database.db);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const state = { walks: 0 };
    const walk = graph.walk.bind(graph);
    graph.walk = async (request: WalkRequest) => {
      state.walks++;
      if (request.depth > deep) await released;
      return await walk(request);
    };
    // Nobody waits too long, however slow the machine is.
    const config = Config.parse({ lineage: { timeout: "1 h" } });
    const context = testContext(database, { graph, config });
    const routes = lineageRoutes(context);
    const ask = (who: string, id: number, depth: number) =>
      testApi(calledBy(who, routes)).get(
        `/api/dataentities/${id}/lineage/downstream?lineage_depth=${depth}`,
      );
    return { ask, release, state, close: () => context.wakeups.close() };
  }

  it("leave places to others, however many and deep they are", async () => {
    const id = await seedEntity(database.db);
    const { ask, release, state, close } = walking();
    const flood = Array.from({ length: 40 }, () => ask("mallory", id, deep + 1));
    await eventually(() => expect(state.walks).toBe(lineageQueue.concurrencyPerKey));
    const honest = await Promise.all(["ada", "bob", "cyd", "dan"].map((who) => ask(who, id, 1)));
    expect(honest.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    release();
    expect(new Set((await Promise.all(flood)).map(({ status }) => status))).toEqual(new Set([200]));
    await close();
  });

  it("are refused with 429 when too many of its own wait; others are not", async () => {
    const id = await seedEntity(database.db);
    const { ask, release, state, close } = walking();
    const { concurrencyPerKey, maxWaitingPerKey } = lineageQueue;
    const max = concurrencyPerKey + maxWaitingPerKey;
    const flood = Array.from({ length: max + 5 }, () => ask("mallory", id, deep + 1));
    await eventually(() => expect(state.walks).toBe(concurrencyPerKey));
    expect((await ask("ada", id, 1)).status).toBe(200);
    release();
    const answers = await Promise.all(flood);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(5);
    expect(refused[0]!.headers.get("retry-after")).toBe("2");
    await close();
  });
});
