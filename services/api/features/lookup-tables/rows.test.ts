import { describe, expect, it } from "vitest";
import type { LookupFieldType } from "#contract/catalogue/lookup-tables.ts";
import { lookupTables, rowsOf } from "#services/api/features/lookup-tables/testing/tables.ts";
import { lookupTableRoutes } from "#services/api/features/lookup-tables/routes.ts";
import { featureUnderTest } from "#test/support/http/feature.ts";

const { api } = featureUnderTest(lookupTableRoutes);
const { withColumns, form, add, rows } = lookupTables(() => api);
const nobody = 999_999_999;
const text = { field_type: "VARCHAR" } as const;

const taken: [LookupFieldType, string, string][] = [
  ["VARCHAR", "  any ' \" \\ ; text ✓ ", "  any ' \" \\ ; text ✓ "],
  ["VARCHAR", "   ", ""],
  ["INTEGER", " +007 ", "7"],
  ["INTEGER", "-2147483648", "-2147483648"],
  ["SERIAL", "41", "41"],
  ["SERIAL", "", "1"],
  ["DECIMAL", "-12345678901234567890.123456789", "-12345678901234567890.123456789"],
  ["DECIMAL", "1e3", "1000"],
  ["BOOLEAN", "Yes", "true"],
  ["BOOLEAN", "off", "false"],
  ["DATE", "2024-02-29", "2024-02-29"],
  ["TIME", "2024-02-29 23:59:59.5", "2024-02-29 23:59:59.5"],
  ["TIME", "2024-02-29 00:00:00", "2024-02-29 00:00:00"],
  ["JSON", '{"a": [1, null, "ü"]}', '{"a": [1, null, "ü"]}'],
  ["JSON", "null", "null"],
  ["UUID", "0190A5B0-0000-7000-8000-000000000000", "0190a5b0-0000-7000-8000-000000000000"],
];
it.each(taken)("addDataToLookupTable 200: %s takes %j and shows %j", async (type, given, shown) => {
  const table = await withColumns({ name: "c", field_type: type });
  const { status, json } = await add(table, { c: given });
  expect(status).toBe(200);
  expect(rowsOf(table, json)).toEqual([{ id: "1", c: shown }]);
});

const refused: [LookupFieldType, string][] = [
  ["VARCHAR", "a\0b"],
  ["VARCHAR", "a\ud800"],
  ["VARCHAR", "x".repeat(16_385)],
  ["INTEGER", "1.5"],
  ["INTEGER", "2147483648"],
  ["INTEGER", "9".repeat(30_000)],
  ["SERIAL", "one"],
  ["DECIMAL", "NaN"],
  ["DECIMAL", "1e100000"],
  ["DECIMAL", "1,5"],
  ["BOOLEAN", "maybe"],
  ["BOOLEAN", "constructor"],
  ["DATE", "2023-02-29"],
  ["DATE", "infinity"],
  ["DATE", "0000-01-01"],
  ["TIME", "2024-01-01"],
  ["TIME", "2024-01-01 24:00:00"],
  ["JSON", "{a}"],
  ["JSON", '"\\u0000"'],
  ["JSON", '"\\ud800"'],
  ["JSON", "1e99999"],
  ["JSON", "[".repeat(100) + "]".repeat(100)],
  ["JSON", '{"a": "\\u0000", "a": 1}'],
  ["JSON", `0.${"1".repeat(16_300)}e-999`],
  ["JSON", `[${Array(20).fill("1e999").join(",")}]`],
  ["UUID", "0190a5b0"],
];
it.each(refused)("addDataToLookupTable 400: %s refuses %.40j", async (type, value) => {
  const table = await withColumns({ name: "c", field_type: type }, { name: "d", ...text });
  const answer = await add(table, { d: "fine" }, { d: "bad", c: value });
  expect(answer.status).toBe(400);
  expect(answer.json.details).toEqual([
    { field: "[1].items[1].value", message: expect.stringMatching(/^row 2: .*column "c"/) },
  ]);
  expect(await rows(table)).toEqual([]);
});

describe("addDataToLookupTable", () => {
  it("400: numbers of rows that are refused are not taken", async () => {
    const table = await withColumns({ name: "n", field_type: "SERIAL" }, {
      name: "u",
      ...text,
      is_unique: true,
    });
    await add(table, { u: "a" });
    expect((await add(table, { n: "2147483647", u: "a" })).status).toBe(400);
    const csv = (body: string) =>
      api.send("POST", `${table.path}/data/import`, body, { "content-type": "text/csv" });
    expect((await csv("n,u\n2147483647,b\n3,a\n")).status).toBe(400);
    expect((await add(table, { u: "b" })).status).toBe(200);
    expect((await rows(table)).map(({ n }) => n)).toEqual(["2", "1"]);
  });

  it("400: a row that would be shown in more bytes than a row may have, however short it is given", async () => {
    const names = Array.from({ length: 34 }, (_, i) => `n${i}`);
    const table = await withColumns(
      ...names.map((name) => ({ name, field_type: "DECIMAL" as const })),
    );
    const row = Object.fromEntries(names.map((name) => [name, "1e999"]));
    const answer = await add(table, row);
    expect([answer.status, answer.json.details]).toEqual([400, [{
      field: "[0].items",
      message: "row 1: must hold at most 32768 bytes in all",
    }]]);
    expect(await rows(table)).toEqual([]);
  });

  it("400: names every row and column that is wrong, up to a hundred", async () => {
    const table = await withColumns({ name: "n", field_type: "INTEGER" }, {
      name: "needed",
      ...text,
      is_nullable: false,
    });
    const answer = await add(table, { n: "x", needed: " " }, { n: "1" });
    expect(answer.json.details).toEqual([
      { field: "[0].items[0].value", message: expect.stringContaining('"x" is no INTEGER') },
      { field: "[0].items[1].value", message: 'row 1: column "needed" must not be empty' },
      { field: "[1].items", message: 'row 2: column "needed" must not be empty' },
    ]);
    const many = await add(table, ...Array.from({ length: 300 }, () => ({ n: "x", needed: "y" })));
    expect(many.json.details).toHaveLength(100);
  });

  it("400 USR003: repeated values name column and row, within the request and with other rows", async () => {
    const table = await withColumns({ name: "n", field_type: "DECIMAL", is_unique: true });
    await add(table, { n: "1.0" }, { n: null }, { n: null });
    const answer = await add(table, { n: "2" }, { n: "1.00" }, { n: null }, { n: "2.000" });
    expect([answer.status, answer.json.code]).toEqual([400, "USR003"]);
    expect(answer.json.details).toEqual([
      {
        field: "[1].items[0].value",
        message: 'row 2: "1.00" is already in the unique column "n"',
      },
      {
        field: "[3].items[0].value",
        message: 'row 4: "2.000" is already in the unique column "n"',
      },
    ]);
    expect(await rows(table)).toHaveLength(3);
  });

  it("400: a column of another table, a column twice, a table without columns, too large a row", async () => {
    const [table, other, empty] = [
      await withColumns({ name: "a", ...text }, { name: "b", ...text }, { name: "c", ...text }),
      await withColumns({ name: "a", ...text }),
      await withColumns(),
    ];
    const foreign = await api.post(`${table.path}/data`, [form(other, { a: "x" })]);
    expect(foreign.json.details).toMatchObject([{ field: "[0].items[0].field_id" }]);
    const item = { field_id: table.columns.a, value: "x" };
    const twice = await api.post(`${table.path}/data`, [{ items: [item, item] }]);
    expect(twice.json.details).toMatchObject([{ field: "[0].items[1].field_id" }]);
    expect((await api.post(`${empty.path}/data`, [{ items: [] }])).status).toBe(400);
    const large = "x".repeat(16_000);
    expect((await add(table, { a: large, b: large, c: large })).status).toBe(400);
    expect((await api.post(`${table.path}/data`, [])).status).toBe(400);
    const many = Array.from({ length: 1_001 }, () => ({ items: [] }));
    expect((await api.post(`${table.path}/data`, many)).status).toBe(400);
    expect(await rows(table)).toEqual([]);
  });

  it("200: answers the first page of 50; the id that is given is passed over", async () => {
    const table = await withColumns({ name: "n", field_type: "INTEGER" });
    const given = Array.from({ length: 60 }, (_, n) => ({ id: "900", n: String(n) }));
    const { json } = await add(table, ...given);
    expect(json.page_info).toEqual({ total: 60, hasNext: true });
    expect(rowsOf(table, json).map(({ n }) => n))
      .toEqual(Array.from({ length: 50 }, (_, n) => String(59 - n)));
  });

  it("200: ten who add at once lose nothing; of ten that add the same value one does", async () => {
    const table = await withColumns({ name: "n", field_type: "INTEGER", is_unique: true });
    const all = await Promise.all(Array.from({ length: 10 }, (_, n) => add(table, { n: `${n}` })));
    expect(all.map(({ status }) => status)).toEqual(Array(10).fill(200));
    const same = await Promise.all(Array.from({ length: 10 }, () => add(table, { n: "77" })));
    expect(same.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(400)]);
    expect(await rows(table)).toHaveLength(11);
  });
});

describe("getLookupTableRowList", () => {
  it("200: the newest first, page by page, never cut", async () => {
    const table = await withColumns({ name: "n", field_type: "INTEGER" });
    await add(table, ...Array.from({ length: 100 }, (_, n) => ({ n: `${n}` })));
    expect(await rows(table, "page=1&size=100")).toHaveLength(100);
    expect((await rows(table, "page=2&size=40")).map(({ n }) => n).slice(0, 2)).toEqual([
      "59",
      "58",
    ]);
    const last = await api.get(`${table.path}/data?page=3&size=40`);
    expect(last.json.items).toHaveLength(20);
    expect(last.json.page_info).toEqual({ total: 100, hasNext: false });
    const beyond = await api.get(`${table.path}/data?page=9&size=40`);
    expect(beyond.json).toEqual({ items: [], page_info: { total: 100, hasNext: false } });
  });

  it("400 without paging, 404 for an unknown table", async () => {
    const table = await withColumns();
    expect((await api.get(`${table.path}/data`)).status).toBe(400);
    expect((await api.get(`/api/referencedata/table/${nobody}/data?page=1&size=1`)).status).toBe(
      404,
    );
  });
});

describe("a row", () => {
  it("updateLookupTableRow 200: all cells are replaced; a number of its own stays", async () => {
    const table = await withColumns(
      { name: "a", ...text, default_value: "standard" },
      { name: "b", ...text },
      { name: "n", field_type: "SERIAL" },
    );
    await add(table, { b: "x" }, { b: "y" });
    const row = (changed: object) => api.send("PATCH", `${table.path}/data/1`, changed);
    const { status, json } = await row(form(table, { b: "z" }));
    expect(status).toBe(200);
    expect(rowsOf(table, json)).toEqual([
      { id: "1", a: "", b: "z", n: "1" },
      { id: "2", a: "standard", b: "y", n: "2" },
    ]);
  });

  it("updateLookupTableRow 400: names the column; 404: unknown row", async () => {
    const table = await withColumns({ name: "a", ...text, is_unique: true, is_nullable: false });
    await add(table, { a: "x" }, { a: "y" });
    const change = (row: number, a: string | null) =>
      api.send("PATCH", `${table.path}/data/${row}`, form(table, { a }));
    expect((await change(1, null)).json.details).toMatchObject([{ field: "items[0].value" }]);
    const taken = await change(1, "y");
    expect([taken.status, taken.json.details[0].field]).toEqual([400, "items[0].value"]);
    expect((await change(1, "x")).status).toBe(200);
    expect((await change(nobody, "q")).status).toBe(404);
  });

  it("deleteLookupTableRow 204; 404 for one that is gone", async () => {
    const table = await withColumns({ name: "a", ...text });
    await add(table, { a: "x" }, { a: "y" });
    expect((await api.delete(`${table.path}/data/1`)).status).toBe(204);
    expect((await api.delete(`${table.path}/data/1`)).status).toBe(404);
    expect(await rows(table)).toMatchObject([{ id: "2", a: "y" }]);
  });

  it.each([["", "page"], ["page=1", "size"], ["format=csv&size=9", "size"]])(
    "getLookupTableRowList 400: a page is whole, and not asked for with a file: %s",
    async (query, field) => {
      const table = await withColumns({ name: "a", ...text });
      const { status, json } = await api.get(`${table.path}/data?${query}`);
      expect([status, json.details[0].field]).toEqual([400, field]);
    },
  );
});
