import { describe, expect, it } from "vitest";
import { directEdges, readCase } from "#services/ingest-consumer/testing/sql-cases.ts";

const reads = { s: "a b c", u: "a d" };

describe("tables that a text makes and reads", () => {
  it.each([
    [
      "postgresql",
      "CREATE TEMP TABLE w AS SELECT a AS x FROM s; INSERT INTO t (k) SELECT x FROM w",
    ],
    ["mssql", "SELECT a AS x INTO #w FROM s; INSERT INTO t (k) SELECT x FROM #w"],
    [
      "redshift",
      "create temp table w (x int); insert into w select a from s; insert into t (k) select x from w",
    ],
    [
      "snowflake",
      "CREATE OR REPLACE VIEW w AS SELECT a AS x FROM s; INSERT INTO t (k) SELECT x FROM w; DROP VIEW w",
    ],
    [
      "postgresql",
      "CREATE TABLE w AS SELECT a AS k FROM s; DROP TABLE t; ALTER TABLE w RENAME TO t",
    ],
  ])("are seen through: %s: %s", (system, sql) => {
    expect(directEdges({ sql, system, reads })).toEqual(["s.a > k"]);
  });

  it("hide an input of their name", () => {
    const sql =
      "CREATE TEMPORARY TABLE u AS SELECT b AS d FROM s; INSERT INTO t (k) SELECT d FROM u";
    expect(directEdges({ sql, reads })).toEqual(["s.b > k"]);
  });

  it("hide it also where nothing tells what they are made of", () => {
    const sql =
      "CREATE TEMPORARY TABLE v AS SELECT nonsense nonsense nonsense; INSERT INTO t (k) SELECT d FROM v";
    expect(directEdges({ sql, reads })).toEqual([]);
  });

  it("collect what several statements bring", () => {
    const sql = `CREATE TEMP TABLE w AS SELECT a FROM s; INSERT INTO w SELECT d FROM u;
      UPDATE w SET a = a + s.b FROM s; INSERT INTO t (k) SELECT a FROM w`;
    expect(directEdges({ sql, reads })).toEqual(["s.a > k", "s.b > k", "u.d > k"]);
  });
});

describe("queries alone", () => {
  it("beside a statement that writes are no source", () => {
    expect(directEdges({ sql: "SELECT d FROM u; INSERT INTO t (k) SELECT a FROM s", reads }))
      .toEqual(["s.a > k"]);
  });

  it("of which there are several fill nothing", () => {
    expect(directEdges({ sql: "SELECT d FROM u; SELECT a FROM s", reads })).toEqual([]);
  });
});

describe("INSERT", () => {
  it.each([
    ["hive", "INSERT OVERWRITE TABLE t PARTITION (day = 'x') SELECT a, b FROM s", [
      "s.a > k",
      "s.b > v",
    ]],
    ["hive", "INSERT OVERWRITE TABLE t PARTITION (day) SELECT a, b, c FROM s", [
      "s.a > k",
      "s.b > v",
      "s.c > day",
    ]],
    ["hive", "FROM s INSERT INTO TABLE t PARTITION (day = 'x') SELECT a, b WHERE c > 1", [
      "s.a > k",
      "s.b > v",
    ]],
    ["mysql", "INSERT INTO t (v) SELECT a FROM s ON DUPLICATE KEY UPDATE v = 1", ["s.a > v"]],
    [
      "postgresql",
      "INSERT INTO t AS x (v) SELECT a FROM s ON CONFLICT (k) DO NOTHING RETURNING k",
      ["s.a > v"],
    ],
    ["mssql", "INSERT INTO t WITH (TABLOCK) (v) SELECT a FROM s WITH (NOLOCK)", ["s.a > v"]],
    ["mssql", "INSERT t (v) SELECT v = a FROM s", ["s.a > v"]],
    [
      "snowflake",
      "INSERT ALL INTO t (k) VALUES (x) INTO t (v) VALUES (y) SELECT a AS x, b AS y FROM s",
      ["s.a > k", "s.b > v"],
    ],
    ["clickhouse", "INSERT INTO t (* EXCEPT (day)) SELECT a, b FROM s", ["s.a > k", "s.b > v"]],
    ["duckdb", "INSERT INTO t BY NAME SELECT a AS v FROM s", ["s.a > v"]],
    ["postgresql", "INSERT INTO t (v) VALUES ((SELECT max(a) FROM s))", ["s.a > v"]],
  ])("%s: %s", (system, sql, wanted) => {
    expect(directEdges({ sql, system, reads, writes: { t: "k v day" } })).toEqual(wanted);
  });

  it("of more columns than the target has tells nothing", () => {
    const sql = "INSERT INTO t SELECT a, b, c FROM s";
    expect(directEdges({ sql, reads, writes: { t: "a b" } })).toEqual([]);
  });

  it("fills several tables of Hive from one FROM", () => {
    const sql = "FROM s INSERT INTO TABLE t SELECT a INSERT INTO TABLE w SELECT b WHERE c = 1";
    expect(directEdges({ sql, system: "hive", reads, writes: { t: "x", w: "y" } }))
      .toEqual(["s.a > t.x", "s.b > w.y"]);
  });
});

describe("UPDATE", () => {
  it.each([
    ["postgresql", "UPDATE t AS x SET k = s.a, (v, day) = (s.b, s.c) FROM s WHERE s.a = x.k"],
    ["mssql", "UPDATE x SET x.k = s.a, v = s.b, day += s.c FROM t x JOIN s ON s.a = x.k"],
    ["mysql", "UPDATE t x JOIN s ON s.a = x.k SET x.k = s.a, x.v = s.b, x.day = s.c"],
    ["snowflake", "UPDATE t SET k = a, v = b, day = c FROM s WHERE s.a = t.k"],
    ["postgresql", "WITH q AS (SELECT * FROM s) UPDATE t SET k = q.a, v = q.b, day = q.c FROM q"],
    [
      "oracle",
      "UPDATE t SET k = (SELECT a FROM s), (v, day) = (SELECT s.b, s.c FROM s WHERE s.a = t.k)",
    ],
  ])("fills what it sets: %s: %s", (system, sql) => {
    expect(directEdges({ sql, system, reads, writes: { t: "k v day" } }))
      .toEqual(["s.a > k", "s.b > v", "s.c > day"]);
  });

  it("of one table of a join leaves out what it sets in another", () => {
    const sql = "UPDATE t x JOIN s ON s.a = x.k SET x.k = s.a, s.b = s.c";
    expect(directEdges({ sql, system: "mysql", reads, writes: { t: "k v" } })).toEqual(["s.a > k"]);
  });
});

describe("definitions as catalogues print them", () => {
  it.each([
    ["oracle", "CREATE OR REPLACE FORCE EDITIONABLE VIEW t (k) AS select a from s WITH READ ONLY"],
    ["mssql", "CREATE VIEW dbo.t WITH SCHEMABINDING AS SELECT a AS k FROM dbo.s WITH CHECK OPTION"],
    ["mssql", "ALTER VIEW dbo.t AS SELECT a AS k FROM dbo.s"],
    [
      "mssql",
      "SET NOCOUNT ON\nDECLARE @d date = getdate()\nEXEC log 'x'\nINSERT INTO t (k)\nSELECT a FROM s",
    ],
    [
      "mysql",
      "CREATE ALGORITHM=UNDEFINED DEFINER=`me`@`%` SQL SECURITY DEFINER VIEW `t` AS select `w`.`s`.`a` AS `k` from (`w`.`s` join `w`.`u` on((`w`.`s`.`a` = `w`.`u`.`a`)))",
    ],
    ["postgresql", "CREATE TABLE t AS SELECT a AS k FROM s WITH NO DATA"],
    ["postgresql", "CREATE VIEW t AS SELECT a AS k FROM s WITH LOCAL CHECK OPTION"],
    [
      "spark",
      "CREATE TABLE t USING parquet TBLPROPERTIES ('x' = 'AS SELECT') AS SELECT a AS k FROM s",
    ],
    ["databricks", "CREATE OR REFRESH STREAMING TABLE t AS SELECT a AS k FROM STREAM(s)"],
    ["clickhouse", "CREATE MATERIALIZED VIEW mv TO t (k Int8) AS SELECT a AS k FROM s"],
    ["clickhouse", "CREATE VIEW t (k) AS SELECT a FROM s"],
    [
      "snowflake",
      "ALTER SESSION SET x = 1; CREATE OR REPLACE DYNAMIC TABLE t TARGET_LAG = '1 day' WAREHOUSE = w AS SELECT a AS k FROM s",
    ],
    [
      "snowflake",
      "CREATE OR REPLACE VIEW t (k COMMENT 'the (key), of it') COPY GRANTS AS SELECT a FROM s",
    ],
    ["teradata", "CREATE TABLE t AS (SELECT a AS k FROM s) WITH DATA PRIMARY INDEX (k)"],
    ["redshift", "CREATE TABLE t DISTKEY (k) AS SELECT a AS k FROM s"],
    [
      "bigquery_storage",
      "CREATE OR REPLACE TABLE `w.s.t` PARTITION BY k AS SELECT a AS k FROM `w.s.s`",
    ],
  ])("%s: %s", (system, sql) => {
    expect(directEdges({ sql, system, reads })).toEqual(["s.a > k"]);
  });

  it("of a procedure do not run", () => {
    const sql = "CREATE PROCEDURE p AS BEGIN INSERT INTO t (k) SELECT a FROM s; END";
    expect(directEdges({ sql, system: "mssql", reads })).toEqual([]);
  });
});

describe("MERGE of all columns", () => {
  it("fills only columns that both have", () => {
    const sql = "MERGE INTO t USING s ON t.a = s.a WHEN NOT MATCHED THEN INSERT *";
    expect(directEdges({ sql, system: "databricks", reads, writes: { t: "a c z" } }))
      .toEqual(["s.a > a", "s.c > c"]);
    expect(directEdges({ sql, system: "databricks", reads })).toEqual([]);
  });
});

describe("what could not be traced", () => {
  it("is told with its place in the text", () => {
    const sql =
      "-- totals\nINSERT INTO t (k, v)\nSELECT a,\n  q.nothing FROM s, (SELECT 1 AS one) q";
    const { reading } = readCase({ sql, reads, writes: { t: "k v" } });
    expect(reading.gaps).toEqual([
      { dataset: 3, column: "v", reason: "column", line: 4, position: 3 },
    ]);
  });

  it("of a statement does not hide the others", () => {
    const sql = "CALL fill();\nINSERT INTO t (k) SELECT a FROM s";
    const { reading } = readCase({ sql, reads });
    expect(reading).toMatchObject({
      edges: [{ source: { path: "a" } }],
      gaps: [{ dataset: undefined, reason: "statement", line: 1, position: 1 }],
    });
  });
});

it("END of a CASE on a line of its own begins no statement of SQL Server", () => {
  const sql =
    "CREATE VIEW t AS SELECT CASE\nWHEN a = 1 THEN b\nEND AS k\nFROM s ORDER BY CASE\nWHEN a = 1 THEN b\nEND";
  expect(directEdges({ sql, system: "mssql", reads })).toEqual(["s.a > k", "s.b > k"]);
});
