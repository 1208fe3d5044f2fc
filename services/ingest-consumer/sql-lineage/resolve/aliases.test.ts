import { describe, expect, it } from "vitest";
import { directEdges } from "#services/ingest-consumer/testing/sql-cases.ts";

const swap = "CREATE VIEW t AS SELECT price AS cost, cost AS price FROM goods";

describe("an alias that equals a column", () => {
  it.each(["postgresql", "snowflake", "redshift", "spark", "duckdb", "mysql", "bigquery_storage"])(
    "never hides the column of a known structure: %s",
    (system) => {
      expect(directEdges({ sql: swap, system, reads: { goods: "price cost" } }))
        .toEqual(["goods.cost > price", "goods.price > cost"]);
    },
  );

  it("of a table without a structure is that of its column, where aliases are not lateral", () => {
    const sql = "CREATE VIEW t AS SELECT a + b AS a, a AS c FROM goods";
    for (const system of ["postgresql", "mssql", "mysql", "oracle", "bigquery_storage"]) {
      expect([system, directEdges({ sql, system, reads: { goods: "" } })])
        .toEqual([system, ["goods.a > a", "goods.a > c", "goods.b > a"]]);
    }
  });

  it("is the column where the SELECT itself takes that from its source before", () => {
    const sql = "CREATE VIEW t AS SELECT a || b AS a, a AS c FROM goods";
    expect(directEdges({ sql, system: "snowflake", reads: { goods: "" } }))
      .toEqual(["goods.a > a", "goods.a > c", "goods.b > a"]);
  });
});

describe("a lateral alias", () => {
  it.each(["redshift", "snowflake", "databricks", "spark", "duckdb", "teradata", "clickhouse"])(
    "stands for its expression where no source has such a column: %s",
    (system) => {
      const sql = "CREATE VIEW t AS SELECT net * 2 AS gross, gross + tax AS total FROM goods";
      for (const columns of ["net tax", ""]) {
        expect(directEdges({ sql, system, reads: { goods: columns } })).toEqual([
          "goods.net > gross",
          "goods.net > total",
          "goods.tax > total",
        ]);
      }
    },
  );
});
