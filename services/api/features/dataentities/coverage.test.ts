import { beforeAll, describe, expect, it } from "vitest";
import { dataEntityRoutes } from "#services/api/features/dataentities/routes.ts";
import { seedTest } from "#services/api/features/quality/testing/seed.ts";
import { searchRoutes } from "#services/api/features/search/routes.ts";
import { featureUnderTest } from "#test/support/http/feature.ts";
import * as seed from "#test/support/seed/seed.ts";

const { api, database } = featureUnderTest((context) => [
  ...dataEntityRoutes(context),
  ...searchRoutes(context),
]);
const names = ["NO_OWNER", "NO_DESCRIPTION", "NO_TESTS"];
const chosen = (...ids: number[]) => ids.map((entity_id) => ({ entity_id, selected: true }));

/** How many entities of these classes a search finds that lack something. */
async function found(gap: number, query = "", ...classes: number[]): Promise<number> {
  const filters = { gaps: chosen(gap), entity_classes: chosen(...classes) };
  return (await api.post("/api/search", { query, filters })).json.total;
}

beforeAll(async () => {
  const { db } = database;
  const sourceId = await seed.seedSource(db);
  const make = (name: string, given: seed.SeedEntity = {}) =>
    seed.seedEntity(db, { sourceId, name, ...given });
  const owned = await make("orders");
  await seed.seedOwnership(db, owned, "ann");
  await make("lines", { internalDescription: "by hand" });
  const tested = await make("stock", { externalDescription: "by its source" });
  await seedTest(db, { of: [[tested]] });
  await make("empty", { internalDescription: "" });
  await make("bygone", { status: 5 });
  await make("nested", { excluded: true });
  await make("job", { type: "JOB" });
  await db.query("SELECT refresh_search_documents(array(SELECT id FROM data_entity))");
});

describe("getCatalogueCoverage", () => {
  it("200: counts what the search for it finds", async () => {
    const { json } = await api.get("/api/dataentities/coverage");
    expect(json).toEqual({
      datasets: 4,
      without_owner: 3,
      without_description: 2,
      without_tests: 3,
    });
    expect([await found(1, "", 1), await found(2, "", 1), await found(3, "", 1)])
      .toEqual([3, 2, 3]);
  });

  it("200: words narrow what lacks something, and only datasets lack tests", async () => {
    expect([await found(1, "lines"), await found(1, "orders"), await found(3, "job")])
      .toEqual([1, 0, 0]);
  });

  it("200: the facet counts each value", async () => {
    const { json } = await api.post("/api/search", { filters: { entity_classes: chosen(1) } });
    const path = `/api/search/${json.search_id}/facet/gaps?page=1&size=9`;
    const values: { name: string; count: number }[] = (await api.get(path)).json;
    expect(names.map((name) => values.find((value) => value.name === name)!.count))
      .toEqual([3, 2, 3]);
  });
});
