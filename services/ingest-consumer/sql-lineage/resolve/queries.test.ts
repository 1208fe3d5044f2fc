import { describe, expect, it } from "vitest";
import {
  directEdges,
  indirectSources,
  subtypes,
} from "#services/ingest-consumer/testing/sql-cases.ts";

const reads = { s: "id amt day", other: "id amt" };

describe("what is made of a column", () => {
  it.each([
    [
      "a sum within a CTE",
      "WITH q AS (SELECT sum(amt) AS x FROM s) SELECT x FROM q",
      "aggregation",
    ],
    [
      "an expression over a sum",
      "WITH q AS (SELECT sum(amt) AS x FROM s) SELECT round(x, 2) AS x FROM q",
      "aggregation",
    ],
    [
      "a sum over an expression",
      "SELECT max(x) AS x FROM (SELECT amt * 2 AS x FROM s) q",
      "aggregation",
    ],
    ["an expression", "SELECT x FROM (SELECT amt * 2 AS x FROM s) q", "transformation"],
    ["a column", "SELECT x FROM (SELECT amt AS x FROM s) q", "identity"],
    ["one of two ways", "SELECT amt AS x FROM s UNION ALL SELECT amt + 1 FROM s", "transformation"],
  ])("%s", (_, select, subtype) => {
    expect(subtypes({ sql: `CREATE VIEW t AS ${select}`, reads })).toEqual([
      `s.amt > x ${subtype}`,
    ]);
  });
});

describe("set operations", () => {
  it("meet by place, with the names of the first", () => {
    const sql = "CREATE VIEW t AS SELECT id AS x, amt AS y FROM s UNION SELECT amt, id FROM other";
    expect(directEdges({ sql, reads }))
      .toEqual(["other.amt > x", "other.id > y", "s.amt > y", "s.id > x"]);
  });

  it("meet by name where they say so", () => {
    const sql =
      "CREATE TABLE t AS SELECT id, amt FROM s UNION ALL BY NAME SELECT amt, id FROM other";
    expect(directEdges({ sql, system: "duckdb", reads }))
      .toEqual(["other.amt > amt", "other.id > id", "s.amt > amt", "s.id > id"]);
  });

  it("take no values from what EXCEPT takes away", () => {
    const sql = "CREATE VIEW t AS SELECT id FROM s EXCEPT SELECT amt FROM other";
    expect(directEdges({ sql, reads })).toEqual(["s.id > id"]);
    expect(indirectSources({ sql, reads })).toEqual(["other.amt FILTER"]);
  });

  it("of different widths tell nothing", () => {
    const sql = "INSERT INTO t SELECT id FROM s UNION ALL SELECT id, amt FROM other";
    expect(directEdges({ sql, reads, writes: { t: "a" } })).toEqual([]);
  });
});

describe("common table expressions", () => {
  it("are not hidden by a table alias of their name", () => {
    const sql =
      "WITH o AS (SELECT id AS k FROM s) INSERT INTO t (a, b) SELECT o.amt, q.k FROM other o, o q";
    expect(directEdges({ sql, reads })).toEqual(["other.amt > a", "s.id > b"]);
  });

  it("go round until nothing new comes", () => {
    const sql = `CREATE VIEW t AS WITH RECURSIVE q (x, y, z) AS (
      SELECT id, amt, day FROM s UNION ALL SELECT y, z, x FROM q) SELECT x FROM q`;
    expect(directEdges({ sql, reads })).toEqual(["s.amt > x", "s.day > x", "s.id > x"]);
  });

  it("have a say by what they filter", () => {
    const sql =
      "CREATE VIEW t AS WITH q AS (SELECT id FROM s WHERE day) SELECT id FROM q WHERE id > 1";
    expect(indirectSources({ sql, reads })).toEqual(["s.day FILTER", "s.id FILTER"]);
  });

  it("that are not used have no say", () => {
    const sql = "CREATE VIEW t AS WITH q AS (SELECT id FROM other WHERE amt > 1) SELECT id FROM s";
    expect(indirectSources({ sql, reads })).toEqual([]);
  });

  it("that are statements are not taken for a table of their name", () => {
    const sql = `WITH other AS (INSERT INTO log SELECT 1 RETURNING id)
      INSERT INTO t (a, b) SELECT other.id, s.amt FROM other, s`;
    expect(directEdges({ sql, reads })).not.toContain("other.id > a");
  });

  it("take names for their columns, as queries in FROM do", () => {
    const sql = `CREATE VIEW t AS WITH q (a, b) AS (SELECT id, amt FROM s)
      SELECT b, n FROM q CROSS JOIN (SELECT amt FROM other) p (n)`;
    expect(directEdges({ sql, reads })).toEqual(["other.amt > n", "s.amt > b"]);
  });
});

describe("queries within expressions", () => {
  it("give what they select; what they filter by has a say only", () => {
    const sql =
      "CREATE VIEW t AS SELECT (SELECT sum(o.amt) FROM other o WHERE o.id = s.id) AS x FROM s";
    expect(directEdges({ sql, reads })).toEqual(["other.amt > x"]);
    expect(indirectSources({ sql, reads })).toEqual(["other.id FILTER", "s.id FILTER"]);
  });

  it("may see the query around them in what they select", () => {
    const sql = "CREATE VIEW t AS SELECT (SELECT s.day FROM other LIMIT 1) AS x FROM s";
    expect(directEdges({ sql, reads })).toEqual(["s.day > x"]);
  });
});

describe("rows, arrays and pivots", () => {
  it("of VALUES have no source, and do not hide a table next to them", () => {
    const sql = "INSERT INTO t SELECT id, n FROM s CROSS JOIN (VALUES ('a'), ('b')) AS v (n)";
    expect(directEdges({ sql, reads, writes: { t: "x y" } })).toEqual(["s.id > x"]);
  });

  it("turn values into columns", () => {
    const sql =
      "INSERT INTO t SELECT * FROM s PIVOT (SUM(amt) FOR day IN ('mon', 'tue')) AS p (k, m, d)";
    expect(directEdges({ sql, system: "snowflake", reads, writes: { t: "k m d" } }))
      .toEqual(["s.amt > d", "s.amt > m", "s.id > k"]);
  });

  it("turn columns into rows", () => {
    const sql = "CREATE VIEW t AS SELECT day, v FROM s UNPIVOT (v FOR n IN (id, amt))";
    expect(directEdges({ sql, system: "snowflake", reads }))
      .toEqual(["s.amt > v", "s.day > day", "s.id > v"]);
  });

  it.each([
    ["postgresql", "SELECT e FROM s, unnest(s.amt) AS e"],
    ["bigquery_storage", "SELECT e FROM s, UNNEST(amt) AS e"],
    ["trino", "SELECT e FROM s CROSS JOIN UNNEST(amt) AS u (e)"],
    ["spark", "SELECT e FROM s LATERAL VIEW explode(amt) x AS e"],
    ["snowflake", "SELECT f.value AS e FROM s, LATERAL FLATTEN(input => s.amt) f"],
    ["clickhouse", "SELECT e FROM s ARRAY JOIN amt AS e"],
  ])("of arrays come from the array: %s", (system, select) => {
    expect(directEdges({ sql: `CREATE VIEW t AS ${select}`, system, reads })).toEqual([
      "s.amt > e",
    ]);
  });

  it("LATERAL sees the tables before it", () => {
    const sql = "CREATE VIEW t AS SELECT q.x FROM s, LATERAL (SELECT s.day AS x FROM other) q";
    expect(directEdges({ sql, reads })).toEqual(["s.day > x"]);
  });

  it("a star of a value makes no column called star", () => {
    const sql = "INSERT INTO t SELECT id, (day).* FROM s";
    expect(directEdges({ sql, reads })).toEqual(["s.id > id"]);
  });
});

describe("without structures", () => {
  const unknown = { s: "" };
  it.each([
    ["the schema of a function", "mssql", "SELECT dbo.clean(s.a) AS x FROM s", ["s.a > x"]],
    ["a unit of time", "mssql", "SELECT DATEADD(day, 1, a) AS x FROM s", ["s.a > x"]],
    ["a unit of time", "snowflake", "SELECT DATEDIFF(month, a, b) AS x FROM s", [
      "s.a > x",
      "s.b > x",
    ]],
    ["a variable", "mssql", "SELECT a + @rate AS x FROM s", ["s.a > x"]],
    ["a pseudo-column", "oracle", "SELECT a, ROWNUM AS x FROM s", ["s.a > a"]],
    ["a sequence", "oracle", "SELECT seq.nextval AS x, a FROM s", ["s.a > a"]],
    ["a declared name", "bigquery_storage", "SELECT a, rate AS x FROM s", ["s.a > a"]],
    ["an element of an array", "bigquery_storage", "SELECT s.a, e.k FROM s, UNNEST(s.list) e", [
      "s.a > a",
      "s.list > k",
    ]],
    ["a parameter of a function", "spark", "SELECT transform(a, e -> e + 1) AS x FROM s", [
      "s.a > x",
    ]],
  ])("%s is no column: %s", (_, system, select, wanted) => {
    const sql = `DECLARE rate INT64; CREATE TABLE t AS ${select}`;
    expect(directEdges({ sql, system, reads: unknown })).toEqual(wanted);
  });

  it("columns beside a star of one table are traced to it", () => {
    const sql = "CREATE VIEW t AS SELECT a, n FROM (SELECT *, 1 AS n FROM s) q";
    expect(directEdges({ sql, reads: unknown })).toEqual(["s.a > a"]);
  });
});

describe("a set operation after a subquery at the end of a SELECT", () => {
  it.each([
    "SELECT amt FROM s WHERE id > (SELECT id FROM other) UNION ALL SELECT id FROM other",
    "SELECT amt FROM s WHERE NOT id = (SELECT id FROM other) UNION SELECT id FROM other",
    "SELECT amt FROM s WHERE id BETWEEN 1 AND (SELECT id FROM other) UNION SELECT id FROM other",
    "SELECT sum(amt) FROM s GROUP BY id HAVING sum(amt) > (SELECT id FROM other) UNION SELECT id FROM other",
    "SELECT s.amt FROM s JOIN other o ON s.id = (SELECT id FROM other) UNION SELECT id FROM other",
    "SELECT amt FROM s WHERE id > (SELECT id FROM other) UNION SELECT id FROM other WHERE id > (SELECT 1) UNION SELECT 1",
    "WITH q AS (SELECT id FROM other) SELECT amt FROM s WHERE id > (SELECT id FROM q) UNION SELECT id FROM q",
  ])("is one of the whole SELECT: %s", (select) => {
    expect(directEdges({ sql: `INSERT INTO t (k) ${select}`, reads })).toEqual([
      "other.id > k",
      "s.amt > k",
    ]);
  });

  it("belongs to the subquery within its parentheses", () => {
    const select = "SELECT amt FROM s WHERE id > ((SELECT id FROM s) UNION SELECT id FROM other)";
    expect(directEdges({ sql: `INSERT INTO t (k) ${select}`, reads })).toEqual(["s.amt > k"]);
  });
});

it.each(["bigquery_storage", "spark", "databricks", "hive"])(
  "text in double quotes after AS is a name also in %s",
  (system) => {
    const sql =
      `INSERT INTO t (k) SELECT q.\`the sum\` FROM (SELECT sum(amt) AS "the sum" FROM s) q`;
    expect(directEdges({ sql, system, reads })).toEqual(["s.amt > k"]);
  },
);
