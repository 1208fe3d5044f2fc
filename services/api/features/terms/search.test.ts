import { beforeAll, describe, expect, test } from "vitest";
import { TermList, TermRefList } from "#contract/catalogue/terms.ts";
import { searchRoutes } from "#services/api/features/search/routes.ts";
import { glossaryUnderTest } from "#services/api/features/terms/testing/harness.ts";
import * as seed from "#test/support/seed/seed.ts";

const { api, database, form, make } = glossaryUnderTest(searchRoutes);

const ids: Record<string, number> = {};
beforeAll(async () => {
  ids.revenue = await make("netRevenue", "Finance", "What is left after returns");
  ids.churn = await make("Churn", "Sales", "Customers that left");
  ids.order = await make("order_line", "Sales", "One article of an order");
  for (const id of [ids.revenue, ids.churn]) {
    await api.put(`/api/terms/${id}/tags`, { tag_name_list: ["kpi"] });
  }
  await api.put(`/api/terms/${ids.order}/tags`, { tag_name_list: ["core", "kpi"] });
  await api.post(`/api/terms/${ids.churn}/ownership`, { owner_name: "Ann", title_name: "Cook" });
});

const start = async (query: string, filters: object = {}) =>
  (await api.post("/api/terms/search", { query, filters })).json;
const results = async (id: string, page = "page=1&size=9") =>
  TermList.parse((await api.get(`/api/terms/search/${id}/results?${page}`)).json);
const found = async (query: string, filters: object = {}) =>
  (await results((await start(query, filters)).search_id)).items.map(({ id }) => id);
const idOf = async (table: string, name: string) =>
  (await database.db.query<{ id: number }>(`SELECT id FROM ${table} WHERE name = $1`, [name]))[0]!
    .id;
const chosen = (entity_id: number, selected = true) => [{ entity_id, selected }];

describe("termSearch", () => {
  test("finds by name, definition, namespace, tags, owners and titles; names first", async () => {
    const { revenue, churn, order } = ids;
    expect(await found("revenue")).toEqual([revenue]);
    expect(await found("left")).toEqual([revenue, churn]);
    expect(await found("SALES")).toEqual([churn, order]);
    expect(await found("core")).toEqual([order]);
    expect(await found("ann")).toEqual([churn]);
    expect(await found("cook")).toEqual([churn]);
    expect(await found("lin ord")).toEqual([order]);
    expect(await found("nothing")).toEqual([]);
    expect(await found("")).toEqual([revenue, churn, order]);
    await make("article", "Goods");
    expect((await found("article"))[1]).toBe(order);
  });

  test("finds names without diacritics, by parts, and with their namespace; the exact one first", async () => {
    const cafe = await make("Café-Umsatz", "Gastronomie");
    await make("Café-Umsatz alt", "Gastronomie");
    const other = await make("Café-Umsatz", "Handel");
    expect((await found("cafe umsatz")).length).toBe(3);
    expect((await found("msatz")).length).toBe(3);
    expect((await found("Handel.Café-Umsatz"))[0]).toBe(other);
    expect((await found('"café-umsatz"')).slice(0, 2)).toEqual([cafe, other]);
    for (const id of [cafe, cafe + 1, other]) await api.delete(`/api/terms/${id}`);
  });

  test("narrows by facets, tells what is chosen, and keeps a session", async () => {
    const [kpi, sales] = [await idOf("tag", "kpi"), await idOf("namespace", "Sales")];
    const search = await start("", { tags: chosen(kpi), namespaces: chosen(sales) });
    expect(search).toEqual({
      search_id: expect.any(String),
      query: "",
      facet_state: {
        tags: [{ id: kpi, name: "kpi" }],
        namespaces: [{ id: sales, name: "Sales" }],
        owners: [],
      },
      total: 2,
      total_is_minimum: false,
    });
    const path = `/api/terms/search/${search.search_id}`;
    expect((await api.get(path)).json).toEqual(search);
    const owner = await idOf("owner", "Ann");
    const changed = await api.put(path, { query: "", filters: { owners: chosen(owner) } });
    expect(changed.json).toMatchObject({ total: 1, facet_state: { owners: [{ name: "Ann" }] } });
    const items = (await results(search.search_id)).items;
    expect(items).toMatchObject([{ id: ids.churn, ownership: [{ owner: { name: "Ann" } }] }]);
  });

  test("has values of tags, owners and namespaces; none of the other published facets", async () => {
    const { search_id } = await start("");
    const facet = (name: string, more = "") =>
      api.get(`/api/terms/search/${search_id}/facet/${name}?page=1&size=9${more}`);
    const values = async (name: string, more = "") =>
      (await facet(name, more)).json.map((one: { name: string; count: number }) => [
        one.name,
        one.count,
      ]);
    expect(await values("tags")).toEqual([["kpi", 3], ["core", 1]]);
    expect(await values("tags", "&query=COR")).toEqual([["core", 1]]);
    expect(await values("owners")).toEqual([["Ann", 1]]);
    expect((await values("namespaces"))[0]).toEqual(["Sales", 2]);
    for (const name of ["types", "groups", "statuses"]) expect(await values(name)).toEqual([]);
    expect((await facet("datasources")).json.details[0].field).toBe("facet_type");
    const unknown = `/api/terms/search/${crypto.randomUUID()}`;
    expect((await api.get(`${unknown}/facet/types?page=1&size=9`)).status).toBe(404);
    expect((await api.get(unknown)).status).toBe(404);
    expect((await api.get(`${unknown}/results?page=1&size=9`)).status).toBe(404);
    expect((await api.put(unknown, { query: "", filters: {} })).status).toBe(404);
  });

  test("has pages with true totals", async () => {
    const { search_id } = await start("kpi");
    const page = await results(search_id, "page=2&size=2");
    expect([page.items.length, page.page_info]).toEqual([1, { total: 3, hasNext: false }]);
    expect((await results(search_id, "page=1&size=2")).page_info.hasNext).toBe(true);
  });

  test("follows a change of a term in the same breath", async () => {
    const id = await make("ephemeral", "Sales", "first words");
    expect(await found("ephemeral first")).toEqual([id]);
    await api.put(`/api/terms/${id}`, form("lasting", "Finance", "second words"));
    expect(await found("ephemeral")).toEqual([]);
    expect(await found("lasting second finance")).toEqual([id]);
    await api.delete(`/api/terms/${id}`);
    expect(await found("lasting")).toEqual([]);
  });

  test("takes the longest definitions, names and tags that forms take", async () => {
    const words = Array.from({ length: 20_000 }, (_, n) => `w${n.toString(36)}`).join(" ");
    const id = await make("äB".repeat(127), "N".repeat(255), words.slice(0, 100_000));
    const tags = Array.from({ length: 100 }, (_, n) => `${n}${"ö".repeat(900)}`);
    expect((await api.put(`/api/terms/${id}/tags`, { tag_name_list: tags })).status).toBe(200);
    expect(await found("w5")).toContain(id);
    const wide = Array.from({ length: 25_000 }, (_, n) => String.fromCodePoint(0x20000 + n));
    expect((await api.put(`/api/terms/${id}`, form("wide", "w", wide.join(" ")))).status).toBe(200);
    expect(await found(wide[24_999]!)).toEqual([id]);
  });
});

describe("getTermSearchSuggestions", () => {
  test("200: at most five, the best first", async () => {
    for (let n = 0; n < 6; n++) await make(`suggest ${n}`, "Many");
    const suggest = async (query: string) =>
      TermRefList.parse((await api.get(`/api/terms/search/suggestions?query=${query}`)).json);
    const many = await suggest("sugg");
    expect([many.items.length, many.page_info]).toEqual([5, { total: 5, hasNext: false }]);
    expect((await suggest("order")).items).toMatchObject([{ name: "order_line" }]);
    expect((await suggest("")).items).toEqual([]);
  });
});

describe("the search over entities", () => {
  test("finds what people linked with a term by its name, and shows where", async () => {
    const { db } = database;
    const [linked, mentioning] = [await seed.seedEntity(db), await seed.seedEntity(db)];
    await api.post(`/api/dataentities/${linked}/terms`, { term_id: ids.churn });
    await db.query("INSERT INTO entity_mention VALUES ($1, 'Sales', 'Churn')", [mentioning]);
    await db.query("SELECT refresh_search_documents($1)", [[linked, mentioning]]);
    const search = (await api.post("/api/search", { query: "churn", filters: {} })).json.search_id;
    const { json } = await api.get(`/api/search/${search}/results?page=1&size=9`);
    expect(json.items.map(({ id }: { id: number }) => id)).toEqual([linked]);
    const marks = await api.get(`/api/search/${search}/data_entities/${linked}/highlights`);
    expect(marks.json.terms).toEqual([{ name: "<b>Churn</b>" }]);
    await api.post(`/api/terms/${ids.churn}/term`, { linked_term_id: ids.order });
    const { items } = await results((await start("sales")).search_id);
    const uses = items.map((one) => [
      one.name,
      one.entities_using_count,
      one.columns_using_count,
      one.linked_terms_using_count,
    ]);
    expect(uses).toEqual([["Churn", 2, 0, 1], ["order_line", 0, 0, 1]]);
  });
});
