import { describe, expect, it } from "vitest";
import type { Context } from "#platform/context.ts";
import { maxUsedColumns } from "#services/api/features/lookup-tables/physical/definition.queries.ts";
import { lookupTableRoutes } from "#services/api/features/lookup-tables/routes.ts";
import {
  type CreatedTable,
  lookupTables,
} from "#services/api/features/lookup-tables/testing/tables.ts";
import { featureUnderTest } from "#test/support/http/feature.ts";

const { api, database } = featureUnderTest((context: Context) => lookupTableRoutes(context));
const { addColumns, withColumns, add, rows } = lookupTables(() => api);

const physicalOf = async (table: CreatedTable) => {
  const [row] = await database.db.query<{ name: string }>(
    "SELECT format('tributary_lookup.%I', physical_name) AS name FROM lookup_table WHERE id = $1",
    [table.id],
  );
  return row!.name;
};

/** As if so many columns had been added and removed. */
async function useUp(table: CreatedTable, columns: number): Promise<void> {
  const name = await physicalOf(table);
  for (let at = 0; at < columns; at += 300) {
    const names = Array.from({ length: Math.min(300, columns - at) }, (_, i) => `x${i}`);
    const each = (verb: string, end: string) => names.map((one) => `${verb} ${one}${end}`).join();
    await database.db.query(`ALTER TABLE ${name} ${each("ADD", " integer")}`);
    await database.db.query(`ALTER TABLE ${name} ${each("DROP", "")}`);
  }
}

describe("a table whose life had more columns than PostgreSQL counts", () => {
  it("takes another one, with its rows, numbers and rules as they were", async () => {
    const table = await withColumns(
      { name: "code", field_type: "VARCHAR", is_unique: true, is_nullable: false },
      { name: "n", field_type: "SERIAL" },
      { name: "note", field_type: "VARCHAR" },
    );
    await add(table, { code: "a", note: "x" }, { code: "b", n: "7" });
    await useUp(table, 1_590);
    const answer = await addColumns(table.id, [
      { name: "more", field_type: "INTEGER" },
      { name: "and more", field_type: "INTEGER", default_value: "3" },
      ...Array.from({ length: 10 }, (_, i) => ({ name: `c${i}`, field_type: "DATE" as const })),
    ]);
    expect([answer.status, answer.json.fields?.length]).toEqual([200, 16]);
    const [used] = await database.db.query<{ count: number }>(
      "SELECT count(*) AS count FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0",
      [await physicalOf(table)],
    );
    expect(used!.count).toBeLessThan(maxUsedColumns);
    expect((await add(table, { code: "c" })).status).toBe(200);
    expect((await add(table, { code: "a" })).status).toBe(400);
    expect((await add(table, { note: "no code" })).status).toBe(400);
    expect((await rows(table)).map(({ code, n, note }) => [code, n, note])).toEqual([
      ["c", "9", ""],
      ["b", "7", ""],
      ["a", "8", "x"],
    ]);
  });
});

describe("a column whose highest number is taken", () => {
  it("goes on with the lowest numbers that no row has", async () => {
    const table = await withColumns({ name: "n", field_type: "SERIAL", is_unique: true });
    await add(table, { n: null }, { n: "3" }, { n: "2147483647" });
    const answer = await add(table, { n: null }, { n: "4" }, { n: null });
    expect(answer.status).toBe(200);
    expect((await add(table, { n: null })).status).toBe(200);
    expect((await rows(table)).map(({ n }) => Number(n)).toSorted((a, b) => a - b))
      .toEqual([1, 2, 3, 4, 5, 6, 2_147_483_647]);
  });

  it("does so when others write at the same time", async () => {
    const table = await withColumns({ name: "n", field_type: "SERIAL" });
    await add(table, { n: "2147483647" });
    const answers = await Promise.all(Array.from({ length: 8 }, () => add(table, { n: null })));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    const numbers = (await rows(table)).map(({ n }) => n);
    expect(new Set(numbers).size).toBe(9);
  });
});
