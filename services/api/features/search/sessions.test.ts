import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { uuidv7 } from "#kit/ids.ts";
import { DataEntitySearchHighlight } from "#services/api/features/search/routes.ts";
import { chosen, searchFixture } from "#services/api/features/search/testing/fixture.ts";
import * as seed from "#test/support/seed/seed.ts";
import * as structure from "#test/support/seed/seed-dataset.ts";

let at: Awaited<ReturnType<typeof searchFixture>>;
beforeAll(async () => void (at = await searchFixture()));
afterAll(() => at.close());

describe("getSearchFacetList", () => {
  it("200: what is chosen, by the names it has now", async () => {
    const tag = await at.idOf("tag", "pii");
    const id = await at.begin({
      filters: {
        tags: chosen(tag),
        owners: [{ entity_id: 999_999, entity_name: "Gone", selected: true }],
        statuses: chosen(2),
      },
    });
    const { json } = await at.api.get(`/api/search/${id}`);
    expect(json.facet_state).toMatchObject({
      tags: [{ id: tag, name: "pii" }],
      owners: [{ id: 999_999, name: "Gone" }],
      statuses: [{ id: 2, name: "DRAFT" }],
    });
  });

  it("404: unknown, or not used for longer than sessions live", async () => {
    expect((await at.api.get(`/api/search/${uuidv7()}`)).status).toBe(404);
    const id = await at.begin({});
    const age = (days: number) =>
      at.database.db.query(
        "UPDATE search_session SET last_accessed = now() - $2 * interval '1 day' WHERE id = $1",
        [id, days],
      );
    await age(29);
    expect((await at.api.get(`/api/search/${id}`)).status).toBe(200);
    await age(31);
    expect((await at.api.get(`/api/search/${id}`)).status).toBe(404);
  });

  it("counts as a use", async () => {
    const id = await at.begin({});
    await at.database.db.query(
      "UPDATE search_session SET last_accessed = now() - interval '3 days' WHERE id = $1",
      [id],
    );
    await at.api.get(`/api/search/${id}/results?page=1&size=1`);
    const recent = await at.database.db.query(
      "SELECT FROM search_session WHERE id = $1 AND last_accessed > now() - interval '1 hour'",
      [id],
    );
    expect(recent).toHaveLength(1);
  });

  it("400: not a UUID", async () => {
    expect((await at.api.get("/api/search/latest")).status).toBe(400);
  });
});

describe("updateSearchFacets", () => {
  it("200: adds what is selected, takes away the rest, replaces the query", async () => {
    const id = await at.begin({ query: "order", filters: { types: [...chosen(1), ...chosen(5)] } });
    const answer = await at.api.put(`/api/search/${id}`, {
      filters: { types: chosen(1, false), statuses: chosen(1) },
    });
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({ query: "", my_objects: false, total: 1 });
    expect(answer.json.facet_state).toMatchObject({
      types: [{ id: 5, name: "JOB" }],
      statuses: [{ id: 1, name: "UNASSIGNED" }],
    });
    expect(await at.found(id)).toEqual([at.ids.job]);
  });

  it("400: a session holds so many values and no more, however they come", async () => {
    const some = (from: number, count: number, entity_name = "n") =>
      Array.from({ length: count }, (_, i) => ({
        entity_id: from + i,
        entity_name,
        selected: true,
      }));
    const id = await at.begin({ filters: { tags: some(1, 600) } });
    const put = (filters: object) => at.api.put(`/api/search/${id}`, { filters });
    expect((await put({ tags: some(1, 600), owners: some(1, 400) })).status).toBe(200);
    const refused = await put({ groups: some(1, 1) });
    expect(refused.status).toBe(400);
    expect(refused.json.details).toMatchObject([{ field: "filters.groups" }]);
    expect((await put({ groups: some(1, 1), tags: chosen(1, false) })).status).toBe(200);
    const { json } = await at.api.get(`/api/search/${id}`);
    expect(json.facet_state.tags).toHaveLength(599);
    expect(json.facet_state.groups).toHaveLength(1);
  });

  it("400: a new search is bounded as one that was changed", async () => {
    const entity_name = "ä".repeat(100_000);
    const some = (count: number) =>
      Array.from({ length: count }, (_, i) => ({ entity_id: i + 1, entity_name, selected: true }));
    const long = await at.start({ filters: { tags: some(2) } });
    expect(long.status).toBe(200);
    const names = long.json.facet_state.tags.map(({ name }: { name: string }) => name.length);
    expect(Math.max(...names)).toBeLessThanOrEqual(200);
    const short = some(600).map((value) => ({ ...value, entity_name: "ä".repeat(200) }));
    const refused = await at.start({ filters: { owners: short } });
    expect(refused.status).toBe(400);
    expect(refused.json.details).toMatchObject([{ field: "filters.owners" }]);
  });

  it("keeps of a query what counts", async () => {
    const answer = await at.start({ query: `ord ${"x ".repeat(40_000)}` });
    expect(answer.status).toBe(200);
    expect(answer.json.query.length).toBeLessThanOrEqual(2_000);
  });

  it("404 unknown, 400 malformed", async () => {
    expect((await at.api.put(`/api/search/${uuidv7()}`, { filters: {} })).status).toBe(404);
    expect((await at.api.put(`/api/search/${await at.begin({})}`, {})).status).toBe(400);
  });
});

describe("getFiltersForFacet", () => {
  it("200: values with the number of entities, most frequent first", async () => {
    expect(await at.values(await at.begin({}), "tags")).toMatchObject([
      { name: "pii", count: 2, selected: false },
      { name: "nightly", count: 1 },
    ]);
  });

  it("200: under the conditions of the other facets, without what is chosen already", async () => {
    const pii = await at.idOf("tag", "pii");
    const id = await at.begin({ query: "order", filters: { tags: chosen(pii), types: chosen(5) } });
    expect((await at.values(id, "tags")).map((v) => v.name)).toEqual(["nightly"]);
    const types = await at.values(await at.begin({ filters: { tags: chosen(pii) } }), "types");
    expect(types).toMatchObject([{ name: "TABLE", count: 2 }]);
  });

  it("200: every facet, by name when asked", async () => {
    const id = await at.begin({ query: "order" });
    const names = async (facet: string, more = "") =>
      (await at.values(id, facet, more)).map((v) => `${v.name} ${v.count}`);
    expect(await names("entity_classes")).toEqual(["DATA_SET 2", "DATA_TRANSFORMER 1"]);
    expect(await names("statuses")).toEqual(["UNASSIGNED 3", "DELETED 1"]);
    expect(await names("namespaces")).toEqual(["sales 2", "finance 1"]);
    expect(await names("namespaces", "&query=FIN")).toEqual(["finance 1"]);
    expect(await names("datasources")).toEqual(["shop 2", "audit 1"]);
    expect(await names("owners")).toEqual(["Data Team 1"]);
    expect(await names("groups")).toEqual(["Commerce 1"]);
    expect(await names("groups", "&query=%25")).toEqual([]);
  });

  it("404 unknown, 400 a facet that there is not", async () => {
    expect((await at.api.get(`/api/search/${uuidv7()}/facet/tags?page=1&size=1`)).status).toBe(404);
    const answer = await at.api.get(`/api/search/${await at.begin({})}/facet/titles?page=1&size=1`);
    expect(answer.status).toBe(400);
  });
});

describe("highlightDataEntity", () => {
  it("200: only texts with a match, marked and escaped", async () => {
    const entity = await seed.seedEntity(at.database.db, {
      name: "markup_<b>",
      externalDescription: "<script>alert('markup')</script>",
    });
    await seed.seedTag(at.database.db, entity, "markup & co");
    const id = await at.begin({ query: "mark" });
    const { json } = await at.api.get(`/api/search/${id}/data_entities/${entity}/highlights`);
    expect(json.data_entity).toEqual({
      external_name: "<b>markup</b>_&lt;b&gt;",
      external_description: "&lt;script&gt;alert(&#39;<b>markup</b>&#39;)&lt;/script&gt;",
      internal_name: null,
      internal_description: null,
    });
    expect(json.tags).toMatchObject([{ name: "<b>markup</b> &amp; co" }]);
    expect(json).toMatchObject({ owners: [], metadata: [], dataset_structure: [] });
  });

  it("200: source, namespace, owners, metadata and fields with a match", async () => {
    const { db } = at.database;
    const sourceId = await seed.seedSource(db, {
      catrn: "//lit/host/h",
      name: "lit source",
      namespace: "lit ns",
    });
    const entity = await seed.seedEntity(db, { sourceId, name: "dark" });
    await seed.seedOwnership(db, entity, "Ada", "lit keeper");
    await db.query(
      `WITH f AS (INSERT INTO metadata_field (name, type, origin)
         VALUES ('shade', 'STRING', 'EXTERNAL'), ('dim', 'STRING', 'EXTERNAL') RETURNING id, name)
       INSERT INTO metadata_value
       SELECT $1, id, CASE name WHEN 'shade' THEN '<lit>' ELSE 'dull' END FROM f`,
      [entity],
    );
    const fields = [
      await structure.seedField(db, entity, { catrn: "//lit/1", name: "unlit" }),
      await structure.seedField(db, entity, { catrn: "//lit/2", name: "lit_at" }),
      await structure.seedField(db, entity, { catrn: "//lit/3", name: "colour<" }),
    ];
    await structure.seedFieldTag(db, fields[2]!, "lit tag", "INTERNAL");
    await structure.seedVersion(db, entity, 1, fields);
    const id = await at.begin({ query: "LIT" });
    const { json } = await at.api.get(`/api/search/${id}/data_entities/${entity}/highlights`);
    expect(DataEntitySearchHighlight.parse(json)).toMatchObject({
      data_entity: null,
      data_source: { name: "<b>lit</b> source", catrn: "//<b>lit</b>/host/h" },
      namespace: { name: "<b>lit</b> ns" },
      owners: [{ owner: null, title: "<b>lit</b> keeper" }],
      metadata: [{ field: { name: "shade" }, value: "&lt;<b>lit</b>&gt;" }],
      dataset_structure: [
        { name: "un<b>lit</b>", tags: [] },
        { name: "<b>lit</b>_at", tags: [] },
        { name: "colour&lt;", tags: [{ name: "<b>lit</b> tag", external: false }] },
      ],
    });
  });

  it("404: unknown search or entity, 400: not an id", async () => {
    const id = await at.begin({ query: "x" });
    const path = (search: string, entity: unknown) =>
      `/api/search/${search}/data_entities/${entity}/highlights`;
    expect((await at.api.get(path(uuidv7(), at.ids.orders))).status).toBe(404);
    expect((await at.api.get(path(id, 999_999))).status).toBe(404);
    expect((await at.api.get(path(id, "orders"))).status).toBe(400);
  });
});
