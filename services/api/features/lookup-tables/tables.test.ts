import { describe, expect, it } from "vitest";
import type { Context } from "#platform/context.ts";
import { activityRoutes } from "#services/api/features/activity/routes.ts";
import { dataEntityRoutes } from "#services/api/features/dataentities/routes.ts";
import { datasetRoutes } from "#services/api/features/datasets/routes.ts";
import { base, lookupTables } from "#services/api/features/lookup-tables/testing/tables.ts";
import { lookupTableRoutes } from "#services/api/features/lookup-tables/routes.ts";
import { searchRoutes } from "#services/api/features/search/routes.ts";
import { statusRoutes } from "#services/api/features/statuses/routes.ts";
import { featureUnderTest } from "#test/support/http/feature.ts";

const { api, database } = featureUnderTest((context: Context) => [
  ...lookupTableRoutes(context),
  ...dataEntityRoutes(context),
  ...datasetRoutes(context),
  ...searchRoutes(context),
  ...statusRoutes(context),
  ...activityRoutes(context),
]);
const { create, addColumns, withColumns, add, rows } = lookupTables(() => api);
const nobody = 999_999_999;

const found = async (query: string) => {
  const { json } = await api.post("/api/search", { query, filters: {} });
  const results = await api.get(`/api/search/${json.search_id}/results?page=1&size=9`);
  return results.json.items.map((item: { id: number }) => item.id);
};
const events = async (dataset: number) => {
  const range = "begin_date=2020-01-01T00:00:00Z&end_date=2100-01-01T00:00:00Z&size=100";
  const { json } = await api.get(`/api/dataentities/${dataset}/activity?${range}`);
  return json.map((event: { event_type: string }) => event.event_type);
};

describe("createReferenceTable", () => {
  it("200: makes the table with its key, its namespace and its entity, found at once", async () => {
    const { status, json } = await api.post(base, {
      name: "Country Codes",
      description: "ISO **3166**",
      namespace_name: "reference",
    });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      name: "Country Codes",
      description: "ISO **3166**",
      namespace: { name: "reference" },
      fields: [{
        name: "id",
        field_type: "INTEGER",
        is_primary_key: true,
        is_nullable: false,
        is_unique: true,
      }],
    });
    expect((await api.get(`${base}/${json.table_id}`)).json).toEqual(json);
    expect(await found("country codes")).toEqual([json.dataset_id]);
    expect(await events(json.dataset_id)).toEqual(["DATA_ENTITY_CREATED"]);
    const { json: entity } = await api.get(`/api/dataentities/${json.dataset_id}`);
    expect(entity).toMatchObject({
      external_name: "Country Codes",
      external_description: "ISO **3166**",
      lookup_table_id: json.table_id,
      manually_created: true,
      type: { name: "LOOKUP_TABLE" },
      entity_classes: [{ name: "DATA_SET" }],
      version_list: [{ version: 1 }],
      stats: { fields_count: 1 },
    });
  });

  it("400: a name that is the same in lower case with underscores, in this namespace alone", async () => {
    await create("Postal  Codes", "one");
    const refused = await api.post(base, { name: "postal_codes", namespace_name: "one" });
    expect(refused.status).toBe(400);
    expect(refused.json).toMatchObject({
      code: "USR003",
      message: expect.stringContaining("already exists in this namespace"),
      details: [{ field: "name" }],
    });
    await create("postal_codes", "two");
  });

  it.each([
    ["no name", { namespace_name: "x" }, "name"],
    ["a blank name", { name: "  ", namespace_name: "x" }, "name"],
    ["a long name", { name: "n".repeat(201), namespace_name: "x" }, "name"],
    ["NUL", { name: "a\0b", namespace_name: "x" }, "name"],
    ["half a surrogate pair", { name: "a\ud800", namespace_name: "x" }, "name"],
    ["no namespace", { name: "a" }, "namespace_name"],
    ["a description of NUL", { name: "a", namespace_name: "x", description: "\0" }, "description"],
  ])("400: %s", async (_, form, field) => {
    const { status, json } = await api.post(base, form);
    expect([status, json.details[0].field]).toEqual([400, field]);
  });

  it("200: of ten that make the same table at once, one does", async () => {
    const all = await Promise.all(
      Array.from(
        { length: 10 },
        () => api.post(base, { name: "contested", namespace_name: "new here" }),
      ),
    );
    expect(all.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(400)]);
  });
});

describe("updateLookupTable", () => {
  it("200: the name and description are the entity's too; renaming is an event, describing none", async () => {
    const { table_id: id, dataset_id: dataset } = await create("old words", "renamed");
    const { status, json } = await api.put(`${base}/${id}`, {
      name: "New Words",
      description: "d",
    });
    expect(status).toBe(200);
    expect(json).toMatchObject({ name: "New Words", description: "d" });
    await api.put(`${base}/${id}`, { name: "New Words", description: "told" });
    expect(await events(dataset)).toEqual(["LOOKUP_TABLE_RENAMED", "DATA_ENTITY_CREATED"]);
    const entity = (await api.get(`/api/dataentities/${dataset}`)).json;
    expect(entity).toMatchObject({ external_name: "New Words", external_description: "told" });
    expect((await api.put(`${base}/${id}`, { name: "New Words" })).json.description).toBe("told");
    expect(await found("new words told")).toEqual([dataset]);
    expect(await found("old words")).toEqual([]);
    expect(
      (await api.put(`${base}/${id}`, { name: "New Words", description: null })).json.description,
    )
      .toBeNull();
  });

  it("400: a name that is taken; its own in other letters is not", async () => {
    const { table_id: id } = await create("first", "taken");
    await create("second", "taken");
    expect((await api.put(`${base}/${id}`, { name: "SECOND" })).status).toBe(400);
    expect((await api.put(`${base}/${id}`, { name: "FIRST" })).json.name).toBe("FIRST");
  });

  it("404: unknown", async () => {
    expect((await api.put(`${base}/${nobody}`, { name: "x" })).status).toBe(404);
  });
});

describe("deleteLookupTable", () => {
  it("204: gone everywhere, its name free; restored with its rows by the status of its entity", async () => {
    const table = await withColumns({ name: "code", field_type: "VARCHAR" });
    await add(table, { code: "de" });
    const { name } = (await api.get(table.path)).json;
    expect((await api.delete(table.path)).status).toBe(204);
    expect(await events(table.dataset)).toEqual([
      "DATA_ENTITY_STATUS_UPDATED",
      "DATA_ENTITY_CREATED",
    ]);
    for (
      const path of [
        "",
        "/data?page=1&size=1",
        `/columns/${table.columns.code}`,
        "/data?format=csv",
      ]
    ) {
      expect((await api.get(`${table.path}${path}`)).status, path).toBe(404);
    }
    const form = [{ items: [] }];
    expect((await api.post(`${table.path}/data`, form)).status).toBe(404);
    expect((await api.delete(table.path)).status).toBe(404);
    await create(name);
    const status = { status: { status: "STABLE" } };
    expect((await api.put(`/api/dataentities/${table.dataset}/statuses`, status)).status).toBe(200);
    expect(await rows(table)).toMatchObject([{ code: "de" }]);
  });

  it("404: unknown", async () => {
    expect((await api.delete(`${base}/${nobody}`)).status).toBe(404);
    expect((await api.get(`${base}/${nobody}`)).status).toBe(404);
  });
});

describe("the search of lookup tables", () => {
  it("200: by name, description and column, without facets; deleted ones are not found", async () => {
    const { table_id: id } = await create("warehouse sites", "searched");
    await addColumns(id, [{ name: "streetName", field_type: "VARCHAR", description: "cobbled" }]);
    for (const query of ["warehouse", "street", "streetName", "cobbl"]) {
      const { json } = await api.post("/api/referencedata/search", { query });
      expect(json).toEqual({
        search_id: expect.any(String),
        query,
        total: 1,
        total_is_minimum: false,
      });
      const path = `/api/referencedata/search/${json.search_id}`;
      expect((await api.get(path)).json).toEqual(json);
      const results = await api.get(`${path}/results?page=1&size=10`);
      expect(results.json).toMatchObject({
        items: [{ table_id: id, fields: [{ name: "id" }, { name: "streetName" }] }],
        page_info: { total: 1, hasNext: false },
      });
      expect((await api.put(path, { query: "nothing like it" })).json.total).toBe(0);
    }
    await api.delete(`${base}/${id}`);
    expect((await api.post("/api/referencedata/search", { query: "warehouse" })).json.total).toBe(
      0,
    );
  });
});

it("the dataset's fields tell which columns they are, and carry their descriptions", async () => {
  const table = await withColumns({
    name: "rate",
    field_type: "DECIMAL",
    is_nullable: false,
    default_value: "1.0",
    description: "of exchange",
  });
  const { json } = await api.get(`/api/datasets/${table.dataset}/structure`);
  const { json: entity } = await api.get(`/api/dataentities/${table.dataset}`);
  expect(json.field_list).toMatchObject([
    { name: "id", is_primary_key: true, lookup_table_definition_id: table.columns.id },
    {
      name: "rate",
      catrn: `${entity.catrn}/field/rate`,
      lookup_table_definition_id: table.columns.rate,
      type: { type: "TYPE_NUMBER", logical_type: "DECIMAL", is_nullable: false },
      default_value: "1.0",
      external_description: "of exchange",
    },
  ]);
  const column = await api.get(`${table.path}/columns/${table.columns.rate}`);
  expect(column.json.dataset_field_id).toBe(json.field_list[1].id);
  expect(await database.db.query("SELECT 1 FROM pg_tables WHERE schemaname = 'tributary_lookup'"))
    .not.toEqual([]);
});
