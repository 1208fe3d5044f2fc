import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DataEntityList } from "#contract/catalogue/entity.ts";
import { DataEntityRefList } from "#contract/catalogue/entity-ref.ts";
import { uuidv7 } from "#kit/ids.ts";
import { entitySearch } from "#services/api/features/search/service.ts";
import { chosen, searchFixture } from "#services/api/features/search/testing/fixture.ts";
import { facetsDataOf, formOf } from "#services/api/search/operations.ts";
import { Search } from "#services/api/search/search.ts";
import * as seed from "#test/support/seed/seed.ts";

let at: Awaited<ReturnType<typeof searchFixture>>;
beforeAll(async () => void (at = await searchFixture()));
afterAll(() => at.close());

describe("search", () => {
  it("200: answers a session with totals and counts of every class", async () => {
    const answer = await at.start({ query: "order" });
    expect(answer.status).toBe(200);
    const data = answer.json;
    expect(facetsDataOf(entitySearch).parse(data)).toEqual(data);
    expect(data).toMatchObject({
      query: "order",
      total: 3,
      my_objects_total: 0,
      my_objects: false,
    });
    const counts = data.facet_state.entity_classes
      .map((c: { name: string; count: number }) => [c.name, c.count]);
    expect(counts).toContainEqual(["DATA_SET", 2]);
    expect(counts).toContainEqual(["DATA_TRANSFORMER", 1]);
    expect(counts).toContainEqual(["DATA_CONSUMER", 0]);
  });

  it("200: keeps only what is selected, and counts classes as if none were chosen", async () => {
    const { json } = await at.start({
      query: "order",
      filters: { entity_classes: chosen(2), types: chosen(5, false) },
    });
    expect(json.total).toBe(1);
    expect(json.facet_state.types).toEqual([]);
    const classes = json.facet_state.entity_classes;
    expect(classes).toContainEqual({ id: 1, name: "DATA_SET", count: 2, selected: false });
    expect(classes).toContainEqual({ id: 2, name: "DATA_TRANSFORMER", count: 1, selected: true });
  });

  it("400: filters missing, an unknown shape, too long a query", async () => {
    expect((await at.api.post("/api/search", { query: "x" })).status).toBe(400);
    expect((await at.start({ filters: { tags: [{ entity_id: 0, selected: true }] } })).status).toBe(
      400,
    );
    const long = await at.start({ query: "x".repeat(100_001) });
    expect(long.json.details[0].field).toBe("query");
  });

  it.each([
    `"'&|!():*<>\\`,
    "order:*",
    "'; DROP TABLE search_session; --",
    "😀",
    "a\u0000b \ud800",
    "%_\\",
    "ord ".repeat(499),
    "x".repeat(100_000),
    "ä".repeat(3_000),
  ])("200: any characters are safe: %j", async (query) => {
    const answer = await at.start({ query });
    expect(answer.status).toBe(200);
    const id = answer.json.search_id;
    for (const path of ["results", "facet/tags"]) {
      expect((await at.api.get(`/api/search/${id}/${path}?page=1&size=5`)).status).toBe(200);
    }
    const typed = encodeURIComponent(query.toWellFormed().slice(0, 4_000));
    expect((await at.api.get(`/api/search/suggestions?query=${typed}`)).status).toBe(200);
    const highlights = `/api/search/${id}/data_entities/${at.ids.orders}/highlights`;
    expect((await at.api.get(highlights)).status).toBe(200);
  });
});

describe("getSearchResults", () => {
  it("200: names before descriptions; deleted and excluded ones hidden", async () => {
    const result = await at.found(await at.begin({ query: "order" }));
    expect(result).toHaveLength(3);
    expect(result.at(-1)).toBe(at.ids.told);
    expect(new Set(result)).toEqual(new Set([at.ids.orders, at.ids.job, at.ids.told]));
  });

  it("200: all words must be there, each by its beginning", async () => {
    expect(await at.found(await at.begin({ query: "ite ORD" }))).toEqual([at.ids.orders]);
    expect(await at.found(await at.begin({ query: "order nowhere" }))).toEqual([]);
  });

  it("200: pages that tell the truth of what follows", async () => {
    const id = await at.begin({});
    const first = await at.api.get(`/api/search/${id}/results?page=1&size=3`);
    expect(DataEntityList.parse(first.json).page_info).toEqual({ total: 4, hasNext: true });
    const last = await at.api.get(`/api/search/${id}/results?page=2&size=3`);
    expect(last.json.page_info).toEqual({ total: 4, hasNext: false });
    expect(last.json.items.map((item: { id: number }) => item.id)).toEqual([at.ids.domain]);
  });

  it("200: a CATRN that is pasted finds its entity first", async () => {
    const catrn = "//pasted/host/h/tables/Über-Order";
    const id = await seed.seedEntity(at.database.db, { catrn, name: "pasted", type: "API_CALL" });
    await seed.seedEntity(at.database.db, { catrn: `${catrn}/hollow`, hollow: true });
    const own = { entity_classes: chosen(7) };
    expect(await at.found(await at.begin({ query: ` ${catrn} `, filters: own }))).toEqual([id]);
    expect(await at.found(await at.begin({ query: `${catrn}/hollow` }))).toEqual([]);
    expect(await at.found(await at.begin({ query: "//order_items" }))).toEqual([at.ids.orders]);
    await at.database.db.query("DELETE FROM data_entity WHERE catrn LIKE $1", [`${catrn}%`]);
  });

  it("200: status DELETED makes deleted ones visible", async () => {
    const id = await at.begin({ query: "order", filters: { statuses: chosen(5) } });
    expect(await at.found(id)).toEqual([at.ids.gone]);
  });

  it("200: each facet narrows", async () => {
    const { db } = at.database;
    const namespaceId = await at.idOf("namespace", "finance");
    const cases: [string, number, number[]][] = [
      ["types", 5, [at.ids.job!]],
      ["entity_classes", 8, [at.ids.domain!]],
      ["tags", await at.idOf("tag", "pii"), [at.ids.orders!, at.ids.told!]],
      ["namespaces", namespaceId, [at.ids.told!]],
      ["datasources", await at.idOf("data_source", "audit"), [at.ids.told!]],
      ["owners", await at.idOf("owner", "Data Team"), [at.ids.orders!]],
      ["groups", at.ids.domain!, [at.ids.orders!]],
      ["statuses", 1, [at.ids.orders!, at.ids.job!, at.ids.told!, at.ids.domain!]],
      ["types", 9_000_000_000, []],
    ];
    for (const [facet, id, expected] of cases) {
      expect(await at.found(await at.begin({ filters: { [facet]: chosen(id) } })), facet).toEqual(
        expected,
      );
    }
    expect(await db.query("SELECT FROM search_session")).not.toHaveLength(0);
  });

  it("my_objects are what the caller's owner owns", async () => {
    const { db } = at.database;
    await db.query(
      "INSERT INTO user_owner (username, owner_id) SELECT 'ada', id FROM owner WHERE name = $1",
      ["Data Team"],
    );
    const actor = { kind: "user", name: "ada", provider: "" } as const;
    const form = formOf(entitySearch).parse({ query: "order", my_objects: true, filters: {} });
    const search = new Search(at.context, entitySearch);
    const data = JSON.parse(await search.start(actor, form));
    expect(data).toMatchObject({ total: 3, my_objects_total: 1, my_objects: true });
    const page = { page: 1, size: 9 };
    const list = JSON.parse(await search.results(actor, data.search_id, page));
    expect(list.page_info.total).toBe(1);
    expect(list.items[0].id).toBe(at.ids.orders);
  });

  it("200: my_objects of an anonymous actor are none", async () => {
    expect(await at.found(await at.begin({ my_objects: true }))).toEqual([]);
  });

  it("404 unknown, 400 not a UUID or without a page", async () => {
    expect((await at.api.get(`/api/search/${uuidv7()}/results?page=1&size=1`)).status).toBe(404);
    expect((await at.api.get("/api/search/17/results?page=1&size=1")).status).toBe(400);
    expect((await at.api.get(`/api/search/${await at.begin({})}/results`)).status).toBe(400);
  });
});

describe("getSearchSuggestions", () => {
  it("200: the best matches first, of a class or made by hand when asked", async () => {
    const suggest = async (more: string) =>
      DataEntityRefList.parse((await at.api.get(`/api/search/suggestions?${more}`)).json)
        .map((ref) => ref.id);
    expect((await suggest("query=order")).at(-1)).toBe(at.ids.told);
    expect(await suggest("query=order&entity_class_id=2")).toEqual([at.ids.job]);
    expect(await suggest("query=comm&manually_created=true")).toEqual([at.ids.domain]);
    expect(await suggest("query=comm&manually_created=false")).toEqual([]);
    expect(await suggest("query=%20")).toEqual([]);
    expect(await suggest("")).toEqual([]);
  });

  it("400: a class that is no number", async () => {
    const answer = await at.api.get("/api/search/suggestions?query=a&entity_class_id=TABLE");
    expect(answer.status).toBe(400);
  });
});
