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
import { seedTag } from "#test/support/seed/seed.ts";

const { api, database } = featureUnderTest((context: Context) => [
  ...lookupTableRoutes(context),
  ...dataEntityRoutes(context),
  ...datasetRoutes(context),
]);
const { addColumns, withColumns, add, rows } = lookupTables(() => api);

const patch = (table: CreatedTable, column: string, form: object) =>
  api.send("PATCH", `${table.path}/columns/${table.columns[column]}`, form);
const fieldOf = async (table: CreatedTable, name: string) =>
  (await api.get(table.path)).json.fields.find((f: { name: string }) => f.name === name);
const versions = async ({ dataset }: CreatedTable) =>
  (await api.get(`/api/dataentities/${dataset}`)).json.version_list.length;
const text = { field_type: "VARCHAR" } as const;

describe("updateLookupTableField", () => {
  it("200: renamed, its cells and what people said of it stay, and what is left out", async () => {
    const table = await withColumns({ name: "code", ...text, is_unique: true, default_value: "x" });
    await add(table, { code: "a" });
    const before = await fieldOf(table, "code");
    await database.db.query(
      "UPDATE dataset_field SET internal_description = 'said' WHERE id = $1",
      [
        before.dataset_field_id,
      ],
    );
    const tag = await seedTag(database.db, table.dataset, "pii");
    await database.db.query(
      "INSERT INTO field_tag VALUES ($1, (SELECT id FROM tag WHERE name = 'pii'), 'INTERNAL')",
      [
        before.dataset_field_id,
      ],
    );
    expect(tag).not.toBeNull();
    const { status, json } = await patch(table, "code", { name: "Country", description: "ISO" });
    expect(status).toBe(200);
    expect(json.fields[1]).toMatchObject({
      field_id: table.columns.code,
      name: "Country",
      description: "ISO",
      is_nullable: true,
      is_unique: true,
      default_value: "x",
    });
    expect(await versions(table)).toBe(3);
    const { json: structure } = await api.get(`/api/datasets/${table.dataset}/structure`);
    expect(structure.field_list[1]).toMatchObject({
      name: "Country",
      internal_description: "said",
      external_description: "ISO",
      tags: [{ name: "pii" }],
      lookup_table_definition_id: table.columns.code,
    });
    expect((await rows(table))[0]!.code).toBe("a");
  });

  it("200: an explicit null lets it be empty; a description alone is no new version", async () => {
    const table = await withColumns({ name: "code", ...text });
    const { json } = await patch(table, "code", {
      name: "code",
      is_nullable: null,
      description: "d",
    });
    expect(json.fields[1]).toMatchObject({ is_nullable: true, description: "d" });
    expect(await versions(table)).toBe(2);
    await patch(table, "code", { name: "code", default_value: "z" });
    const unchanged = { description: "d", default_value: "z" };
    expect(await fieldOf(table, "code")).toMatchObject(unchanged);
    await patch(table, "code", { name: "code", description: " ", default_value: null });
    expect(await fieldOf(table, "code")).toMatchObject({ description: null, default_value: null });
  });

  it("400: what rows do not fit says how many, and changes nothing", async () => {
    const table = await withColumns({ name: "code", ...text });
    await add(table, { code: "a" }, { code: "a" }, { code: null });
    const [empty, same] = [
      await patch(table, "code", { name: "code", is_nullable: false }),
      await patch(table, "code", { name: "code", is_nullable: true, is_unique: true }),
    ];
    expect([empty.status, empty.json.details]).toEqual([400, [
      { field: "is_nullable", message: 'column "code" is empty in 1 rows' },
    ]]);
    expect([same.status, same.json.code, same.json.details]).toEqual([400, "USR003", [
      { field: "is_unique", message: 'column "code" holds the same as another row in 2 rows' },
    ]]);
    expect(await fieldOf(table, "code")).toMatchObject({ is_nullable: true, is_unique: false });
    expect(await rows(table)).toHaveLength(3);
  });

  it("200: rules are given and taken; a new default concerns rows to come", async () => {
    const table = await withColumns({ name: "code", ...text }, {
      name: "n",
      field_type: "INTEGER",
    });
    await add(table, { code: "a", n: "1" });
    const strict = { name: "code", is_nullable: false, is_unique: true };
    expect((await patch(table, "code", strict)).status).toBe(200);
    expect((await add(table, { code: "a" })).status).toBe(400);
    expect((await add(table, { n: "2" })).status).toBe(400);
    await patch(table, "code", { name: "code", is_nullable: true, is_unique: false });
    await patch(table, "n", { name: "n", is_nullable: true, default_value: "+7" });
    expect((await add(table, { code: "a" }, { code: null })).status).toBe(200);
    expect(await rows(table)).toMatchObject([
      { code: "", n: "7" },
      { code: "a", n: "7" },
      { code: "a", n: "1" },
    ]);
  });

  it("400: the key, a name of another column, a cell too long to be unique", async () => {
    const table = await withColumns({ name: "a", ...text }, { name: "b", ...text });
    await add(table, { b: Array.from({ length: 8_000 }, () => crypto.randomUUID()[0]).join("") });
    expect((await patch(table, "id", { name: "x" })).status).toBe(400);
    expect((await api.delete(`${table.path}/columns/${table.columns.id}`)).status).toBe(400);
    expect((await patch(table, "b", { name: "A" })).json.details).toMatchObject([{
      field: "name",
    }]);
    const long = await patch(table, "b", { name: "b", is_nullable: true, is_unique: true });
    expect([long.status, long.json.details[0].field]).toEqual([400, "is_unique"]);
  });
});

it("deleteLookupTableField 204: gone with its cells, a new version; the name is free again", async () => {
  const table = await withColumns({ name: "a", ...text }, { name: "b", ...text, is_unique: true });
  await add(table, { a: "1", b: "2" });
  const path = `${table.path}/columns/${table.columns.b}`;
  expect((await api.delete(path)).status).toBe(204);
  expect((await api.get(path)).status).toBe(404);
  expect(await versions(table)).toBe(3);
  expect(await rows(table)).toEqual([{ id: "1", a: "1" }]);
  expect((await addColumns(table.id, [{ name: "b", ...text }])).status).toBe(200);
});

it("two who change columns at once each see the other's done", async () => {
  const table = await withColumns();
  const all = await Promise.all(
    Array.from({ length: 8 }, (_, n) => addColumns(table.id, [{ name: `c${n}`, ...text }])),
  );
  expect(all.map(({ status }) => status)).toEqual(Array(8).fill(200));
  expect((await api.get(table.path)).json.fields).toHaveLength(9);
  expect(await versions(table)).toBe(9);
});
