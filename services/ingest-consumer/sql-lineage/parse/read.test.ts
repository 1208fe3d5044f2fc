import { describe, expect, it } from "vitest";
import {
  customers,
  lineageOf,
  orders,
  table,
  totals,
} from "#services/ingest-consumer/testing/sql-tables.ts";
import type { SqlDataset } from "../model.ts";
import { readSql } from "./read.ts";

describe("statements that write a query", () => {
  const wanted = ["orders.id > day", "orders.state ~> all", "orders.total > net"];
  it.each([
    [
      "INSERT",
      "INSERT INTO mart.totals (day, net) SELECT id, sum(total) FROM orders WHERE state = 'x'",
    ],
    [
      "INSERT with a CTE before it",
      `WITH c AS (SELECT id, total FROM orders WHERE state = 'x')
       INSERT INTO mart.totals (day, net) SELECT id, sum(total) FROM c`,
    ],
    [
      "INSERT with a CTE in it",
      `INSERT INTO mart.totals (day, net)
       WITH c AS (SELECT id, total FROM orders WHERE state = 'x') SELECT id, total + 1 FROM c`,
    ],
    [
      "INSERT of what stands in parentheses",
      "INSERT INTO mart.totals (day, net) (SELECT id, total FROM orders WHERE state = 'x')",
    ],
    [
      "CREATE TABLE AS",
      "CREATE TABLE mart.totals AS SELECT id AS day, total * 2 AS net FROM orders WHERE state = 'x'",
    ],
    ["CREATE VIEW", "CREATE VIEW totals AS SELECT id day, total net FROM orders WHERE state = 'x'"],
    [
      "CREATE VIEW with names",
      "CREATE OR REPLACE VIEW totals (day, net) AS SELECT id, total FROM orders WHERE state = 'x'",
    ],
    [
      "CREATE MATERIALIZED VIEW",
      "CREATE MATERIALIZED VIEW totals AS SELECT id day, total net FROM orders WHERE state = 'x'",
    ],
    ["SELECT INTO", "SELECT id AS day, total AS net INTO totals FROM orders WHERE state = 'x'"],
    ["a query alone", "SELECT id AS day, total AS net FROM orders WHERE state = 'x'"],
    [
      "statements beside it",
      `BEGIN; DROP TABLE IF EXISTS x; SET a = 1;
       INSERT INTO totals (day, net) SELECT id, total FROM orders WHERE state = 'x'; COMMIT`,
    ],
    [
      "a subquery",
      `INSERT INTO totals (day, net)
       SELECT q.i, q.t FROM (SELECT id AS i, total AS t FROM orders WHERE state = 'x') q`,
    ],
  ])("%s", (_, sql) => expect(lineageOf(sql)).toEqual(wanted));

  it("of another dialect by the CATRN of the output", () => {
    const bigquery = {
      ...totals,
      catrn: "//bigquery_storage/cloud/gcp/project/p/datasets/mart/tables/totals",
    };
    const sql =
      "CREATE OR REPLACE TABLE `p.mart.totals` AS SELECT id AS day FROM `shop.public.orders`";
    expect(lineageOf(sql, { outputs: [bigquery] })).toEqual(["orders.id > day"]);
  });
});

describe("dialects", () => {
  const sql = `INSERT INTO Mart.TOTALS (day, Net)
    WITH c AS (SELECT o.ID, Total AS t FROM Public.Orders o WHERE State = 'x')
    SELECT c.id, sum(c.T) OVER (PARTITION BY customers.Name) FROM c JOIN customers ON customers.id = c.id`;
  const wanted = [
    "customers.id ~> all",
    "customers.name > net",
    "customers.name ~> all",
    "orders.id > day",
    "orders.id ~> all",
    "orders.state ~> all",
    "orders.total > net",
  ];
  it.each([
    ...["postgresql", "mysql", "clickhouse", "singlestore", "hive", "snowflake", "redshift"],
    ...["mssql", "oracle", "trino", "presto", "databricks_unity_catalog", "duckdb", "athena"],
    ...["spark", "sqlite", "teradata", "bigquery_storage", "something else"],
  ])("%s", (system) => {
    const of = (one: SqlDataset) => ({ ...one, catrn: one.catrn.replace("postgresql", system) });
    const inputs = [orders, customers].map(of);
    expect(lineageOf(sql, { inputs, outputs: [of(totals)] })).toEqual(wanted);
  });
});

describe("columns", () => {
  it("of a join, by aliases, names and what the structures tell", () => {
    expect(lineageOf(`INSERT INTO totals (a, b, c)
      SELECT o.id, name, Total FROM shop.public.orders o JOIN customers ON o.customer = customers.id`))
      .toEqual([
        "customers.id ~> all",
        "customers.name > b",
        "orders.customer ~> all",
        "orders.id > a",
        "orders.total > c",
      ]);
  });

  it("of SELECT * where structures tell them, and none where nothing does", () => {
    expect(lineageOf("CREATE VIEW totals AS SELECT * FROM customers"))
      .toEqual(["customers.id > id", "customers.name > name"]);
    expect(lineageOf("CREATE VIEW totals AS SELECT * FROM unknown")).toBe("columns");
    expect(lineageOf("CREATE VIEW totals AS SELECT *, u.b AS c FROM unknown u"))
      .toEqual(["unknown.b > c"]);
  });

  it("without a name are told by their place in the output's structure, or not at all", () => {
    const sql = "INSERT INTO totals SELECT id, count(*), max(total), total FROM orders";
    const filled = { ...totals, fields: ["First", "second", "third", "fourth", "more"] };
    expect(lineageOf(sql, { outputs: [filled] }))
      .toEqual(["orders.id > first", "orders.total > fourth", "orders.total > third"]);
    expect(lineageOf(sql)).toEqual(["orders.id > id", "orders.total > total"]);
    const view = "CREATE VIEW totals AS SELECT max(total), id FROM orders";
    expect(lineageOf(view)).toEqual(["orders.id > id"]);
    expect(lineageOf(view, { outputs: [{ ...totals, fields: ["max", "id"] }] }))
      .toEqual(["orders.id > id", "orders.total > max"]);
  });

  it("of both sides of a union", () => {
    expect(
      lineageOf(
        "CREATE VIEW totals AS SELECT id AS x FROM orders UNION ALL SELECT id FROM customers",
      ),
    )
      .toEqual(["customers.id > x", "orders.id > x"]);
  });

  it("of tables that are no inputs are ignored; so are those that may be of several", () => {
    expect(
      lineageOf("INSERT INTO totals (a, b) SELECT o.id, x.y FROM orders o JOIN other.x ON true"),
    )
      .toEqual(["orders.id > a"]);
    const twin = table(4, "archive.orders", "id");
    const inputs = [orders, twin];
    expect(lineageOf("INSERT INTO totals (a) SELECT id FROM orders", { inputs })).toBe("columns");
    expect(lineageOf("INSERT INTO totals (a) SELECT id FROM public.orders", { inputs }))
      .toEqual(["orders.id > a"]);
  });

  it("of a common table expression that is called like an input are its own", () => {
    expect(lineageOf(`WITH customers AS (SELECT id AS key FROM orders)
      INSERT INTO totals (a) SELECT key FROM customers`)).toEqual(["orders.id > a"]);
  });

  it("of one that is made of a table of its own name, as it is where nothing is recursive", () => {
    expect(lineageOf(`WITH orders AS (SELECT * FROM orders WHERE state = 'x'),
        sums AS (SELECT id, sum(total) AS t FROM orders GROUP BY id)
      INSERT INTO totals (a, b) SELECT id, t FROM sums`)).toEqual([
      "orders.id > a",
      "orders.id ~> all",
      "orders.state ~> all",
      "orders.total > b",
    ]);
    expect(
      lineageOf(`WITH RECURSIVE orders AS (SELECT id FROM customers UNION ALL SELECT id FROM orders)
      INSERT INTO totals (a) SELECT id FROM orders`),
    ).toEqual(["customers.id > a"]);
  });

  it("have their share told", () => {
    const reading = readSql({
      sql: "INSERT INTO totals (a, b) SELECT state, sum(total) FROM orders GROUP BY state",
      inputs: [orders],
      outputs: [totals],
    });
    expect("edges" in reading && reading.edges.map(({ kind, subtype }) => `${kind} ${subtype}`))
      .toEqual(["DIRECT IDENTITY", "DIRECT AGGREGATION", "INDIRECT GROUP_BY"]);
  });
});

describe("what is not understood", () => {
  it.each([
    ["COPY totals FROM '/tmp/x'", "statement"],
    ["CALL fill()", "statement"],
    ["INSERT INTO totals VALUES (1)", "columns"],
    ["DROP TABLE totals", "statement"],
    ["", "statement"],
    ["SELECT FROM WHERE", "syntax"],
    ["SELECT {{ x }} FROM {{ ref('a') }}", "syntax"],
    ["INSERT INTO elsewhere SELECT id FROM orders", "target"],
    ["INSERT INTO totals (a) SELECT 1", "columns"],
  ])("%s", (sql, reason) => expect(lineageOf(sql)).toBe(reason));

  it("a query alone, of a job with several outputs", () => {
    expect(lineageOf("SELECT id FROM orders", { outputs: [totals, customers] })).toBe("target");
  });
});
