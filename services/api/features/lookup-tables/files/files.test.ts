import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { forbidden } from "#kit/errors.ts";
import { Config } from "#platform/config/schema.ts";
import { type Authorizer, open } from "#platform/operations/access.ts";
import {
  type CreatedTable,
  lookupTables,
} from "#services/api/features/lookup-tables/testing/tables.ts";
import { lookupTableRoutes } from "#services/api/features/lookup-tables/routes.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { type TestApi, testApi, testContext } from "#test/support/http/api.ts";

const max = 2_000;
let database: TestDatabase;
let api: TestApi;
let mayDelete = true;
let close: () => Promise<void>;
beforeAll(async () => {
  database = await testDatabase();
  const config = Config.parse({
    instance: database.name,
    metadata: { lookup: { "max-rows": max, "max-import-size": "1 MB" } },
  });
  const context = testContext(database, { config });
  const authorizer: Authorizer = {
    ...open,
    authorize: (_, needed) =>
      typeof needed === "object" && needed.permission.endsWith("DELETE") && !mayDelete
        ? Promise.reject(forbidden("No"))
        : Promise.resolve(),
  };
  api = testApi(lookupTableRoutes(context, { authorizer }), context);
  close = () => context.wakeups.close();
});
afterAll(async () => {
  await close();
  await database.drop();
});
const { withColumns, add, rows } = lookupTables(() => api);

const csv = (table: CreatedTable, file: string | Uint8Array, mode = "append", headers = {}) =>
  api.send("POST", `${table.path}/data/import?mode=${mode}`, file, {
    "content-type": "text/csv",
    ...headers,
  });
const exported = async (table: CreatedTable, format = "csv") => {
  const answer = await api.get(`${table.path}/data?format=${format}`);
  expect(answer.status).toBe(200);
  return answer.text;
};
const text = { field_type: "VARCHAR" } as const;
const countries = () =>
  withColumns(
    { name: "code", ...text, is_nullable: false, is_unique: true },
    { name: "Full Name", ...text },
    { name: "people", field_type: "INTEGER", default_value: "0" },
  );

describe("importLookupTable", () => {
  it("200: rows in the order of the file, header in any letters and order, id passed over", async () => {
    const table = await countries();
    const file =
      '\ufeffFULL NAME,id,Code\r\n"Germany, ""Federal""\r\nRepublic",7,de\r\n\r\n,8, fr \r\n';
    const { status, json } = await csv(table, file);
    expect([status, json]).toEqual([200, { inserted: 2, total: 2 }]);
    expect(await rows(table)).toEqual([
      { id: "2", code: " fr ", "Full Name": "", people: "0" },
      { id: "1", code: "de", "Full Name": 'Germany, "Federal"\r\nRepublic', people: "0" },
    ]);
  });

  it("200: a file of many portions, compressed; then in the place of all rows", async () => {
    const table = await countries();
    const lines = Array.from({ length: 1_800 }, (_, n) => `c${n},,${n}`);
    const file = ["code,full_name,people", ...lines].join("\n");
    const headers = { "content-encoding": "gzip" };
    const first = await csv(table, gzipSync(file), "append", headers);
    expect(first.json).toEqual({ inserted: 1_800, total: 1_800 });
    const repeated = await csv(table, file, "replace");
    expect(repeated.json).toEqual({ inserted: 1_800, total: 1_800 });
    expect((await rows(table, "page=1&size=1"))[0]).toMatchObject({
      code: "c1799",
      people: "1799",
    });
  });

  it("400: names every line and column that is wrong; nothing is written", async () => {
    const table = await countries();
    await add(table, { code: "de" });
    const file = 'code,people\nfr,many\n,1\nit,1,2\n"e\ns",x\nat,5\n';
    const { status, json } = await csv(table, file, "replace");
    expect(status).toBe(400);
    expect(json.details).toEqual([
      {
        field: 'line 2, column "people"',
        message: expect.stringContaining('"many" is no INTEGER'),
      },
      { field: 'line 3, column "code"', message: 'column "code" must not be empty' },
      { field: "line 4", message: "has 3 cells, the first line has 2" },
      { field: 'line 5, column "people"', message: expect.stringContaining('"x" is no INTEGER') },
    ]);
    expect(await rows(table)).toMatchObject([{ code: "de" }]);
  });

  it("400: a repeated value, though it stands in a later portion", async () => {
    const table = await countries();
    const lines = Array.from({ length: 1_200 }, (_, n) => `c${n % 1_100}`);
    const { status, json } = await csv(table, ["code", ...lines].join("\n"));
    expect([status, json.code, json.details[0]]).toEqual([400, "USR003", {
      field: 'line 1102, column "code"',
      message: expect.stringContaining('"c0" is already in the unique column "code"'),
    }]);
    expect(await rows(table)).toEqual([]);
  });

  it.each([
    ["an unknown column", "code,nobody\n", 'line 1, column "nobody"'],
    ["a column twice", "code,CODE\n", 'line 1, column "CODE"'],
    ["a column that must be there", "people\n1\n", 'line 1, column "code"'],
    ["a quote that does not end", 'code\n"de\n', "line 2"],
    ["a quote within a cell", 'code\nd"e\n', "line 2"],
    ["NUL", "code\nd\0e\n", 'line 2, column "code"'],
    ["a line of many empty cells", `code\nde\n${",".repeat(300)}\n`, "line 3"],
    ["too long a line", `code\n${"x".repeat(70_000)}\n`, "line 2"],
  ])("400: %s", async (_, file, field) => {
    const table = await countries();
    const { status, json } = await csv(table, file);
    expect([status, json.details[0]?.field.slice(0, 25)]).toEqual([400, field.slice(0, 25)]);
  });

  it.each<[string, string | Uint8Array, Record<string, string>?]>([
    ["no header", "\n"],
    ["what is no UTF-8", Uint8Array.of(0x63, 0xff, 0x0a)],
    ["what is no gzip", "code", { "content-encoding": "gzip" }],
    ["more rows than a table may have", `people\n${"1\n".repeat(max + 1)}`],
  ])("400: %s", async (_, file, headers = {}) => {
    const table = await withColumns({ name: "people", field_type: "INTEGER" });
    expect((await csv(table, file, "append", headers)).status).toBe(400);
    expect(await rows(table)).toEqual([]);
  });

  it("413: a file that is too large, also when compressed; 415: another type; 404: no table", async () => {
    const table = await countries();
    const large = `code\n${"x\n".repeat(600_000)}`;
    expect((await csv(table, large)).status).toBe(413);
    const packed = await csv(table, gzipSync(`code${"\n".repeat(1_200_000)}`), "append", {
      "content-encoding": "gzip",
    });
    expect(packed.status).toBe(413);
    expect((await csv(table, "code\n", "append", { "content-type": "text/plain" })).status).toBe(
      415,
    );
    expect((await csv({ ...table, path: `${table.path}9999` }, "code\n")).status).toBe(404);
    expect(await rows(table)).toEqual([]);
  });

  it("403: replacing asks for the permission to delete rows as well", async () => {
    const table = await countries();
    mayDelete = false;
    expect((await csv(table, "code\nde\n", "replace")).status).toBe(403);
    expect((await csv(table, "code\nde\n")).status).toBe(200);
    mayDelete = true;
  });

  it("two who replace all rows at once leave those of one", async () => {
    const table = await countries();
    const file = (name: string) =>
      ["code", ...Array.from({ length: 700 }, (_, n) => `${name}${n}`)].join("\n");
    await csv(table, file("z"));
    const all = await Promise.all([
      csv(table, file("a"), "replace"),
      csv(table, file("b"), "replace"),
    ]);
    expect(all.map(({ status }) => status)).toEqual([200, 200]);
    const stored = await rows(table);
    expect(stored).toHaveLength(700);
    expect(new Set(stored.map(({ code }) => code![0])).size).toBe(1);
  });
});

describe("exportLookupTable", () => {
  it("200: what is exported can be imported, and is the same then", async () => {
    const types = {
      whole: "INTEGER",
      dec: "DECIMAL",
      yes: "BOOLEAN",
      day: "DATE",
      at: "TIME",
    } as const;
    const fields = Object.entries({ ...types, doc: "JSON", uid: "UUID", said: "VARCHAR" } as const)
      .map(([name, field_type]) => ({ name, field_type }));
    const [table, copy] = [await withColumns(...fields), await withColumns(...fields)];
    const said = [
      "=1+1",
      "'=1",
      "''@x",
      "+4",
      "-5",
      "\ttab",
      "'quoted'",
      " a ",
      'say "x", y\nz',
      "é✓",
    ];
    await add(table, ...said.map((one) => ({ said: one })), {
      whole: "-5",
      dec: "-0.50",
      yes: "no",
      day: "2024-02-29",
      at: "2024-02-29 12:00:00.25",
      doc: "-7",
      uid: "0190a5b0-0000-7000-8000-000000000000",
    });
    const file = await exported(table);
    const lines = file.split("\r\n");
    expect(lines[0]).toBe("id,whole,dec,yes,day,at,doc,uid,said");
    expect(lines.slice(1, 6).map((line) => line.split(",").at(-1)))
      .toEqual(["'=1+1", "''=1", "'''@x", "'+4", "'-5"]);
    expect(lines.at(-2)).toBe(
      "11,-5,-0.50,false,2024-02-29,2024-02-29 12:00:00.25,'-7,0190a5b0-0000-7000-8000-000000000000,",
    );
    expect((await csv(copy, file)).json).toEqual({ inserted: 11, total: 11 });
    expect(await rows(copy)).toEqual(await rows(table));
  });

  it("200: NDJSON with numbers, truths and JSON as such", async () => {
    const table = await withColumns(
      { name: "n", field_type: "DECIMAL" },
      { name: "yes", field_type: "BOOLEAN" },
      { name: "doc", field_type: "JSON" },
      { name: '__proto__"', ...text },
    );
    await add(table, { n: "1.50", yes: "t", doc: '{"a":1}', '__proto__"': "=x" }, {});
    expect(await exported(table, "ndjson")).toBe(
      '{"id":1,"n":1.50,"yes":true,"doc":{"a": 1},"__proto__\\"":"=x"}\n' +
        '{"id":2,"n":null,"yes":null,"doc":null,"__proto__\\"":null}\n',
    );
  });

  it("200: many rows, the oldest first; 400: another format; 404: no table", async () => {
    const table = await withColumns({ name: "n", field_type: "INTEGER" });
    await csv(table, ["n", ...Array.from({ length: 1_700 }, (_, n) => n)].join("\n"));
    const lines = (await exported(table)).trim().split("\r\n");
    expect(lines).toEqual(["id,n", ...Array.from({ length: 1_700 }, (_, n) => `${n + 1},${n}`)]);
    expect((await api.get(`${table.path}/data?format=xls`)).status).toBe(400);
    expect((await api.get(`${table.path}999/data?format=csv`)).status).toBe(404);
  });
});
