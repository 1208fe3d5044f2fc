import { describe, expect, test } from "vitest";
import { QueryExampleList, QueryExampleRefList } from "#contract/catalogue/assets.ts";
import * as purge from "#services/housekeeping/purge.ts";
import { queryExamplesUnderTest } from "#services/api/features/query-examples/testing/harness.ts";
import { refreshBatch } from "#services/housekeeping/search-refresh.ts";
import { seedEntity } from "#test/support/seed/seed.ts";

const { api, database, make, found, attach, detach } = queryExamplesUnderTest();
const path = "/api/queryexample/search";
const refreshed = async () => {
  while (await refreshBatch(database.db) !== null);
};

/** Definitions of the results of a new search, best first. */
async function results(query: string): Promise<string[]> {
  const { json: { search_id: id } } = await api.post(path, { query });
  const answer = await api.get(`${path}/${id}/results?page=1&size=9`);
  return QueryExampleList.parse(answer.json).items.map(({ definition }) => definition);
}

describe("the search", () => {
  test("finds by definition, query and names of data entities, in this order", async () => {
    const { db } = database;
    const internal = await seedEntity(db, { name: "x", internalName: "weighty orders" });
    const external = await seedEntity(db, { name: "weighty_items" });
    const [d, c] = [await make("by its outer name"), await make("by its inner name")];
    await make("by its text", "SELECT * FROM weighty");
    await make("weighty by itself");
    await attach("dataentities", external, d);
    await attach("dataentities", internal, c);
    expect(await results("weighty")).toEqual([
      "weighty by itself",
      "by its inner name",
      "by its text",
      "by its outer name",
    ]);
    expect(await results("items weigh")).toEqual(["by its outer name"]);
  });

  test("is started, read, changed, paged, and has no facets", async () => {
    for (const n of [1, 2, 3]) await make(`session ${n}`);
    const { status, json } = await api.post(path, { query: "session" });
    expect([status, json]).toEqual([200, {
      search_id: expect.any(String),
      query: "session",
      total: 3,
      total_is_minimum: false,
    }]);
    const one = `${path}/${json.search_id}`;
    expect((await api.get(one)).json).toEqual(json);
    const page = (await api.get(`${one}/results?page=2&size=2`)).json;
    expect(page).toMatchObject({
      items: [{ definition: "session 3", linked_entities: [], linked_terms: { items: [] } }],
      page_info: { total: 3, hasNext: false },
    });
    expect((await api.put(one, { query: "session 2" })).json).toMatchObject({ total: 1 });
    expect((await api.get(`${path}/${crypto.randomUUID()}`)).status).toBe(404);
  });

  test("suggests the five best", async () => {
    for (let n = 0; n < 6; n++) await make(`suggested ${n}`);
    const answer = await api.get(`${path}/suggestions?query=sugg`);
    const { items, page_info } = QueryExampleRefList.parse(answer.json);
    expect([items.length, page_info]).toEqual([5, { total: 5, hasNext: false }]);
    const none = { items: [], page_info: { total: 0, hasNext: false } };
    expect((await api.get(`${path}/suggestions?query=`)).json).toEqual(none);
  });
});

describe("what an example is found by follows", () => {
  test("its links: at once, also when a data entity is purged", async () => {
    const { db } = database;
    const [entity, other] = [await seedEntity(db, { name: "parcelBook" }), await seedEntity(db)];
    const id = await make("follower");
    await attach("dataentities", other, id);
    expect(await found("parcel")).toEqual([]);
    await attach("dataentities", entity, id);
    expect(await found("parcel")).toEqual(["follower"]);
    await detach("dataentities", entity, id);
    expect(await found("parcel")).toEqual([]);
    await attach("dataentities", entity, id);
    for (const sql of purge.dependants) await db.query(sql, [[entity]]);
    expect(await found("parcel")).toEqual([]);
  });

  test("the names of its data entities: soon after, whoever gives them", async () => {
    const { db } = database;
    const entity = await seedEntity(db, { name: "caravan" });
    await attach("dataentities", entity, await make("renamed along"));
    await attach("dataentities", entity, await make("renamed as well"));
    await db.query("UPDATE data_entity SET external_name = 'schooner' WHERE id = $1", [entity]);
    await refreshed();
    expect([await found("caravan"), await found("schooner")])
      .toEqual([[], ["renamed along", "renamed as well"]]);
    await db.query("UPDATE data_entity SET internal_name = 'brigantine' WHERE id = $1", [entity]);
    await refreshed();
    expect(await found("brigant")).toEqual(["renamed along", "renamed as well"]);
  });

  test("nothing waits for a data entity without examples, nor for one that keeps its names", async () => {
    const { db } = database;
    const [plain, linked] = [await seedEntity(db), await seedEntity(db, { name: "same" })];
    await attach("dataentities", linked, await make("undisturbed"));
    await db.query("UPDATE data_entity SET external_name = 'other' WHERE id = $1", [plain]);
    await db.query(
      "UPDATE data_entity SET external_name = 'same', view_count = 7 WHERE id = $1",
      [linked],
    );
    expect(await db.query("SELECT FROM search_refresh_queue")).toEqual([]);
  });
});
