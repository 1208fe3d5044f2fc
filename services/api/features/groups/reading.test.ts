import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DataEntityList } from "#contract/catalogue/entity.ts";
import type { Context } from "#platform/context.ts";
import { groupRoutes } from "#services/api/features/groups/routes.ts";
import { type TestApi, testApi, testContext } from "#test/support/http/api.ts";
import { group, insertEntities, insertMembers } from "#test/support/seed/catalogue.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";

let t: TestDatabase;
let context: Context;
let api: TestApi;
let ids: Record<string, number>;
beforeAll(async () => {
  t = await testDatabase();
  context = testContext(t);
  api = testApi(groupRoutes(context), context);
  ids = await insertEntities(t.db, [
    group("Alpha"),
    group("beta"),
    { ...group("gone"), status: 5 },
    { ...group("run", false), type: 17 },
    "Orders",
    "order_items",
    { name: "deleted", status: 5 },
    { name: "hollow", hollow: true },
  ]);
  const { Alpha, beta, run, Orders, order_items, deleted, hollow } = ids as Record<string, number>;
  await insertMembers(t.db, [
    [beta!, Alpha!],
    [Alpha!, run!],
    [Alpha!, Orders!],
    [Alpha!, order_items!],
    [Alpha!, deleted!],
    [Alpha!, hollow!],
  ]);
  await insertMembers(t.db, [[Alpha!, Orders!]], "PARENT");
});
afterAll(async () => {
  await context.wakeups.close();
  await t.drop();
});

describe("getDomains", () => {
  it("200: live domains by name with the number of their live members", async () => {
    const answer = await api.get("/api/dataentitygroups/domains");
    expect(answer.status).toBe(200);
    expect(
      answer.json.items.map((i: { domain: { id: number }; children_count: number }) => [
        i.domain.id,
        i.children_count,
      ]),
    ).toEqual([[ids.Alpha, 3], [ids.beta, 1]]);
  });
});

describe("getDataEntityGroupsChildren", () => {
  it("200: only members that are groups", async () => {
    const answer = await api.get(`/api/dataentitygroups/${ids.Alpha}/children?page=1&size=10`);
    expect(answer.status).toBe(200);
    const list = DataEntityList.parse(answer.json);
    expect(list.items.map((item) => item.id)).toEqual([ids.run]);
    expect(list.page_info).toEqual({ total: 1, hasNext: false });
  });

  it("400: without page, or with a size over the maximum", async () => {
    const path = `/api/dataentitygroups/${ids.Alpha}/children`;
    expect((await api.get(`${path}?size=1`)).status).toBe(400);
    expect((await api.get(`${path}?page=1&size=1001`)).status).toBe(400);
  });

  it("404: an entity that is no group", async () => {
    const answer = await api.get(`/api/dataentitygroups/${ids.Orders}/children?page=1&size=1`);
    expect(answer.status).toBe(404);
  });
});

describe("getDataEntityGroupsItems", () => {
  const items = (query: string) => api.get(`/api/dataentitygroups/${ids.Alpha}/items?${query}`);
  const shown = (json: { items: { is_upper_group: boolean; data_entity: { id: number } }[] }) =>
    json.items.map((item) => [item.is_upper_group, item.data_entity.id]);

  it("200: upper groups, then visible members once each, in pages", async () => {
    const first = await items("page=1&size=2");
    expect(first.status).toBe(200);
    expect(shown(first.json)).toEqual([[true, ids.beta], [false, ids.run]]);
    expect(first.json).toMatchObject({
      entities_count: 3,
      upper_groups_count: 1,
      page_info: { total: 4, hasNext: true },
    });
    const second = await items("page=2&size=2");
    expect(shown(second.json)).toEqual([[false, ids.Orders], [false, ids.order_items]]);
    expect(second.json.page_info).toEqual({ total: 4, hasNext: false });
  });

  it("200: by part of a name in any case, taken literally", async () => {
    expect(shown((await items("page=1&size=9&query=ORDER")).json))
      .toEqual([[false, ids.Orders], [false, ids.order_items]]);
    expect(shown((await items("page=1&size=9&query=r_i")).json)).toEqual([[
      false,
      ids.order_items,
    ]]);
    expect((await items("page=1&size=9&query=%25")).json.page_info.total).toBe(0);
  });

  it("400: a query with NUL", async () => {
    expect((await items("page=1&size=9&query=%00")).status).toBe(400);
  });

  it("404: an unknown group", async () => {
    const answer = await api.get("/api/dataentitygroups/999999999/items?page=1&size=1");
    expect([answer.status, answer.json.code]).toEqual([404, "USR002"]);
  });
});
