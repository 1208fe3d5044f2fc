import { describe, expect, test } from "vitest";
import { type AssetKind, RecentlyViewedAssetList } from "#contract/catalogue/assets.ts";
import { Config } from "#platform/config/schema.ts";
import { assetRoutes } from "#services/api/features/assets/routes.ts";
import { testApi } from "#test/support/http/api.ts";
import { calledBy } from "#test/support/http/caller.ts";
import { featureUnderTest } from "#test/support/http/feature.ts";
import { seedEntity } from "#test/support/seed/seed.ts";
import { seedAnyTerm, seedQueryExample } from "#test/support/seed/seed-assets.ts";

const tested = featureUnderTest(assetRoutes);
const { database } = tested;
const as = (name: string, max = 200) => {
  const config = Config.parse({ housekeeping: { ttl: { recently_viewed_max_per_user: max } } });
  const context = { ...tested.context, config };
  return testApi(calledBy(name, assetRoutes(context)), context);
};
const path = (kind: AssetKind, id: number) => `/api/recently-viewed/${kind}/${id}`;
const list = async (name: string, query = "") => {
  const { json } = await as(name).get(`/api/recently-viewed/list?page=1&size=9${query}`);
  return RecentlyViewedAssetList.parse(json).items;
};
const ids = async (name: string, query = "") =>
  (await list(name, query)).map((item) =>
    (item.data_entity ?? item.term ?? item.query_example)!.id
  );
/** Moves what somebody viewed into the past, by hours. */
const ago = (name: string, entity: number, hours: number) =>
  database.db.query(
    `UPDATE recently_viewed SET last_viewed_at = now() - make_interval(hours => $3)
      WHERE username = $1 AND entity_id = $2`,
    [name, entity, hours],
  );

describe("recently viewed", () => {
  test("are listed newest first; viewing again moves to the top", async () => {
    const { db } = database;
    const entity = await seedEntity(db);
    const [term, example] = [await seedAnyTerm(db), await seedQueryExample(db)];
    expect((await as("ann").post(path("DATA_ENTITY", entity))).status).toBe(204);
    await ago("ann", entity, 1);
    await as("ann").post(path("TERM", term));
    await as("ann").post(path("QUERY_EXAMPLE", example));
    expect(await ids("ann")).toEqual([example, term, entity]);
    await db.query(
      "UPDATE recently_viewed SET last_viewed_at = last_viewed_at - interval '1 min' WHERE username = 'ann'",
    );
    await as("ann").post(path("DATA_ENTITY", entity));
    expect(await ids("ann")).toEqual([entity, example, term]);
    expect(await ids("ann", "&asset_types=TERM,QUERY_EXAMPLE")).toEqual([example, term]);
    const first = (await list("ann"))[0]!;
    expect(Date.now() - Date.parse(first.last_viewed_at)).toBeLessThan(60_000);
    expect(await ids("bob")).toEqual([]);
  });

  test("are narrowed by when, both ends included", async () => {
    const { db } = database;
    const [old, late] = [await seedEntity(db), await seedEntity(db)];
    for (const [id, at] of [[old, "2030-01-01T00:00:00Z"], [late, "2030-01-03T00:00:00Z"]]) {
      await db.query(
        "INSERT INTO recently_viewed (username, provider, entity_id, last_viewed_at) VALUES ('cat', '', $1, $2)",
        [id, at],
      );
    }
    expect(await ids("cat", "&viewed_after=2030-01-03T00:00:00Z")).toEqual([late]);
    expect(await ids("cat", "&viewed_before=2030-01-01T00:00:00Z")).toEqual([old]);
    expect(await ids("cat", "&viewed_after=2030-01-01T01:00:00%2B01:00")).toEqual([late, old]);
    expect(
      await ids("cat", "&viewed_after=2030-01-02T00:00:00Z&viewed_before=2030-01-02T00:00:00Z"),
    )
      .toEqual([]);
    const wrong = await as("cat").get("/api/recently-viewed/list?page=1&size=1&viewed_after=soon");
    expect([wrong.status, wrong.json.details[0].field]).toEqual([400, "viewed_after"]);
  });

  test("are only the newest of a user, up to the configured number", async () => {
    const entities = [];
    for (let n = 0; n < 5; n++) entities.push(await seedEntity(database.db));
    for (const [n, id] of entities.entries()) {
      await as("dee", 3).post(path("DATA_ENTITY", id));
      await ago("dee", id, 9 - n);
    }
    expect(await ids("dee")).toEqual([entities[4], entities[3], entities[2]]);
  });

  test("stay whole when one user views at many places at once", async () => {
    const entities: number[] = [];
    for (let n = 0; n < 8; n++) entities.push(await seedEntity(database.db));
    const api = as("eli", 4);
    const answers = await Promise.all(
      entities.concat(entities).map((id) => api.post(path("DATA_ENTITY", id))),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 204));
    await api.post(path("DATA_ENTITY", entities[0]!));
    const left = await ids("eli");
    expect([left.length, left[0]]).toEqual([4, entities[0]]);
  });

  test("status tells when; what is forgotten has none", async () => {
    const [one, two] = [await seedEntity(database.db), await seedEntity(database.db)];
    for (const id of [one, two]) await as("fay").post(path("DATA_ENTITY", id));
    const body = [one, two].map((asset_id) => ({ asset_kind: "DATA_ENTITY", asset_id }));
    const status = async () => (await as("fay").post("/api/recently-viewed/status", body)).json;
    expect(await status()).toEqual(
      body.map((ref) => ({ ...ref, last_viewed_at: expect.any(String) })),
    );
    for (let n = 0; n < 2; n++) {
      expect((await as("fay").delete(path("DATA_ENTITY", one))).status).toBe(204);
    }
    expect(await status()).toMatchObject([{ asset_id: two }]);
  });

  test("404: what is unknown; deleted entities are hidden until they come back", async () => {
    const { db } = database;
    expect((await as("gil").post(path("TERM", 999_999_999))).status).toBe(404);
    expect((await as("gil").delete(path("TERM", 999_999_999))).status).toBe(404);
    const entity = await seedEntity(db);
    await as("gil").post(path("DATA_ENTITY", entity));
    await db.query("UPDATE data_entity SET status = 5 WHERE id = $1", [entity]);
    expect(await ids("gil")).toEqual([]);
    await db.query("UPDATE data_entity SET status = 1 WHERE id = $1", [entity]);
    expect(await ids("gil")).toEqual([entity]);
  });
});
