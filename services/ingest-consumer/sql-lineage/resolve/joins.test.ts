import { describe, expect, it } from "vitest";
import { directEdges, indirectSources } from "#services/ingest-consumer/testing/sql-cases.ts";

const reads = { a: "k v", b: "k w", c: "k x" };

describe("joins in parentheses", () => {
  it.each([
    "(a JOIN b ON ((a.k = b.k)))",
    "((a JOIN b ON a.k = b.k))",
    "(a LEFT JOIN (b JOIN c ON b.k = c.k) ON a.k = b.k)",
    "(((a JOIN b ON a.k = b.k) JOIN c ON c.k = b.k))",
  ])("are seen through: %s", (from) => {
    const sql = `CREATE VIEW t AS SELECT a.v, b.w AS width FROM ${from}`;
    expect(directEdges({ sql, reads })).toEqual(["a.v > v", "b.w > width"]);
    expect(directEdges({ sql, reads: { a: "", b: "", c: "" } }))
      .toEqual(["a.v > v", "b.w > width"]);
  });

  it("have one name for all of it where they have an alias", () => {
    const sql = "CREATE VIEW t AS SELECT j.v, w FROM (a JOIN b USING (k)) AS j";
    expect(directEdges({ sql, reads })).toEqual(["a.v > v", "b.w > w"]);
  });
});

describe("columns that a join makes one", () => {
  it("come from both sides, and stand first", () => {
    const sql = "INSERT INTO t SELECT * FROM a JOIN (SELECT w, k FROM b) q USING (k)";
    expect(directEdges({ sql, reads, writes: { t: "one two three" } }))
      .toEqual(["a.k > one", "a.v > two", "b.k > one", "b.w > three"]);
  });

  it("stay in their place where the system leaves them there", () => {
    const sql = "INSERT INTO t SELECT * FROM (SELECT v, k FROM a) p JOIN b USING (k)";
    const writes = { t: "one two three" };
    expect(directEdges({ sql, system: "sqlite", reads, writes }))
      .toEqual(["a.k > two", "a.v > one", "b.k > two", "b.w > three"]);
    expect(directEdges({ sql, reads, writes }))
      .toEqual(["a.k > one", "a.v > two", "b.k > one", "b.w > three"]);
  });

  it("are found by NATURAL, and not shown twice", () => {
    expect(directEdges({ sql: "CREATE VIEW t AS SELECT * FROM a NATURAL JOIN b", reads }))
      .toEqual(["a.k > k", "a.v > v", "b.k > k", "b.w > w"]);
  });

  it("belong to one side where a qualifier tells it", () => {
    expect(directEdges({ sql: "CREATE VIEW t AS SELECT b.k FROM a JOIN b USING (k)", reads }))
      .toEqual(["b.k > k"]);
  });

  it("bind to the table before them, not to those before a comma", () => {
    const sql = "CREATE VIEW t AS SELECT v, w, x FROM a, b JOIN c USING (k)";
    expect(directEdges({ sql, reads })).toEqual(["a.v > v", "b.w > w", "c.x > x"]);
    expect(indirectSources({ sql, reads })).toEqual(["b.k JOIN", "c.k JOIN"]);
  });
});

describe("a name without a table", () => {
  it("that two tables have is nobody's", () => {
    expect(directEdges({ sql: "CREATE VIEW t AS SELECT k, v FROM a, b", reads }))
      .toEqual(["a.v > v"]);
  });

  it("is of the only table whose columns are unknown, if no other has it", () => {
    const sql = "CREATE VIEW t AS SELECT v, other FROM a JOIN b ON true";
    expect(directEdges({ sql, reads: { a: "k v", b: "" } })).toEqual([
      "a.v > v",
      "b.other > other",
    ]);
    expect(directEdges({ sql, reads: { a: "", b: "" } })).toEqual([]);
  });

  it("of a query within may be one of the query around it, then it is nobody's", () => {
    const sql = "CREATE VIEW t AS SELECT (SELECT max(v) FROM b) AS m FROM a";
    expect(directEdges({ sql, reads: { a: "k v", b: "" } })).toEqual([]);
    expect(directEdges({ sql, reads: { a: "k v", b: "k w" } })).toEqual(["a.v > m"]);
  });

  it("of the other side of a semi join is not among those of a star", () => {
    const sql = "CREATE VIEW t AS SELECT * FROM a LEFT SEMI JOIN b ON a.k = b.k";
    expect(directEdges({ sql, system: "spark", reads })).toEqual(["a.k > k", "a.v > v"]);
  });
});
