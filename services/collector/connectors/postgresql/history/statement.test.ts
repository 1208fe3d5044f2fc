import { describe, expect, it } from "vitest";
import { executed, nameParts, useOf } from "./statement.ts";

const names = (list: string[][]) => list.map((parts) => parts.join(".")).sort();

/** `reads > writes` of a statement, or what kind it is of. */
function shown(sql: string): string {
  const use = useOf(sql);
  if (use.kind !== "data") return use.kind;
  return `${names(use.reads).join(" ")} > ${names(use.writes).join(" ")}`;
}

describe("useOf", () => {
  it.each([
    ["SELECT a FROM shop.orders o JOIN Customers c ON c.id = o.c", "customers shop.orders > "],
    [
      "INSERT INTO shop.totals (day, sum) SELECT day, sum(x) FROM shop.orders GROUP BY 1",
      "shop.orders > shop.totals",
    ],
    ["WITH d AS (SELECT * FROM a) INSERT INTO b SELECT * FROM d JOIN c USING (id)", "a c > b"],
    ["CREATE TABLE IF NOT EXISTS t AS SELECT a FROM s", "s > t"],
    ["CREATE UNLOGGED TABLE t AS SELECT a FROM s WITH DATA", "s > t"],
    ["SELECT a INTO t FROM s", "s > t"],
    [
      "MERGE INTO t USING (SELECT * FROM s) q ON q.id = t.id WHEN MATCHED THEN UPDATE SET a = q.a WHEN NOT MATCHED THEN INSERT (id) VALUES (q.id)",
      "s > t",
    ],
    ["UPDATE t SET a = s.a FROM s WHERE s.id = t.id", "s > t"],
    [
      "WITH moved AS (DELETE FROM a WHERE x RETURNING *) INSERT INTO b SELECT * FROM moved",
      "a > b",
    ],
    ["INSERT INTO t (a) VALUES ($1) ON CONFLICT (a) DO UPDATE SET b = excluded.b", " > t"],
    ["DELETE FROM t USING s WHERE s.id = t.id", "s > "],
    ["COPY t TO STDOUT", "t > "],
    ["COPY t FROM STDIN", " > "],
    ["CREATE TABLE t (a int REFERENCES s)", " > "],
    ["CREATE TABLE p PARTITION OF t FOR VALUES FROM ($1) TO ($2)", " > "],
    ["SELECT data #>> $1 FROM docs", "docs > "],
    ["SELECT ARRAY[(SELECT max(id) FROM inner_one)] FROM outer_one", "inner_one outer_one > "],
    ['SELECT 1 FROM "Weird ""name"" – 注文"."b.c"', 'Weird "name" – 注文.b.c > '],
    ["DECLARE c CURSOR FOR SELECT * FROM t", "t > "],
    ["BEGIN", "other"],
    ["REFRESH MATERIALIZED VIEW v", "other"],
    ["EXPLAIN SELECT * FROM t", "other"],
    ["INSERT", "unknown"],
    ["frobnicate the table", "unknown"],
    ["", "unknown"],
  ])("%s", (sql, expected) => expect(shown(sql)).toBe(expected));

  it("reads what a prepared statement runs", () => {
    const sql = executed('PREPARE "q 1" (int, text) AS SELECT a FROM t');
    expect([sql, shown(sql)]).toEqual(["SELECT a FROM t", "t > "]);
  });
});

it("folds names as PostgreSQL does", () => {
  expect(nameParts('Shop . "Orders"')).toEqual(["shop", "Orders"]);
});
