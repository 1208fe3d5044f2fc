import { Buffer } from "node:buffer";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Config } from "#platform/config/schema.ts";
import type { Context } from "#platform/context.ts";
import { LookupStore } from "#platform/lookup-store.ts";
import { sweepTables } from "#services/housekeeping/lookup-tables.ts";
import type { SweepBounds } from "#services/housekeeping/lookup-tables.ts";
import {
  type CreatedTable,
  lookupTables,
} from "#services/api/features/lookup-tables/testing/tables.ts";
import { lookupTableRoutes } from "#services/api/features/lookup-tables/routes.ts";
import { purgeDeleted } from "#services/housekeeping/purge.ts";
import { superuserOf, type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { type TestApi, testApi, testContext } from "#test/support/http/api.ts";

const text = { field_type: "VARCHAR" } as const;
let other: TestDatabase;
beforeAll(async () => void (other = await testDatabase()));
afterAll(() => other.drop());

describe.each(["with the metadata", "in another database"])("rows that lie %s", (where) => {
  const isSeparate = where === "in another database";
  let database: TestDatabase;
  let context: Context;
  let api: TestApi;
  let schema: string;
  let rowsOf: TestDatabase;
  beforeAll(async () => {
    database = await testDatabase();
    rowsOf = isSeparate ? other : database;
    const config = Config.parse({ instance: database.name });
    context = testContext(database, { config, ...(isSeparate ? { lookup: other.db } : {}) });
    schema = new LookupStore(context).schema;
    api = testApi(lookupTableRoutes(context), context);
  });
  afterAll(async () => {
    await context.wakeups.close();
    await database.drop();
  });
  const { create, addColumns, withColumns, add, rows } = lookupTables(() => api);
  const existing = async () => (await rowsOf.db.query<{ name: string; owner: string }>(
    "SELECT tablename AS name, tableowner AS owner FROM pg_tables WHERE schemaname = $1 ORDER BY 1",
    [schema],
  ));
  const physicalOf = async ({ id }: Pick<CreatedTable, "id">) =>
    (await database.db.query<{ name: string }>(
      "SELECT physical_name AS name FROM lookup_table WHERE id = $1",
      [id],
    ))[0]!.name;
  const sweep = (after = "", bounds?: SweepBounds) =>
    sweepTables(database.db, new LookupStore(context), after, bounds);

  const hostile = [
    '"; DROP TABLE data_entity; --',
    "select",
    "' OR 1=1 --",
    "Größe ✓ 数据",
    "__proto__",
    "${x} $1 %I",
    `${"ü".repeat(150)}a`,
    `${"ü".repeat(150)}b`,
  ];

  it("take any name for a table and a column, and belong to a role of their own", async () => {
    for (const name of hostile) {
      const { table_id } = await create(name, `space ${name.slice(0, 40)}`);
      const path = `/api/referencedata/table/${table_id}`;
      const fields = hostile.map((one) => ({
        name: one,
        ...text,
        default_value: one,
        is_nullable: false,
      }));
      const { json } = await addColumns(table_id, fields);
      const columns = Object.fromEntries(
        json.fields.map((f: { name: string; field_id: number }) => [f.name, f.field_id]),
      );
      const table = { id: table_id, dataset: json.dataset_id, path, columns };
      expect((await add(table, {})).status).toBe(200);
      const [row] = await rows(table);
      for (const one of hostile) expect(row![one], one).toBe(one);
      expect(Buffer.byteLength(await physicalOf(table))).toBeLessThanOrEqual(63);
    }
    const tables = await existing();
    expect(tables).toHaveLength(hostile.length);
    expect(new Set(tables.map(({ owner }) => owner))).toEqual(new Set(["tributary_lookup"]));
  });

  it("are out of reach for nobody but them: the role reads nothing of the catalogue", async () => {
    const store = new LookupStore(context);
    const pending = store.alone(({ tx }) => tx.query("SELECT * FROM public.token"));
    await expect(pending).rejects.toThrow(/permission denied/);
    const made = store.alone(({ tx }) => tx.query("CREATE TABLE public.mine ()"));
    await expect(made).rejects.toThrow(/permission denied/);
  });

  it("go with the purge of their entity and not before; what never was finished goes as well", async () => {
    const table = await withColumns({ name: "a", ...text });
    const name = await physicalOf(table);
    const names = async () => (await existing()).map((one) => one.name);
    await superuserOf(rowsOf.name).query(
      `CREATE TABLE "${schema}".orphan (); ALTER TABLE "${schema}".orphan OWNER TO tributary_lookup`,
    );
    await superuserOf(rowsOf.name).query(
      `ALTER TABLE "${schema}"."${name}" ADD COLUMN orphan text NOT NULL`,
    );
    await api.delete(table.path);
    expect(await sweep()).toEqual({ next: null, dropped: 2 });
    expect(await names()).toContain(name);
    expect(await names()).not.toContain("orphan");
    await purgeDeleted(database.db, new Date(Date.now() + 60_000), 100);
    expect(await sweep()).toEqual({ next: null, dropped: 1 });
    expect(await names()).not.toContain(name);
  });

  it("are swept some at a time; one that is read stops no other and goes the next time", async () => {
    const names = Array.from({ length: 5 }, (_, n) => `_left ${n}`);
    for (const name of names) {
      await superuserOf(rowsOf.name).query(
        `CREATE TABLE "${schema}"."${name}" (); ALTER TABLE "${schema}"."${name}" OWNER TO tributary_lookup`,
      );
    }
    const left = async () =>
      (await existing()).filter(({ name }) => name.startsWith("_left")).length;
    const swept = async () => {
      const outcomes = [];
      for (let after: string | null = ""; after !== null;) {
        const { next, dropped } = await sweep(after, { scanned: 3, changed: 2 });
        outcomes.push(dropped);
        after = next;
      }
      return outcomes.filter((dropped) => dropped > 0);
    };
    await rowsOf.db.transaction(async (tx) => {
      await tx.query("SET LOCAL ROLE tributary_lookup");
      await tx.query(`SELECT FROM "${schema}"."${names[1]}"`);
      expect(await swept()).toEqual([1, 2, 1]);
      expect(await left()).toBe(1);
    });
    expect(await swept()).toEqual([1]);
    expect(await left()).toBe(0);
  });

  it("are not swept while somebody makes a table", async () => {
    await database.db.transaction(async (tx) => {
      await tx.query("SELECT pg_advisory_xact_lock_shared(hashtext('lookup-tables'))");
      expect(await sweep()).toEqual({ next: null, dropped: 0 });
    });
  });

  it("lose a column at once", async () => {
    const table = await withColumns({ name: "a", ...text, is_nullable: false }, {
      name: "b",
      ...text,
    });
    await add(table, { a: "x" });
    expect((await api.delete(`${table.path}/columns/${table.columns.a}`)).status).toBe(204);
    const columns = await rowsOf.db.query(
      "SELECT attname FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped",
      [`"${schema}"."${await physicalOf(table)}"`],
    );
    expect(columns).toHaveLength(2);
    expect((await add(table, { b: "y" })).status).toBe(200);
  });
});

it("a server that is away for a moment is not taken for one without the role", async () => {
  let away = true;
  const db = {
    ...other.db,
    transaction: (work: never) =>
      away && !(away = false)
        ? Promise.reject(new Error("Connection terminated unexpectedly"))
        : other.db.transaction(work),
  } as unknown as Context["db"];
  const context = testContext(other);
  const store = new LookupStore({ ...context, db });
  const role = () =>
    store.alone(async ({ tx }) => (await tx.query("SELECT current_user::text AS name"))[0]);
  await expect(role()).rejects.toThrow("terminated");
  expect(await role()).toEqual({ name: "tributary_lookup" });
  await context.wakeups.close();
});

describe("a server without the role", () => {
  it("has its tables made under the program's own, which it says once, and handed over later", async () => {
    const database = await testDatabase();
    const log: string[] = [];
    const quiet = testContext(database);
    const context = {
      ...quiet,
      log: { ...quiet.log, warn: (message: string) => void log.push(message) },
    } as Context;
    const owners = () =>
      database.db.query(
        "SELECT DISTINCT tableowner AS owner FROM pg_tables WHERE schemaname = 'tributary_lookup'",
      );
    try {
      const refusing = {
        ...database.db,
        query: database.db.query.bind(database.db),
        transaction: (work: (tx: unknown) => Promise<unknown>) =>
          database.db.transaction((tx) =>
            work({
              ...tx,
              query: (text: string, values: unknown[]) =>
                text === "SET LOCAL ROLE tributary_lookup"
                  ? Promise.reject(new Error("permission denied to set role"))
                  : tx.query(text, values),
            })
          ),
      };
      const without = testApi(
        lookupTableRoutes({ ...context, db: refusing as unknown as Context["db"] }),
        context,
      );
      const { create } = lookupTables(() => without);
      await create("a");
      await create("b");
      expect(log).toEqual([expect.stringContaining("no role tributary_lookup")]);
      expect(await owners()).toEqual([{ owner: "tributary_app" }]);
      const { create: createWith } = lookupTables(() => testApi(lookupTableRoutes(quiet), quiet));
      await createWith("c");
      expect(await owners()).toEqual([{ owner: "tributary_lookup" }]);
    } finally {
      await quiet.wakeups.close();
      await database.drop();
    }
  });
});
