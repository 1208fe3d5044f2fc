import { describe, expect, test } from "vitest";
import { TermDetails, TermRef, TermRefList } from "#contract/catalogue/terms.ts";
import { glossaryUnderTest } from "#services/api/features/terms/testing/harness.ts";
import * as dataset from "#test/support/seed/seed-dataset.ts";
import * as seed from "#test/support/seed/seed.ts";

const { api, database, make, form, named } = glossaryUnderTest();

const refused = async (call: Promise<{ status: number; json: { code: string } }>) => {
  const { status, json } = await call;
  return [status, json.code];
};

describe("createTerm", () => {
  test("200: with its namespace, made on the way; blanks around names dropped", async () => {
    const answer = await api.post("/api/terms", {
      name: " Net revenue ",
      namespace_name: " Finance ",
      definition: "What is **left**.\n",
    });
    expect(answer.status).toBe(200);
    expect(TermDetails.parse(answer.json)).toMatchObject({
      name: "Net revenue",
      definition: "What is **left**.",
      namespace: { name: "Finance" },
      ownership: [],
      tags: [],
      terms: [],
      entities_using_count: 0,
      columns_using_count: 0,
      linked_terms_using_count: 0,
      query_example_using_count: 0,
    });
    const other = await api.post("/api/terms", form("Gross revenue", "Finance"));
    expect(other.json.namespace).toEqual(answer.json.namespace);
    expect((await api.post("/api/terms", form("Net revenue", "Shop", ""))).status).toBe(200);
  });

  test("400 USR003: the namespace has a term of that name; nothing is made", async () => {
    await make("taken");
    const answer = await api.post("/api/terms", form("taken"));
    expect([answer.status, answer.json.code]).toEqual([400, "USR003"]);
    expect(answer.json.details).toMatchObject([{ field: "name" }]);
  });

  test.each<[string, Record<string, unknown>, string]>([
    ["no name", { name: undefined }, "name"],
    ["a blank name", { name: " " }, "name"],
    ["too long a name", { name: "x".repeat(256) }, "name"],
    ["no namespace", { namespace_name: null }, "namespace_name"],
    ["no definition", { definition: undefined }, "definition"],
    ["a definition that is no text", { definition: 7 }, "definition"],
    ["too long a definition", { definition: "x".repeat(100_001) }, "definition"],
    ["NUL", { definition: "a\0b" }, "definition"],
    ["half a surrogate pair", { name: "a\ud800" }, "name"],
    ["too many mentions", {
      definition: Array.from({ length: 501 }, (_, n) => `[[a:${n}]]`).join(""),
    }, "definition"],
  ])("400 USR001: %s", async (_, wrong, field) => {
    const answer = await api.post("/api/terms", { ...form("wrong", "nowhere"), ...wrong });
    expect([answer.status, answer.json.code]).toEqual([400, "USR001"]);
    expect(answer.json.details[0].field).toBe(field);
    expect((await named("nowhere", "wrong")).status).toBe(404);
  });

  test("two at once: one makes it, the other is told", async () => {
    for (const name of ["once a", "once b", "once c"]) {
      const calls = [1, 2, 3].map(() => api.post("/api/terms", form(name, `of ${name}`)));
      const answers = await Promise.all(calls);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    }
  });
});

describe("forms with the names that the document gives", () => {
  const base = { name: "documented" };

  test("200: namespace and description, when made and when changed", async () => {
    const made = await api.post("/api/terms", {
      ...base,
      namespace: "Named",
      description: "first",
    });
    expect([made.status, made.json.namespace.name, made.json.definition])
      .toEqual([200, "Named", "first"]);
    const path = `/api/terms/${made.json.id}`;
    const changed = await api.put(path, { ...base, namespace: "Named", description: "second" });
    expect(changed.json.definition).toBe("second");
    const both = {
      ...base,
      namespace: "Named",
      namespace_name: "Named",
      definition: "",
      description: "",
    };
    expect((await api.put(path, both)).json.definition).toBe("");
  });

  test.each([
    ["no namespace", { ...base, description: "" }, "namespace_name"],
    ["no definition", { ...base, namespace: "n" }, "definition"],
    [
      "two namespaces",
      { ...base, namespace: "n", namespace_name: "m", definition: "" },
      "namespace",
    ],
    [
      "two definitions",
      { ...base, namespace: "n", definition: "", description: "d" },
      "description",
    ],
    ["an empty namespace", { ...base, namespace: " ", definition: "" }, "namespace"],
  ])("400: %s", async (_, form, field) => {
    const { status, json } = await api.post("/api/terms", form);
    expect([status, json.details.map((d: { field: string }) => d.field)]).toEqual([400, [field]]);
  });
});

describe("getTermDetails, getTermByNamespaceAndName", () => {
  test("200; 404, 400", async () => {
    const made = await make("details");
    expect((await api.get(`/api/terms/${made}`)).json).toMatchObject({ id: made, name: "details" });
    expect((await api.get("/api/terms/999999")).json.code).toBe("USR002");
    expect((await api.get("/api/terms/one")).status).toBe(400);
  });

  test.each([
    ["a b", "c:d"],
    ["50% off/on", "what? #1 & more"],
    ["Ümläut", "数据"],
    ["...", "search"],
    ["+", "%2F"],
  ])("200: names are parts of the path, %s and %s", async (namespace, name) => {
    const id = await make(name, namespace);
    const answer = await named(namespace, name);
    expect(answer.status).toBe(200);
    expect(TermRef.parse(answer.json)).toMatchObject({ id, name, namespace: { name: namespace } });
  });

  test("404: another namespace, another name, and names that nothing can have", async () => {
    await make("exact", "letters");
    expect((await named("letters", "exacts")).status).toBe(404);
    expect((await named("other letters", "exact")).status).toBe(404);
    const nul = await api.get("/api/terms/namespaces/a%00b/names/c");
    expect([nul.status, nul.json.details[0].field]).toEqual([400, "namespace_name"]);
  });
});

describe("getTermsList", () => {
  const list = async (query: string) =>
    TermRefList.parse((await api.get(`/api/terms?page=1&size=50&${query}`)).json).items
      .map(({ name, namespace }) => `${namespace.name}:${name}`);

  test("200: by name, then by namespace; part of a name, letter by letter", async () => {
    await make("list_b", "n2");
    await make("list_b", "n1");
    await make("LIST_a", "n3");
    expect(await list("query=list_")).toEqual(["n3:LIST_a", "n1:list_b", "n2:list_b"]);
    const second = (await api.get("/api/terms?page=2&size=2&query=list_")).json;
    expect(second).toMatchObject({
      items: [{ name: "list_b", namespace: { name: "n2" } }],
      page_info: { total: 3, hasNext: false },
    });
  });

  test("200: changed last within a range, whose ends belong to it", async () => {
    const ids = [await make("range a"), await make("range b"), await make("range c")];
    const at = (day: number) => `2026-03-0${day}T00:00:00.000Z`;
    for (const [n, id] of ids.entries()) {
      await database.db.query("UPDATE term SET updated_at = $2 WHERE id = $1", [id, at(n + 1)]);
    }
    const [from, to] = ["updated_at_range_start_date_time", "updated_at_range_end_date_time"];
    const names = async (query: string) =>
      (await list(`query=range&${query}`)).map((name) => name.at(-1)).join("");
    expect(await names(`${from}=${at(2)}`)).toBe("bc");
    expect(await names(`${to}=${at(2)}`)).toBe("ab");
    expect(await names(`${from}=${at(2)}&${to}=${at(2)}`)).toBe("b");
    expect(await names(`${from}=${at(3)}&${to}=${at(1)}`)).toBe("");
    expect((await api.get(`/api/terms?page=1&size=9&${from}=yesterday`)).json.details[0].field)
      .toBe(from);
  });

  test("400: page and size are required", async () => {
    expect((await api.get("/api/terms")).status).toBe(400);
  });
});

describe("updateTerm", () => {
  test("200: all of it changes, and when; what is the same stays, with its time", async () => {
    const id = await make("before", "old");
    const first = (await api.get(`/api/terms/${id}`)).json;
    await database.db.query("UPDATE term SET updated_at = '2020-01-01' WHERE id = $1", [id]);
    const same = await api.put(`/api/terms/${id}`, form("before", "old"));
    expect(same.json.updated_at).toBe("2020-01-01T00:00:00.000Z");
    const answer = await api.put(`/api/terms/${id}`, form("after", "new", "other words"));
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({
      id,
      name: "after",
      namespace: { name: "new" },
      definition: "other words",
      created_at: first.created_at,
    });
    expect(answer.json.updated_at > "2021").toBe(true);
  });

  test("400 USR003: the name is another's there; 404: unknown; both change nothing", async () => {
    await make("another", "same");
    const id = await make("mine", "same");
    expect(await refused(api.put(`/api/terms/${id}`, form("another", "same"))))
      .toEqual([400, "USR003"]);
    expect((await api.get(`/api/terms/${id}`)).json.name).toBe("mine");
    expect(await refused(api.put("/api/terms/999999", form("x", "never made"))))
      .toEqual([404, "USR002"]);
    const made = "SELECT FROM namespace WHERE name = 'never made'";
    expect(await database.db.query(made)).toEqual([]);
  });
});

describe("deleteTerm", () => {
  test("204: everything that was linked loses it, then 404", async () => {
    const { db } = database;
    const [id, other] = [await make("doomed"), await make("spared")];
    const entity = await seed.seedEntity(db);
    const field = await dataset.seedField(db, entity, { catrn: "//f/doomed" });
    await api.post(`/api/dataentities/${entity}/terms`, { term_id: id });
    await api.post(`/api/terms/${id}/term`, { linked_term_id: other });
    await db.query("INSERT INTO field_term VALUES ($1, $2)", [field, id]);
    await api.put(`/api/terms/${id}/tags`, { tag_name_list: ["t"] });
    await api.post(`/api/terms/${id}/ownership`, { owner_name: "Ann", title_name: "Cook" });
    expect((await api.delete(`/api/terms/${id}`)).status).toBe(204);
    expect((await api.delete(`/api/terms/${id}`)).status).toBe(404);
    expect((await api.get(`/api/terms/${other}/linked_terms?page=1&size=9`)).json.items)
      .toEqual([]);
    for (const table of ["entity_term", "field_term", "term_link", "term_tag", "term_ownership"]) {
      expect([table, await db.query(`SELECT FROM ${table} WHERE term_id = $1`, [id])])
        .toEqual([table, []]);
    }
    const found = "SELECT FROM search_document WHERE vector @@ search_query('doomed')";
    expect(await db.query(found)).toEqual([]);
  });
});
