import { beforeAll, expect, test } from "vitest";
import {
  DataEntityClassAndTypeDictionary,
  DataEntityList,
  DataEntityUsageInfo,
} from "#contract/catalogue/entity.ts";
import { DataEntityRefList } from "#contract/catalogue/entity-ref.ts";
import { dataEntityRoutes } from "#services/api/features/dataentities/routes.ts";
import { featureUnderTest } from "#test/support/http/feature.ts";
import { seedUsage } from "#test/support/seed/seed-usage.ts";
import * as seed from "#test/support/seed/seed.ts";

const { api, database } = featureUnderTest(dataEntityRoutes);
const ids: Record<string, number> = {};

beforeAll(async () => {
  const db = database.db;
  const sourceId = await seed.seedSource(db, { name: "warehouse", namespace: "sales" });
  ids.orders = await seed.seedEntity(db, {
    sourceId,
    name: "sales.order_items",
    catrn: "//w/orders äö//x",
    viewCount: 3,
  });
  ids.view = await seed.seedEntity(db, {
    sourceId,
    name: "revenue",
    type: "VIEW",
    classes: [1, 2],
    viewCount: 9,
    internalDescription: "told by hand",
  });
  ids.deleted = await seed.seedEntity(db, { name: "order gone", status: 5, viewCount: 99 });
  ids.excluded = await seed.seedEntity(db, { name: "order nested", excluded: true });
  ids.hollow = await seed.seedEntity(db, { catrn: "//w/hollow", hollow: true });
  ids.domain = await seed.seedEntity(db, { name: "Orders", type: "DOMAIN", manual: true });
  ids.tagged = await seed.seedEntity(db, { name: "tagged_job", type: "JOB" });
  await seed.seedTag(db, ids.tagged, "by hand", { origin: "INTERNAL" });
  await db.query("SELECT refresh_search_documents(array(SELECT id FROM data_entity))");
});

const idsOf = (items: { id: number }[]) => items.map((item) => item.id);

test("getDataEntityList 200: pages of what lists show, in order of id", async () => {
  const first = await api.get("/api/dataentities?page=1&size=3");
  expect(first.status).toBe(200);
  const list = DataEntityList.parse(first.json);
  expect(idsOf(list.items)).toEqual([ids.orders, ids.view, ids.domain]);
  expect(list.page_info).toEqual({ total: 4, hasNext: true });
  expect(list.items[0]!.data_source).toMatchObject({
    name: "warehouse",
    namespace: { name: "sales" },
  });
  expect(list.items[2]!.data_source).toBeNull();

  const last = await api.get("/api/dataentities?page=2&size=3");
  expect(idsOf(last.json.items)).toEqual([ids.tagged]);
  expect(last.json.page_info).toEqual({ total: 4, hasNext: false });
  const beyond = await api.get("/api/dataentities?page=2147483647&size=1000");
  expect(beyond.json).toEqual({ items: [], page_info: { total: 4, hasNext: false } });
});

test("getDataEntityList 200: catrn and its other spelling find exactly one", async () => {
  const name = encodeURIComponent("//w/orders äö//x");
  for (const key of ["catrn", "oddrn"]) {
    const found = await api.get(`/api/dataentities?page=1&size=10&${key}=${name}`);
    expect(idsOf(found.json.items)).toEqual([ids.orders]);
  }
  for (const hidden of ["//w/hollow", "//w/orders"]) {
    const none = await api.get(
      `/api/dataentities?page=1&size=10&catrn=${encodeURIComponent(hidden)}`,
    );
    expect(none.json.page_info.total).toBe(0);
  }
});

test("getDataEntityList 200: query finds names by words and beginnings of words", async () => {
  const found = async (query: string) => {
    const answer = await api.get(
      `/api/dataentities?page=1&size=10&query=${encodeURIComponent(query)}`,
    );
    expect(answer.status).toBe(200);
    return idsOf(answer.json.items);
  };
  expect(await found("ORDER")).toEqual([ids.orders, ids.domain]);
  expect(await found("item ord")).toEqual([ids.orders]);
  expect(await found("warehouse")).toEqual([]);
  expect(await found("told")).toEqual([]);
  expect(await found("*** '")).toEqual([]);
  expect(await found("  ")).toHaveLength(4);
});

test("getDataEntityList 400: paging, size and NUL are named", async () => {
  const wrong: [string, string][] = [
    ["/api/dataentities", "page"],
    ["/api/dataentities?page=0&size=1", "page"],
    ["/api/dataentities?page=1&size=1001", "size"],
    ["/api/dataentities?page=1&size=1&query=a%00", "query"],
    ["/api/dataentities?page=1&size=1&catrn=a%00", "catrn"],
  ];
  for (const [path, field] of wrong) {
    const answer = await api.get(path);
    expect(answer.status, path).toBe(400);
    expect(answer.json.details.map((d: { field: string }) => d.field).join()).toContain(field);
  }
});

test("getDataEntityClasses 200: every class with its types, and every type", async () => {
  const answer = await api.get("/api/dataentities/classes");
  expect(answer.status).toBe(200);
  const dictionary = DataEntityClassAndTypeDictionary.parse(answer.json);
  expect(dictionary.entity_classes).toHaveLength(9);
  const [row] = await database.db.query<{ json: unknown }>(
    "SELECT json_classes(array_agg(id)) AS json FROM entity_class",
  );
  const byId = (a: { id: number }, b: { id: number }) => a.id - b.id;
  const sorted = dictionary.entity_classes.map((c) => ({ ...c, types: c.types.toSorted(byId) }));
  expect(sorted).toEqual(row!.json);
});

test("getDataEntitiesUsage 200: counts by class and type, and what nobody filled", async () => {
  const answer = await api.get("/api/dataentities/usage");
  expect(answer.status).toBe(200);
  const usage = DataEntityUsageInfo.parse(answer.json);
  expect(usage.total_count).toBe(4);
  expect(usage.unfilled_count).toBe(1);
  const classes = Object.fromEntries(
    usage.data_entity_classes_info.map((c) => [c.entity_class.name, c.total_count]),
  );
  expect(classes).toMatchObject({ DATA_SET: 2, DATA_TRANSFORMER: 2, DATA_ENTITY_GROUP: 1 });
  expect(classes.DATA_CONSUMER).toBe(0);
  const datasets = usage.data_entity_classes_info[0]!.data_entity_types_info;
  expect(datasets.find((t) => t.entity_type.name === "TABLE")!.total_count).toBe(1);
  expect(datasets.find((t) => t.entity_type.name === "FILE")!.total_count).toBe(0);
});

test("getPopular 200: the most viewed first, a bare array", async () => {
  const answer = await api.get("/api/dataentities/popular?page=1&size=2");
  expect(answer.status).toBe(200);
  expect(idsOf(DataEntityRefList.parse(answer.json))).toEqual([ids.view, ids.orders]);
  const next = await api.get("/api/dataentities/popular?page=2&size=2");
  expect(idsOf(next.json), "what nobody viewed").toEqual([]);
});

test("getPopular 200: leaves out relationships and groups, however often they are viewed", async () => {
  const { db } = database;
  const key = await seed.seedEntity(db, {
    name: "orders_customer_fkey",
    type: "ENTITY_RELATIONSHIP",
    viewCount: 50,
  });
  await db.query("UPDATE data_entity SET view_count = 40 WHERE id = $1", [ids.domain]);
  const { json } = await api.get("/api/dataentities/popular?page=1&size=10");
  await db.query("DELETE FROM data_entity WHERE id = $1", [key]);
  await db.query("UPDATE data_entity SET view_count = 0 WHERE id = $1", [ids.domain]);
  expect(idsOf(json)).toEqual([ids.view, ids.orders]);
});

test("getPopular 200: what is read in its source counts as well as what is viewed", async () => {
  const { db } = database;
  const read = await seed.seedEntity(db, { name: "read_often" });
  await seedUsage(db, read, 1_000_000);
  const { json } = await api.get("/api/dataentities/popular?page=1&size=10");
  await db.query("DELETE FROM data_entity WHERE id = $1", [read]);
  expect(idsOf(json)).toEqual([read, ids.view, ids.orders]);
});

test("getPopular 400: page and size are required", async () => {
  expect((await api.get("/api/dataentities/popular")).status).toBe(400);
});
