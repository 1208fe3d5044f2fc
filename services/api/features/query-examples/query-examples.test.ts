import { describe, expect, test } from "vitest";
import { queryExamplesUnderTest } from "#services/api/features/query-examples/testing/harness.ts";
import { seedEntity } from "#test/support/seed/seed.ts";
import { seedAnyTerm } from "#test/support/seed/seed-assets.ts";

const { api, database, make, list, found, details, attach } = queryExamplesUnderTest();
const path = "/api/queryexample";
const nobody = 999_999_999;

describe("createQueryExamples and updateQueryExample", () => {
  test("200: texts as given but for blanks around them, without links", async () => {
    const form = { definition: "  Revenue a day\n", query: "SELECT day, sum(x)\n  FROM o\n" };
    const { status, json } = await api.post(path, form);
    expect([status, json]).toEqual([200, {
      id: expect.any(Number),
      definition: "Revenue a day",
      query: "SELECT day, sum(x)\n  FROM o",
      linked_entities: { items: [], page_info: { total: 0, hasNext: false } },
      linked_terms: { items: [], page_info: { total: 0, hasNext: false } },
      created_at: expect.any(String),
      updated_at: expect.any(String),
    }]);
    const changed = await api.put(`${path}/${json.id}`, { definition: "Turnover", query: "q" });
    expect(changed.json).toMatchObject({ id: json.id, definition: "Turnover", query: "q" });
    expect(changed.json.created_at).toBe(json.created_at);
    expect(await details(json.id)).toEqual(changed.json);
    expect([await found("revenue"), await found("turnov")]).toEqual([[], ["Turnover"]]);
  });

  test.each<[string, object, string]>([
    ["no definition", { query: "q" }, "definition"],
    ["a blank query", { definition: "d", query: " \n " }, "query"],
    ["NUL", { definition: "d", query: "a\0b" }, "query"],
    ["half a surrogate pair", { definition: "\ud800", query: "q" }, "definition"],
    ["too long a definition", { definition: "x".repeat(10_001), query: "q" }, "definition"],
    ["too long a query", { definition: "d", query: "x".repeat(30_001) }, "query"],
  ])("400: %s, and nothing is stored", async (_, form, field) => {
    const id = await make("stays as it is");
    const before = (await list()).page_info.total;
    for (const answer of [await api.post(path, form), await api.put(`${path}/${id}`, form)]) {
      expect([answer.status, answer.json.code, answer.json.details[0].field])
        .toEqual([400, "USR001", field]);
    }
    expect((await list()).page_info.total).toBe(before);
    expect((await details(id)).definition).toBe("stays as it is");
  });

  test("the longest texts are stored and found, whatever their letters", async () => {
    const words = Array.from({ length: 4_000 }, (_, n) => `wörd${n}`).join(" ").slice(0, 29_000);
    const definition = "語".repeat(9_900);
    const id = await make(definition, `${words} lastWordOfAll`);
    expect(await found("lastWord")).toEqual([definition]);
    expect((await api.delete(`${path}/${id}`)).status).toBe(204);
  });

  test("404: unknown", async () => {
    expect((await api.get(`${path}/${nobody}`)).status).toBe(404);
    const form = { definition: "d", query: "q" };
    expect((await api.put(`${path}/${nobody}`, form)).status).toBe(404);
  });
});

describe("deleteQueryExample", () => {
  test("204: it is gone with its links, what it was attached to stays; then 404", async () => {
    const [entity, term] = [await seedEntity(database.db), await seedAnyTerm(database.db)];
    const id = await make("doomed one");
    await attach("dataentities", entity, id);
    await attach("terms", term, id);
    expect((await api.delete(`${path}/${id}`)).status).toBe(204);
    expect((await api.get(`${path}/dataset/${entity}`)).json.items).toEqual([]);
    expect((await api.get(`${path}/term/${term}`)).json.items).toEqual([]);
    expect(await found("doomed")).toEqual([]);
    expect((await api.delete(`${path}/${id}`)).status).toBe(404);
  });
});

describe("getQueryExampleList", () => {
  test("200: pages in order of ids, all or those with every word", async () => {
    for (const name of ["paged alpha", "paged beta", "paged gamma"]) await make(name);
    const page = async (query: string) => (await api.get(`${path}?${query}`)).json;
    const first = await page("page=1&size=2&query=PAGED");
    expect(first.items.map((i: { definition: string }) => i.definition))
      .toEqual(["paged alpha", "paged beta"]);
    expect(first.page_info).toEqual({ total: 3, hasNext: true });
    const last = await page("page=2&size=2&query=paged");
    expect(last).toMatchObject({
      items: [{ definition: "paged gamma" }],
      page_info: { total: 3, hasNext: false },
    });
    expect(await found("gam pag")).toEqual(["paged gamma"]);
    expect(await found(";--'\"")).toEqual([]);
    const all = await list();
    expect(all.items.map(({ id }) => id)).toEqual(
      all.items.map(({ id }) => id).sort((a, b) => a - b),
    );
    expect((await page("page=1&size=1&query=%20")).page_info).toEqual({
      total: all.page_info.total,
      hasNext: true,
    });
  });

  test("400: page and size are required", async () => {
    expect((await api.get(path)).status).toBe(400);
  });
});
