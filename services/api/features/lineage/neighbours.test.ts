import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LineageNeighbourList } from "#contract/lineage.ts";
import { lineageRoutes } from "#services/api/features/lineage/routes.ts";
import { testApi, testContext } from "#test/support/http/api.ts";
import { testDatabase } from "#test/support/engines/database.ts";
import { seedScenario } from "#test/support/seed/lineage-seed.ts";

describe("neighbours in lineage", () => {
  let ids: Map<string, number>;
  let test: Awaited<ReturnType<typeof testDatabase>>;
  const names = ["first", "second", "third", "gone", "ghost", "other"];

  beforeAll(async () => {
    test = await testDatabase();
    const arrow = (parent: string, child: string) => ({ parent, child, establisher: child });
    ({ ids } = await seedScenario(test.db, {
      scenario: "a hub",
      entities: Object.fromEntries(
        ["hub", ...names].map((n) => [n, { hollow: n === "ghost", deleted: n === "gone" }]),
      ),
      edges: ["first", "second", "third", "ghost"].map((n) => arrow("hub", n)).concat([
        // A second entity may establish the same edge; a self-loop makes an entity its own
        // neighbour.
        { parent: "hub", child: "first", establisher: "hub" },
        arrow("other", "hub"),
        arrow("hub", "hub"),
      ]),
      groups: {},
      cases: [],
    }));
  });
  afterAll(() => test.drop());

  const ask = (query: string, of = ids.get("hub"), side = "downstream") =>
    testApi(lineageRoutes(testContext(test)))
      .get(`/api/dataentities/${of}/lineage/${side}/neighbours?${query}`);
  const named = (json: unknown) =>
    LineageNeighbourList.parse(json).items.map(({ id }) =>
      [...ids].find(([, known]) => known === id)?.[0]
    );

  it("come page by page, each once, hollow ones included, in the order of their ids", async () => {
    const first = (await ask("page=1&size=2")).json;
    expect([named(first), first.page_info]).toEqual([["hub", "first"], {
      total: 5,
      hasNext: true,
    }]);
    const last = (await ask("page=3&size=2")).json;
    expect([named(last), last.page_info]).toEqual([["ghost"], { total: 5, hasNext: false }]);
    expect(named((await ask("page=1&size=5", ids.get("hub"), "upstream")).json))
      .toEqual(["hub", "other"]);
  });

  it("are found by a part of their name or CATRN, whatever its case", async () => {
    expect(named((await ask("page=1&size=9&query=SECO")).json)).toEqual(["second"]);
    expect(named((await ask("page=1&size=9&query=/ghost")).json)).toEqual(["ghost"]);
    expect((await ask("page=1&size=9&query=%25")).json)
      .toEqual({ items: [], page_info: { total: 0, hasNext: false } });
  });

  it("are 404 for an unknown or deleted entity, and an empty page where there are none", async () => {
    expect((await ask("page=1&size=9", 999_999_999)).status).toBe(404);
    expect((await ask("page=1&size=9", ids.get("gone"))).status).toBe(404);
    expect((await ask("page=1&size=9", ids.get("third"))).json.items).toEqual([]);
  });

  it("a page without size is 400 naming it", async () => {
    const answer = await ask("page=1");
    expect([answer.status, answer.json.details[0].field]).toEqual([400, "size"]);
  });
});
