import { describe, expect, test } from "vitest";
import { type AssetKind, FavoriteAssetList } from "#contract/catalogue/assets.ts";
import { assetRoutes } from "#services/api/features/assets/routes.ts";
import { maxFavorites, maxRequested } from "#services/api/features/assets/service.ts";
import * as purge from "#services/housekeeping/purge.ts";
import { testApi } from "#test/support/http/api.ts";
import { calledBy } from "#test/support/http/caller.ts";
import { featureUnderTest } from "#test/support/http/feature.ts";
import { seedEntity } from "#test/support/seed/seed.ts";
import { seedTerm } from "#test/support/seed/seed-terms.ts";
import { seedAnyTerm, seedQueryExample } from "#test/support/seed/seed-assets.ts";

const tested = featureUnderTest(assetRoutes);
const { database } = tested;
const nobody = 999_999_999;
const as = (name: string) => testApi(calledBy(name, assetRoutes(tested.context)), tested.context);
const path = (kind: AssetKind, id: number) => `/api/favorites/${kind}/${id}`;
const add = (name: string, kind: AssetKind, id: number) => as(name).put(path(kind, id));
const list = async (name: string, query = "") => {
  const { json } = await as(name).get(`/api/favorites/list?page=1&size=9${query}`);
  return FavoriteAssetList.parse(json);
};
const ids = async (name: string, query = "") =>
  (await list(name, query)).items.map((item) =>
    (item.data_entity ?? item.term ?? item.query_example)!.id
  );

describe("favorites", () => {
  test("are listed newest first, each with the member of its kind", async () => {
    const { db } = database;
    const entity = await seedEntity(db, { name: "orders" });
    const [term, example] = [await seedAnyTerm(db), await seedQueryExample(db)];
    expect((await add("ann", "DATA_ENTITY", entity)).status).toBe(204);
    await add("ann", "TERM", term);
    await add("ann", "QUERY_EXAMPLE", example);
    await add("ann", "DATA_ENTITY", entity);
    const { items, page_info } = await list("ann");
    expect(page_info).toEqual({ total: 3, hasNext: false });
    expect(items).toMatchObject([
      { asset_kind: "QUERY_EXAMPLE", query_example: { id: example, query: "SELECT 1" } },
      { asset_kind: "TERM", term: { id: term, namespace: { name: "glossary" } } },
      { asset_kind: "DATA_ENTITY", data_entity: { id: entity, external_name: "orders" } },
    ]);
    expect(items[0]).toMatchObject({ data_entity: null, term: null });
    expect(await ids("ann", "&asset_types=TERM")).toEqual([term]);
    expect(await ids("ann", "&asset_types=TERM&asset_types=DATA_ENTITY")).toEqual([term, entity]);
    const page = (await as("ann").get("/api/favorites/list?page=2&size=2")).json;
    expect(page).toMatchObject({
      items: [{ asset_kind: "DATA_ENTITY" }],
      page_info: { total: 3, hasNext: false },
    });
  });

  test("are one user's alone; who is not signed in shares them with all who are not", async () => {
    const { db } = database;
    const [mine, shared] = [await seedEntity(db), await seedEntity(db)];
    await add("eve", "DATA_ENTITY", mine);
    expect((await tested.api.put(path("DATA_ENTITY", shared))).status).toBe(204);
    expect([await ids("eve"), await ids("bob")]).toEqual([[mine], []]);
    const anonymous = (await tested.api.get("/api/favorites/list?page=1&size=9")).json;
    expect(anonymous.items).toMatchObject([{ data_entity: { id: shared } }]);
    const elsewhere = { kind: "user", name: "eve", provider: "ldap" } as const;
    const { json } = await testApi(calledBy(elsewhere, assetRoutes(tested.context)), tested.context)
      .get("/api/favorites/list?page=1&size=9");
    expect(json.items).toEqual([]);
  });

  test("end when they are taken away, which may be repeated", async () => {
    const [entity, term] = [await seedEntity(database.db), await seedAnyTerm(database.db)];
    await add("gus", "DATA_ENTITY", entity);
    await add("gus", "TERM", term);
    for (let n = 0; n < 2; n++) {
      expect((await as("gus").delete(path("DATA_ENTITY", entity))).status).toBe(204);
    }
    expect(await ids("gus")).toEqual([term]);
  });

  test("404: what is unknown, or hollow; 400: no such kind", async () => {
    const hollow = await seedEntity(database.db, { hollow: true });
    for (
      const one of [
        path("DATA_ENTITY", nobody),
        path("DATA_ENTITY", hollow),
        path("TERM", nobody),
        path("QUERY_EXAMPLE", nobody),
      ]
    ) {
      const answers = [await as("hal").put(one), await as("hal").delete(one)];
      expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    }
    const wrong = await as("hal").put(`/api/favorites/NAMESPACE/1`);
    expect([wrong.status, wrong.json.details[0].field]).toEqual([400, "asset_kind"]);
    const list = await as("hal").get("/api/favorites/list?page=1&size=1&asset_types=TERM,X");
    expect([list.status, list.json.details[0].field]).toEqual([400, "asset_types"]);
  });

  test("of a deleted data entity are hidden, and come back with it; a purge takes them", async () => {
    const { db } = database;
    const entity = await seedEntity(db);
    await add("ida", "DATA_ENTITY", entity);
    const status = async () =>
      (await as("ida").post("/api/favorites/status", [
        { asset_kind: "DATA_ENTITY", asset_id: entity },
      ])).json.length;
    await db.query("UPDATE data_entity SET status = 5 WHERE id = $1", [entity]);
    expect([await ids("ida"), (await list("ida")).page_info.total, await status()])
      .toEqual([[], 0, 0]);
    await db.query("UPDATE data_entity SET status = 1 WHERE id = $1", [entity]);
    expect([await ids("ida"), await status()]).toEqual([[entity], 1]);
    for (const sql of [...purge.dependants, purge.removeEntities]) await db.query(sql, [[entity]]);
    expect(await db.query("SELECT FROM favorite WHERE username = 'ida'")).toEqual([]);
  });

  test("go with a deleted term and a deleted query example", async () => {
    const { db } = database;
    await add("jan", "TERM", await seedTerm(db, "glossary", "short-lived"));
    await add("jan", "QUERY_EXAMPLE", await seedQueryExample(db, "short-lived"));
    await db.query("DELETE FROM term WHERE name = 'short-lived'");
    await db.query("DELETE FROM query_example WHERE definition = 'short-lived'");
    expect((await list("jan")).page_info.total).toBe(0);
  });

  test("status: those that are, each once, in the order asked", async () => {
    const { db } = database;
    const [entity, term] = [await seedEntity(db), await seedAnyTerm(db)];
    await add("kim", "DATA_ENTITY", entity);
    await add("kim", "TERM", term);
    const ref = (asset_kind: string, asset_id: number) => ({ asset_kind, asset_id });
    const assets = [
      ref("TERM", term),
      ref("DATA_ENTITY", nobody),
      ref("DATA_ENTITY", entity),
      ref("QUERY_EXAMPLE", entity),
      ref("TERM", term),
    ];
    const { json } = await as("kim").post("/api/favorites/status", assets);
    expect(json).toEqual([ref("TERM", term), ref("DATA_ENTITY", entity)]);
    expect((await as("kim").post("/api/favorites/status", [])).json).toEqual([]);
    const many = Array.from({ length: maxRequested + 1 }, () => ref("TERM", term));
    for (const body of [many, [ref("X", 1)], { items: assets }]) {
      expect((await as("kim").post("/api/favorites/status", body)).status).toBe(400);
    }
  });

  test("400: more than there may be; those that are stay so", async () => {
    const { db } = database;
    await db.query(
      `WITH e AS (INSERT INTO data_entity (catrn, external_name, type_id, class_ids)
         SELECT '//favorites/' || n, 'e', 1, '{1}' FROM generate_series(1, $1::integer) n RETURNING id)
       INSERT INTO favorite (username, provider, entity_id) SELECT 'leo', '', id FROM e`,
      [maxFavorites],
    );
    const refused = await add("leo", "TERM", await seedAnyTerm(db));
    expect([refused.status, refused.json.details[0].field]).toEqual([400, "asset_id"]);
    const [first] = await ids("leo");
    expect((await add("leo", "DATA_ENTITY", first!)).status).toBe(204);
    expect((await list("leo")).page_info.total).toBe(maxFavorites);
  });
});
