import { describe, expect, it } from "vitest";
import {
  customers,
  lineageOf,
  orders,
  table,
  totals,
} from "#services/ingest-consumer/testing/sql-tables.ts";

const joined = "MERGE INTO mart.totals t USING orders o ON t.day = o.id";
const filled = { outputs: [{ ...totals, fields: ["Day", "Net", "id"] }] };

describe("MERGE", () => {
  it("fills what its clauses set and insert, from what is joined and from the conditions", () => {
    expect(lineageOf(`${joined}
      WHEN MATCHED AND o.state = 'x' THEN UPDATE SET net = t.net + o.total
      WHEN NOT MATCHED THEN INSERT (day, net) VALUES (o.id, o.customer)`)).toEqual([
      "orders.customer > net",
      "orders.id > day",
      "orders.id ~> all",
      "orders.state ~> all",
      "orders.total > net",
    ]);
  });

  it.each([
    ["without aliases", "MERGE INTO mart.totals USING orders ON totals.day = orders.id", "orders"],
    [
      "of a query",
      `MERGE INTO totals t USING (SELECT id, sum(total) AS total FROM public.orders GROUP BY id) o ON t.day = o.id`,
      "o",
    ],
    [
      "of a CTE",
      `WITH c AS (SELECT id, total FROM orders) MERGE INTO totals USING c ON totals.day = c.id`,
      "c",
    ],
    [
      "of a CTE called as what is merged into",
      `WITH totals AS (SELECT id, total FROM orders) MERGE INTO mart.totals t USING totals c ON t.day = c.id`,
      "c",
    ],
  ])("%s", (_, merge, source) => {
    expect(
      lineageOf(
        `${merge} WHEN NOT MATCHED THEN INSERT (day, net) VALUES (${source}.id, ${source}.total)
      WHEN MATCHED THEN DELETE`,
      ),
    ).toEqual([
      "orders.id > day",
      "orders.id ~> all",
      "orders.total > net",
    ]);
  });

  it("takes a name without table for a column of what has it", () => {
    const sql = `${joined} WHEN MATCHED THEN UPDATE SET net = total + net, day = id`;
    const insert = "WHEN NOT MATCHED THEN INSERT (day) VALUES (customer)";
    const separate = { outputs: [{ ...totals, fields: ["day", "net"] }] };
    expect(lineageOf(`${sql} ${insert}`, separate)).toEqual([
      "orders.customer > day",
      "orders.id > day",
      "orders.id ~> all",
      "orders.total > net",
    ]);
    // A name that the source is known to have is of the source: were it of both, the statement would not run.
    expect(lineageOf(`${sql} ${insert}`)).toEqual([
      "orders.customer > day",
      "orders.id > day",
      "orders.id ~> all",
      "orders.total > net",
    ]);
    // Both have an `id` then: nothing tells which is meant where both are seen.
    expect(lineageOf(`${sql} WHEN NOT MATCHED THEN INSERT (id) VALUES (id)`, filled)).toEqual([
      "orders.id > id",
      "orders.id ~> all",
      "orders.total > net",
    ]);
  });

  it("inserts by place where it names no columns", () => {
    const sql = `${joined} WHEN NOT MATCHED THEN INSERT VALUES (o.id, o.total, 1)`;
    expect(lineageOf(sql, filled)).toEqual([
      "orders.id > day",
      "orders.id ~> all",
      "orders.total > net",
    ]);
    const alike = { outputs: [{ ...totals, fields: ["a", "b", "c", "d"] }] };
    expect(
      lineageOf(
        "MERGE INTO totals t USING orders o ON t.a = o.id WHEN NOT MATCHED THEN INSERT ROW",
        alike,
      ),
    )
      .toEqual(expect.arrayContaining(["orders.customer > b", "orders.total > c"]));
  });

  it("sets and inserts all columns by name", () => {
    const source = { inputs: [customers], outputs: [{ ...totals, fields: ["id", "name"] }] };
    const wanted = ["customers.id > id", "customers.id ~> all", "customers.name > name"];
    for (const clause of ["WHEN MATCHED THEN UPDATE SET *", "WHEN NOT MATCHED THEN INSERT *"]) {
      expect(lineageOf(`MERGE INTO totals t USING customers c ON t.id = c.id ${clause}`, source))
        .toEqual(wanted);
    }
  });

  it("reads what it writes only where that is an input as well", () => {
    const sql = `${joined} WHEN MATCHED THEN UPDATE SET net = t.net + o.total`;
    const itself = table(9, "mart.totals", "day", "net");
    expect(lineageOf(sql, { inputs: [orders, itself], outputs: [itself] })).toEqual([
      "orders.id ~> all",
      "orders.total > net",
      "totals.day ~> all",
      "totals.net > net",
    ]);
  });

  it("is not taken for a table of the same name", () => {
    const staged = table(4, "staging.totals", "day", "net");
    expect(lineageOf(
      `MERGE INTO mart.totals t USING staging.totals s ON t.day = s.day
      WHEN MATCHED THEN UPDATE SET net = t.net, day = s.day`,
      { inputs: [staged], ...filled },
    ))
      .toEqual(["totals.day > day", "totals.day ~> all"]);
  });

  it.each([
    ["snowflake", ""],
    ["databricks_unity_catalog", ""],
    ["bigquery_storage", ""],
    ["postgresql", ""],
    ["mssql", " OUTPUT inserted.day;"],
    ["redshift", ""],
    ["oracle", ""],
    ["something else", ""],
  ])("of %s", (system, end) => {
    const of = (one: typeof orders) => ({ ...one, catrn: one.catrn.replace("postgresql", system) });
    const on = "MERGE INTO mart.totals t USING orders o ON (t.day = o.id)";
    expect(lineageOf(
      `${on} WHEN MATCHED THEN UPDATE SET t.net = o.total
      WHEN NOT MATCHED THEN INSERT (day) VALUES (o.id)${end}`,
      {
        inputs: [of(orders)],
        outputs: [of(totals)],
      },
    )).toEqual(["orders.id > day", "orders.id ~> all", "orders.total > net"]);
  });

  it("of Oracle has conditions behind what it sets", () => {
    const of = (one: typeof orders) => ({
      ...one,
      catrn: one.catrn.replace("postgresql", "oracle"),
    });
    expect(lineageOf(
      `MERGE INTO mart.totals t USING orders o ON (t.day = o.id)
      WHEN MATCHED THEN UPDATE SET t.net = o.total WHERE o.state = 'x'
      WHEN NOT MATCHED THEN INSERT (t.day) VALUES (o.id) WHERE o.customer > 1`,
      {
        inputs: [of(orders)],
        outputs: [of(totals)],
      },
    )).toEqual([
      "orders.customer ~> all",
      "orders.id > day",
      "orders.id ~> all",
      "orders.state ~> all",
      "orders.total > net",
    ]);
  });

  it.each([
    [`${joined} WHEN MATCHED THEN DELETE`, "statement"],
    [`${joined} WHEN MATCHED THEN DO NOTHING`, "statement"],
    [`${joined} WHEN MATCHED THEN UPDATE SET net = 1`, ["orders.id ~> all"]],
    [`${joined} WHEN MATCHED THEN UPDATE SET net = DEFAULT`, ["orders.id ~> all"]],
    [
      "MERGE INTO elsewhere e USING orders o ON e.id = o.id WHEN MATCHED THEN UPDATE SET a = o.id",
      "target",
    ],
  ])("%s", (sql, expected) => expect(lineageOf(sql)).toEqual(expected));
});
