import { afterAll, beforeAll, expect, expectTypeOf, it } from "vitest";
import type { Queryable } from "#metadata/postgres/database.ts";
import { plannedEachTime, type Statement, statement } from "#metadata/postgres/statement.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";

let t: TestDatabase;
beforeAll(async () => void (t = await testDatabase(1)));
afterAll(() => t.drop());

const doubled = statement<{ twice: number }>("test-doubled")`SELECT $1::int * 2 AS twice`;

it("is prepared once, under its name, and says what its rows are", async () => {
  for (const n of [1, 2, 3]) expect(await t.db.query(doubled, [n])).toEqual([{ twice: n * 2 }]);
  const prepared = await t.db.query("SELECT name, statement FROM pg_prepared_statements");
  expect(prepared).toEqual([{ name: "test-doubled", statement: doubled.text }]);
  const ask = (db: Queryable) => db.query(doubled, [1]);
  expectTypeOf(ask).returns.resolves.toEqualTypeOf<{ twice: number }[]>();
});

it("keeps no plan when it is to be planned each time", async () => {
  const plannedDouble = plannedEachTime<{ twice: number }>(
    "test-doubled-anew",
  )`SELECT $1::int + $1 AS twice`;
  for (let n = 1; n < 8; n++) {
    expect(await t.db.query(plannedDouble, [n])).toEqual([{ twice: n * 2 }]);
  }
  const prepared = await t.db.query("SELECT FROM pg_prepared_statements WHERE statement = $1", [
    plannedDouble.text,
  ]);
  expect(prepared).toEqual([]);
});

it("is prepared in a transaction as outside of one", async () => {
  const inside = await t.db.transaction((tx) => tx.query(doubled, [21]));
  expect(inside).toEqual([{ twice: 42 }]);
});

it("puts fixed parts into its text", () => {
  const of = (table: string): Statement => statement(`test-of-${table}`)`SELECT FROM ${table} t`;
  expect(of("tag")).toEqual({ name: "test-of-tag", text: "SELECT FROM tag t" });
});

it("refuses a name that is taken", () => {
  expect(() => statement("test-doubled")`SELECT 1`).toThrow(
    "There are two statements with the name test-doubled",
  );
});

it.each(["", "Upper", "a b", "9", "x".repeat(64)])("refuses the name %j", (name) => {
  expect(() => statement(name)`SELECT 1`).toThrow(`"${name}" is no name of a statement`);
});
