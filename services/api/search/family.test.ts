import { z } from "@hono/zod-openapi";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pageOf } from "#contract/catalogue/common.ts";
import { Id } from "#contract/http.ts";
import type { Context } from "#platform/context.ts";
import type { SearchFamily } from "#services/api/search/family.ts";
import { familyRoutes } from "#services/api/search/search.ts";
import { type TestApi, testApi, testContext } from "#test/support/http/api.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { seedNamespace } from "#test/support/seed/seed.ts";

const Gadget = z.object({ id: Id, name: z.string() }).openapi("Gadget");

/** Gadgets as JSON, in the order of `ids`. */
const gadgets = (ids: string) => `
  (SELECT coalesce(json_agg(json_build_object('id', g.id, 'name', g.name) ORDER BY f.n), '[]')
     FROM unnest(${ids}) WITH ORDINALITY AS f (id, n) JOIN gadget g ON g.id = f.id)`;

/** A complete search family with facets. */
const gadgetSearch: SearchFamily = {
  name: "gadgets",
  schemas: "Gadget",
  tag: "gadgets",
  path: "/api/gadgets/search",
  operations: {
    start: "gadgetSearch",
    read: "getGadgetSearch",
    change: "updateGadgetSearch",
    facet: "getGadgetFacet",
    results: "getGadgetResults",
    suggestions: "getGadgetSuggestions",
  },
  table: "gadget",
  document: { table: "gadget_words", key: "gadget_id" },
  shown: () => ["NOT e.hidden"],
  facets: new Map([
    ["namespaces", {
      holds: (ids) => `e.namespace_id = ANY(${ids}::bigint[])`,
      value: "e.namespace_id",
      names: "SELECT id, name FROM namespace",
    }],
    ["colours", {
      holds: (ids) => `e.colours && ${ids}::bigint[]`,
      join: "CROSS JOIN LATERAL unnest(e.colours) AS x (colour)",
      value: "x.colour",
      names: "SELECT * FROM (VALUES (1, 'red'), (2, 'blue')) AS c (id, name)",
    }],
  ]),
  results: {
    schema: pageOf("GadgetList", Gadget),
    json: ({ ids, total, hasNext }) =>
      `SELECT json_build_object('items', ${gadgets(ids)},
         'page_info', json_build_object('total', ${total}, 'hasNext', ${hasNext}))`,
  },
  suggestions: { max: 3, schema: z.array(Gadget), json: ({ ids }) => gadgets(ids) },
};

/** A search family without facets, which keeps its search documents in its own table. */
const noteSearch: SearchFamily = {
  name: "notes",
  schemas: "Note",
  tag: "notes",
  path: "/api/notes/search",
  operations: { start: "noteSearch", read: "getNotes", change: "updateNotes", results: "noteList" },
  table: "note",
  document: { table: "note", key: "id" },
  shown: () => [],
  facets: new Map(),
  results: {
    schema: z.object({ ids: z.array(Id), total: z.number() }),
    json: ({ ids, total }) => `json_build_object('ids', ${ids}, 'total', ${total})`,
  },
};

let database: TestDatabase;
let context: Context;
let api: TestApi;
let namespaces: number[];
beforeAll(async () => {
  database = await testDatabase();
  context = testContext(database);
  api = testApi(
    [...familyRoutes(context, gadgetSearch), ...familyRoutes(context, noteSearch)],
    context,
  );
  namespaces = [
    await seedNamespace(database.db, "sales"),
    await seedNamespace(database.db, "finance"),
  ];
  await database.db.query(
    `CREATE TABLE gadget (id bigint PRIMARY KEY, name text, namespace_id bigint, colours bigint[], hidden boolean)`,
  );
  await database.db.query("CREATE TABLE gadget_words (gadget_id bigint, vector tsvector)");
  await database.db.query(
    `INSERT INTO gadget VALUES (1, 'hand_drill', $1, '{1}', false), (2, 'drillPress', $2, '{1,2}', false),
       (3, 'saw', $1, '{2}', false), (4, 'secret drill', $1, '{1}', true)`,
    namespaces,
  );
  await database.db.query(
    `INSERT INTO gadget_words SELECT id, setweight(to_tsvector('simple', search_words(concat_ws(' ', name, search_camel(name)))), 'A') FROM gadget`,
  );
  await database.db.query(
    "CREATE TABLE note (id bigint PRIMARY KEY, said text, vector tsvector NOT NULL)",
  );
  await database.db.query(
    `INSERT INTO note SELECT id, said, to_tsvector('simple', search_words(said))
       FROM (VALUES (1, 'buy milk'), (2, 'sell milk'), (3, 'rest')) AS n (id, said)`,
  );
});
afterAll(async () => {
  await context.wakeups.close();
  await database.drop();
});

const chosen = (entity_id: number, selected = true) => [{ entity_id, selected }];
const start = (form: object) => api.post("/api/gadgets/search", { filters: {}, ...form });
const names = async (id: string, page = "page=1&size=9") =>
  (await api.get(`/api/gadgets/search/${id}/results?${page}`)).json.items
    .map((item: { name: string }) => item.name);

describe("a family that is described", () => {
  it("has sessions: started, read, and changed by what is chosen", async () => {
    const { status, json } = await start({
      query: "drill",
      filters: { namespaces: chosen(namespaces[0]!) },
    });
    expect(status).toBe(200);
    expect(json).toEqual({
      search_id: expect.any(String),
      query: "drill",
      facet_state: { namespaces: [{ id: namespaces[0], name: "sales" }], colours: [] },
      total: 1,
      total_is_minimum: false,
    });
    const path = `/api/gadgets/search/${json.search_id}`;
    expect((await api.get(path)).json).toEqual(json);
    const changed = await api.put(path, {
      query: "drill",
      filters: { namespaces: chosen(namespaces[0]!, false), colours: chosen(2) },
    });
    expect(changed.json).toMatchObject({
      facet_state: { namespaces: [], colours: [{ id: 2, name: "blue" }] },
      total: 1,
      total_is_minimum: false,
    });
    expect(await names(json.search_id)).toEqual(["drillPress"]);
  });

  it("has facets, counted under what else is chosen", async () => {
    const facet = async (id: string, name: string, more = "") =>
      (await api.get(`/api/gadgets/search/${id}/facet/${name}?page=1&size=9${more}`)).json;
    const { json: { search_id: id } } = await start({ query: "drill" });
    expect(await facet(id, "colours")).toEqual([
      { id: 1, name: "red", count: 2, selected: false },
      { id: 2, name: "blue", count: 1, selected: false },
    ]);
    expect(await facet(id, "namespaces", "&query=FIN")).toMatchObject([{ name: "finance" }]);
    expect((await api.get(`/api/gadgets/search/${id}/facet/owners?page=1&size=9`)).status).toBe(
      400,
    );
  });

  it("has pages of results, what is hidden left out", async () => {
    const { json: { search_id: id, total } } = await start({});
    expect(total).toBe(3);
    expect(await names(id, "page=2&size=2")).toEqual(["saw"]);
    const first = await api.get(`/api/gadgets/search/${id}/results?page=1&size=2`);
    expect(first.json.page_info).toEqual({ total: 3, hasNext: true });
  });

  it("has suggestions", async () => {
    const suggest = async (query: string) =>
      (await api.get(`/api/gadgets/search/suggestions?query=${query}`)).json;
    expect(await suggest("press")).toEqual([{ id: 2, name: "drillPress" }]);
    expect(await suggest("secret")).toEqual([]);
  });

  it("bounds its sessions as any other", async () => {
    const many = Array.from({ length: 1_000 }, (_, i) => ({ entity_id: i + 1, selected: true }));
    const refused = await start({ filters: { colours: many, namespaces: chosen(1) } });
    expect(refused.status).toBe(400);
    expect(refused.json.details).toMatchObject([{ field: "filters.colours" }]);
  });

  it("may have nothing but words", async () => {
    const { json } = await api.post("/api/notes/search", { query: "milk" });
    expect(json).toEqual({
      search_id: expect.any(String),
      query: "milk",
      total: 2,
      total_is_minimum: false,
    });
    const path = `/api/notes/search/${json.search_id}`;
    expect((await api.put(path, { query: "sell" })).json).toMatchObject({ total: 1 });
    expect((await api.get(`${path}/results?page=1&size=9`)).json).toEqual({ ids: [2], total: 1 });
    expect(familyRoutes(context, noteSearch).map(({ spec }) => spec.id).sort())
      .toEqual(Object.values(noteSearch.operations).sort());
  });

  it("knows no session of another family", async () => {
    const { json: { search_id: id } } = await start({});
    expect((await api.get(`/api/notes/search/${id}`)).status).toBe(404);
  });

  it("reads a session of a release that knew other facets", async () => {
    const { json: { search_id: id } } = await start({ filters: { colours: chosen(2) } });
    await database.db.query(
      `UPDATE search_session SET state = state #- '{filters,namespaces}'
          || jsonb_build_object('sizes', '[]'::jsonb) WHERE id = $1`,
      [id],
    );
    expect((await api.get(`/api/gadgets/search/${id}`)).json).toMatchObject({
      facet_state: { namespaces: [], colours: [{ id: 2 }] },
      total: 2,
      total_is_minimum: false,
    });
  });
});
