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

const raw = table(5, "public.raw", "id", "secret", "v");
const inputs = [raw, orders, customers];
const safe = (...fields: string[]): SqlDataset => ({ ...totals, fields });
const made = (select: string, ...fields: string[]) =>
  lineageOf(`CREATE TABLE mart.totals AS ${select}`, { inputs, outputs: [safe(...fields)] });

describe("a star with exceptions", () => {
  it.each([
    ["EXCEPT", "bigquery_storage", "* EXCEPT (secret)"],
    ["EXCEPT", "databricks_unity_catalog", "* EXCEPT (secret)"],
    ["EXCEPT", "spark", "* EXCEPT (Secret)"],
    ["EXCEPT", "clickhouse", "* EXCEPT secret"],
    ["EXCEPT", "clickhouse", "r.* EXCEPT (secret)"],
    ["EXCEPT", "materialize", "* EXCEPT (r.secret)"],
    ["EXCLUDE", "snowflake", "* EXCLUDE (SECRET)"],
    ["EXCLUDE", "snowflake", "r.* EXCLUDE secret"],
    ["EXCLUDE", "duckdb", "* EXCLUDE (secret)"],
    ["EXCLUDE", "redshift", "* EXCLUDE (secret)"],
    ["EXCLUDE", "something else", "* EXCLUDE (secret)"],
  ])("leaves out what it names: %s of %s: %s", (_, system, star) => {
    const of = (one: SqlDataset) => ({ ...one, catrn: one.catrn.replace("postgresql", system) });
    const sql = `CREATE TABLE mart.totals AS SELECT ${star} FROM public.raw r`;
    expect(lineageOf(sql, { inputs: inputs.map(of), outputs: [of(totals)] }))
      .toEqual(["raw.id > id", "raw.v > v"]);
  });

  it("renames and replaces what it names", () => {
    expect(made("SELECT * RENAME (v AS w) FROM raw"))
      .toEqual(["raw.id > id", "raw.secret > secret", "raw.v > w"]);
    expect(made("SELECT * EXCLUDE (secret) RENAME v AS w FROM raw"))
      .toEqual(["raw.id > id", "raw.v > w"]);
    expect(made("SELECT * REPLACE (0 AS secret, upper(v) AS v) FROM raw"))
      .toEqual(["raw.id > id", "raw.v > v"]);
    expect(made("SELECT * REPLACE (secret AS v, v AS secret) FROM raw"))
      .toEqual(["raw.id > id", "raw.secret > v", "raw.v > secret"]);
    expect(made("SELECT * EXCEPT (id) REPLACE (id + 1 AS v) FROM raw"))
      .toEqual(["raw.id > v", "raw.secret > secret"]);
  });

  it("stands for the columns of each table of a join, or of the one that it names", () => {
    expect(made("SELECT * EXCEPT (secret, name) FROM raw CROSS JOIN customers c"))
      .toEqual(["customers.id > id", "raw.id > id", "raw.v > v"]);
    expect(made("SELECT c.name, r.* EXCEPT (secret) FROM raw r JOIN customers c ON c.id = r.id"))
      .toEqual([
        "customers.id ~> all",
        "customers.name > name",
        "raw.id > id",
        "raw.id ~> all",
        "raw.v > v",
      ]);
  });

  it("stands for those of a subquery and of a common table expression", () => {
    const numbered = "SELECT *, row_number() OVER (ORDER BY id) AS rn FROM raw";
    const wanted = ["raw.id > id", "raw.id ~> all", "raw.v > v"];
    expect(made(`SELECT * EXCEPT (rn, secret) FROM (${numbered}) WHERE rn = 1`))
      .toEqual(expect.arrayContaining(["raw.id > id", "raw.v > v"]));
    expect(made(`SELECT * EXCEPT (rn, secret) FROM (${numbered}) q WHERE rn = 1`)).toEqual(wanted);
    expect(made(`WITH q AS (${numbered}), p AS (SELECT * EXCEPT (secret) FROM q)
      SELECT * EXCEPT (rn) FROM p`)).toEqual(wanted);
    expect(made("WITH q AS (SELECT * EXCEPT (secret) FROM raw) SELECT * FROM q"))
      .toEqual(["raw.id > id", "raw.v > v"]);
    expect(made("SELECT * EXCEPT (secret) FROM raw UNION ALL SELECT id, v FROM raw"))
      .toEqual(["raw.id > id", "raw.v > v"]);
  });

  it.each([
    ["of a table without a structure", "SELECT * EXCEPT (secret) FROM unknown"],
    ["that names no column, so may be a pattern", 'SELECT * EXCEPT ("^s") FROM raw'],
    [
      "of a query that goes on from itself",
      "WITH RECURSIVE q AS (SELECT id, v FROM raw UNION ALL SELECT * EXCEPT (v) FROM q) SELECT id FROM q",
    ],
    ["within an expression", "SELECT struct(* EXCEPT (secret)) AS s FROM raw"],
    ["of what has columns without names", "SELECT * EXCEPT (v) FROM (SELECT id + 1, v FROM raw) q"],
  ])("is refused %s", (_, select) => {
    const databricks = (one: SqlDataset) => ({
      ...one,
      catrn: one.catrn.replace("postgresql", "databricks"),
    });
    const all = [...inputs, table(3, "public.unknown")].map(databricks);
    expect(
      lineageOf(`CREATE TABLE mart.totals AS ${select.replaceAll('"', "`")}`, {
        inputs: all,
        outputs: [databricks(totals)],
      }),
    )
      .toBe("columns");
  });
});

describe("edges of columns that no structure has", () => {
  const read = (sql: string, ...fields: string[]) =>
    readSql({ sql, inputs, outputs: [safe(...fields)] });

  it("are left out and counted", () => {
    expect(made("SELECT id, secret, v FROM raw", "ID", "V")).toEqual(["raw.id > id", "raw.v > v"]);
    expect(read("CREATE TABLE mart.totals AS SELECT id, secret FROM raw", "id"))
      .toMatchObject({ dropped: 1, edges: [{ source: { path: "id" } }] });
    expect(read("CREATE TABLE mart.totals AS SELECT secret FROM raw", "id"))
      .toMatchObject({ refused: "columns", dropped: 1, gaps: [{ reason: "structure" }] });
  });

  it("stay where nothing tells a structure", () => {
    expect(made("SELECT id, secret FROM raw")).toEqual(["raw.id > id", "raw.secret > secret"]);
  });
});
