import { beforeAll, expect, test } from "vitest";
import { DataEntityList } from "#contract/catalogue/entity.ts";
import { directoryRoutes } from "#services/api/features/directory/routes.ts";
import { featureUnderTest } from "#test/support/http/feature.ts";
import * as seed from "#test/support/seed/seed.ts";

const { api, database } = featureUnderTest(directoryRoutes);
let shop: number;
let table: number;

beforeAll(async () => {
  const db = database.db;
  shop = await seed.seedSource(db, {
    catrn: "//postgresql/host/db1.local/databases/shop",
    name: "shop",
  });
  await seed.seedSource(db, { catrn: "//postgresql/host/db2/databases/audit", name: "audit" });
  await seed.seedSource(db, { catrn: "//kafka/host/b1/", name: "events" });
  await seed.seedSource(db, { catrn: "home-made", name: "odd one" });
  table = await seed.seedEntity(db, { sourceId: shop });
  await seed.seedEntity(db, { sourceId: shop, type: "VIEW" });
  await seed.seedEntity(db, { sourceId: shop, status: 5, type: "JOB" });
  await seed.seedEntity(db, { sourceId: shop, excluded: true, type: "FILE" });
});

test("getDataSourceTypes 200: systems by the prefix of CATRNs, counting what lists show", async () => {
  const answer = await api.get("/api/directory");
  expect(answer.status).toBe(200);
  expect(answer.json.items).toEqual([
    { prefix: "home-made", name: "home-made", entities_count: 0 },
    { prefix: "kafka", name: "Kafka", entities_count: 0 },
    { prefix: "postgresql", name: "PostgreSQL", entities_count: 2 },
  ]);
});

test("getDirectoryDatasourceList 200: the sources of one system with their properties", async () => {
  const answer = await api.get("/api/directory/datasources?prefix=postgresql");
  expect(answer.json).toMatchObject({
    entities_count: 2,
    items: [
      { name: "audit", entities_count: 0, properties: { host: "db2", databases: "audit" } },
      { id: shop, properties: { host: "db1.local", databases: "shop" }, entities_count: 2 },
    ],
  });
});

test("getDirectoryDatasourceList 200: none of an unknown system", async () => {
  const answer = await api.get("/api/directory/datasources?prefix=constructor");
  expect(answer.json).toEqual({ items: [], entities_count: 0 });
});

test("getDirectoryDatasourceList 400: no prefix", async () => {
  expect((await api.get("/api/directory/datasources")).status).toBe(400);
  expect((await api.get("/api/directory/datasources?prefix=%00")).status).toBe(400);
});

test("getDatasourceEntityTypes 200: each type once", async () => {
  const answer = await api.get(`/api/directory/datasources/${shop}/types`);
  expect(answer.json).toEqual([{ id: 1, name: "TABLE" }, { id: 11, name: "VIEW" }]);
});

test("getDatasourceEntityTypes 404: unknown", async () => {
  expect((await api.get("/api/directory/datasources/999999/types")).status).toBe(404);
});

test("getDatasourceEntities 200: pages of all types or of one, the token hidden", async () => {
  const all = await api.get(`/api/directory/datasources/${shop}?page=1&size=1`);
  const list = DataEntityList.parse(all.json.entities);
  expect(list.items.map((item) => item.id)).toEqual([table]);
  expect(list.page_info).toEqual({ total: 2, hasNext: true });
  expect(all.json.data_source).toMatchObject({ id: shop, token: null });
  const views = await api.get(`/api/directory/datasources/${shop}?page=1&size=9&type_id=11`);
  expect(views.json.entities.page_info).toEqual({ total: 1, hasNext: false });
});

test("getDatasourceEntities 404 unknown, 400 without a page or with a wrong type", async () => {
  expect((await api.get("/api/directory/datasources/999999?page=1&size=1")).status).toBe(404);
  expect((await api.get(`/api/directory/datasources/${shop}`)).status).toBe(400);
  const wrong = await api.get(`/api/directory/datasources/${shop}?page=1&size=1&type_id=TABLE`);
  expect(wrong.status).toBe(400);
});
