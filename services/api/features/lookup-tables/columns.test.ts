import { describe, expect, it } from "vitest";
import type { Context } from "#platform/context.ts";
import { dataEntityRoutes } from "#services/api/features/dataentities/routes.ts";
import { datasetRoutes } from "#services/api/features/datasets/routes.ts";
import {
  type CreatedTable,
  lookupTables,
} from "#services/api/features/lookup-tables/testing/tables.ts";
import { lookupTableRoutes } from "#services/api/features/lookup-tables/routes.ts";
import { featureUnderTest } from "#test/support/http/feature.ts";

const { api } = featureUnderTest((context: Context) => [
  ...lookupTableRoutes(context),
  ...dataEntityRoutes(context),
  ...datasetRoutes(context),
]);
const { addColumns, withColumns, add, rows } = lookupTables(() => api);
const nobody = 999_999_999;

const versions = async ({ dataset }: CreatedTable) =>
  (await api.get(`/api/dataentities/${dataset}`)).json.version_list.length;
const text = { field_type: "VARCHAR" } as const;

describe("createColumnsForLookupTable", () => {
  it("200: all types, a new version of the structure for all of them together", async () => {
    const table = await withColumns();
    const types = [
      "VARCHAR",
      "INTEGER",
      "SERIAL",
      "DECIMAL",
      "BOOLEAN",
      "DATE",
      "TIME",
      "JSON",
      "UUID",
    ];
    const forms = types.map((field_type) => ({ name: field_type, field_type }) as never);
    const { status, json } = await addColumns(table.id, forms);
    expect(status).toBe(200);
    expect(json.fields.slice(1)).toMatchObject(types.map((type) => ({
      name: type,
      field_type: type,
      is_nullable: type !== "SERIAL",
      is_unique: false,
      default_value: null,
    })));
    expect(await versions(table)).toBe(2);
    const { json: structure } = await api.get(`/api/datasets/${table.dataset}/structure`);
    expect(structure.field_list.map((f: { type: { type: string } }) => f.type.type)).toEqual([
      ...["TYPE_INTEGER", "TYPE_CHAR", "TYPE_INTEGER", "TYPE_INTEGER", "TYPE_NUMBER"],
      ...["TYPE_BOOLEAN", "TYPE_DATETIME", "TYPE_TIME", "TYPE_STRUCT", "TYPE_CHAR"],
    ]);
  });

  it("200: a default fills the rows that are there; a column may number them", async () => {
    const table = await withColumns({ name: "code", ...text });
    await add(table, { code: "a" }, { code: "b" });
    const { json } = await addColumns(table.id, [
      { name: "said", ...text, is_nullable: false, default_value: 'it\'s "so"; --' },
      { name: "n", field_type: "SERIAL" },
    ]);
    for (const { name, field_id } of json.fields) table.columns[name] = field_id;
    expect(await rows(table)).toMatchObject([
      { code: "b", said: 'it\'s "so"; --', n: "2" },
      { code: "a", said: 'it\'s "so"; --', n: "1" },
    ]);
    await add(table, { code: "c", n: "10" }, { code: "d" });
    expect((await rows(table)).map(({ n }) => n)).toEqual(["11", "10", "2", "1"]);
  });

  it("400: a column that rows cannot fill says how many; nothing of the request is done", async () => {
    const table = await withColumns({ name: "code", ...text });
    await add(table, { code: "a" }, { code: "b" });
    const refused = await addColumns(table.id, [
      { name: "fine", ...text },
      { name: "needed", ...text, is_nullable: false },
    ]);
    expect(refused.status).toBe(400);
    expect(refused.json.details).toEqual([
      { field: "[1].is_nullable", message: expect.stringMatching(/"needed".* 2 rows/) },
    ]);
    const repeated = await addColumns(table.id, [
      { name: "same", ...text, is_unique: true, default_value: "x" },
    ]);
    expect(repeated.json.details).toMatchObject([{ field: "[0].is_unique" }]);
    expect((await api.get(table.path)).json.fields).toHaveLength(2);
  });

  it.each([
    ["a name that another has in other letters", [{ name: " Code ", ...text }], "[0].name"],
    ["the name of the key", [{ name: "ID", ...text }], "[0].name"],
    ["two alike", [{ name: "a b", ...text }, { name: "A_B", ...text }], "[1].name"],
    ["no type", [{ name: "a" }], "[0].field_type"],
    ["no column", [], "body"],
    ["a default of another type", [
      { name: "a", field_type: "INTEGER", default_value: "x" },
    ], "[0].default_value"],
    ["a default that the database does not keep", [
      { name: "a", field_type: "JSON", default_value: '{"a": "\\u0000", "a": 1}' },
    ], "[0].default_value"],
    ["a default for numbers of its own", [
      { name: "a", field_type: "SERIAL", default_value: "1" },
    ], "[0].default_value"],
    ["too many", Array.from({ length: 101 }, (_, n) => ({ name: `c${n}`, ...text })), "body"],
  ])("400: %s", async (_, forms, field) => {
    const table = await withColumns({ name: "code", ...text });
    const { status, json } = await api.post(`${table.path}/columns`, forms);
    expect([status, json.details[0].field]).toEqual([400, field]);
    expect((await api.get(table.path)).json.fields).toHaveLength(2);
  });

  it("400: a default that makes a row larger than a row may be, whatever came of others", async () => {
    const table = await withColumns({ name: "a", ...text });
    await add(table, { a: "x".repeat(10_000) });
    const large = (name: string) => [{ name, ...text, default_value: "é".repeat(8_000) }];
    const first = await addColumns(table.id, large("b"));
    expect(first.status).toBe(200);
    const b = first.json.fields.at(-1).field_id;
    await api.send("PATCH", `${table.path}/columns/${b}`, { name: "b", is_nullable: true });
    const { status, json } = await addColumns(table.id, large("c"));
    expect([status, json.details]).toEqual([400, [{
      field: "[0].default_value",
      message: "a row that is there would hold 42000 bytes, more than 32768",
    }]]);
    const empty = await withColumns({ name: "a", ...text });
    expect((await addColumns(empty.id, [...large("b"), ...large("c"), ...large("d")])).status)
      .toBe(200);
  });

  it("400: more than a table may have", async () => {
    const table = await withColumns({ name: "code", ...text });
    const forms = Array.from({ length: 100 }, (_, n) => ({ name: `c${n}`, ...text }));
    expect((await addColumns(table.id, forms)).status).toBe(400);
    expect((await addColumns(table.id, forms.slice(1))).status).toBe(200);
  });
});

describe("getLookupTableField", () => {
  it("404 for an unknown column, 400 for one of another table, by every method", async () => {
    const [table, other] = [await withColumns({ name: "a", ...text }), await withColumns()];
    const calls = (path: string) => [
      api.get(path),
      api.send("PATCH", path, { name: "b" }),
      api.delete(path),
    ];
    for (const answer of await Promise.all(calls(`${table.path}/columns/${nobody}`))) {
      expect(answer.status).toBe(404);
    }
    for (const answer of await Promise.all(calls(`${other.path}/columns/${table.columns.a}`))) {
      expect([answer.status, answer.json.message]).toEqual([
        400,
        expect.stringContaining("does not belong"),
      ]);
    }
    expect((await api.get(`${table.path}/columns/${table.columns.a}`)).json)
      .toMatchObject({ field_id: table.columns.a, name: "a" });
  });
});
