import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DataEntity } from "#contract/ingestion/schema.ts";
import type { Finding, StatementCounter } from "../../../connector.ts";
import { allOf, itemsOf, sessionOver, shop } from "../../../testing/source.ts";
import { type HistoryServer, startHistoryServer } from "../testing/history-server.ts";
import { checkDatabase } from "../check.ts";
import { readDatabase } from "../read.ts";

let server: HistoryServer;
const run = (statements: string[], url?: string) => server.run(statements, url);
const as = (user: string, password: string) => server.as(user, password);

beforeAll(async () => {
  server = await startHistoryServer();
  await run([`${shop}
    CREATE TABLE shop.totals (customer int, total numeric, state text);
    CREATE TABLE public.totals (x int);
    CREATE ROLE loader LOGIN PASSWORD 'loads'; CREATE ROLE reader LOGIN PASSWORD 'reads';
    GRANT USAGE ON SCHEMA shop TO loader; GRANT ALL ON ALL TABLES IN SCHEMA shop TO loader;
    ALTER ROLE loader SET search_path = shop, public;`]);
}, 60_000);
afterAll(() => server?.stop());

type Over = Parameters<typeof sessionOver>[1];
const read = (more: Over = {}, at = server.url) => allOf(readDatabase(sessionOver(at, more)));
const countersOf = (findings: Finding[]): StatementCounter[] =>
  findings.flatMap((one) => one.kind === "usage" ? one.counters : []);
const noteOf = (findings: Finding[]) =>
  findings.flatMap((one) => one.kind === "note" ? [one.note] : [])[0];
const last = (catrn: string) => catrn.split("/").at(-1)!;

/** Jobs as `name: inputs > outputs`. */
const jobsOf = (findings: Finding[]) =>
  itemsOf(findings).filter(({ catrn }) => catrn.includes("/statements/")).map((item) => {
    const { inputs, outputs } = item.data_transformer!;
    return `${item.name}: ${inputs.map(last).sort().join(" ")} > ${outputs.map(last).join(" ")}`;
  }).sort();

/** Calls of the statements that read a table. */
const callsOf = (findings: Finding[], table: string) =>
  countersOf(findings).filter(({ reads }) => reads.map(last).includes(table))
    .reduce((sum, { calls }) => sum + Number(calls), 0);

describe("the query history of PostgreSQL", () => {
  it("says what to do where the extension is absent, and reads the rest", async () => {
    const findings = await read();
    expect(itemsOf(findings).length).toBeGreaterThan(3);
    expect(noteOf(findings)).toMatchObject({
      name: "Query history",
      outcome: "WARNING",
      remedy: expect.stringContaining("CREATE EXTENSION"),
    });
    expect(noteOf(await read({ settings: { query_history: "off" } }))).toBeUndefined();
  });
});

describe("with pg_stat_statements", () => {
  beforeAll(() => run(["CREATE EXTENSION pg_stat_statements"]));
  beforeEach(() => run(["SELECT pg_stat_statements_reset()"]));

  it("finds what INSERT, MERGE, UPDATE and CREATE TABLE AS fill, and no view again", async () => {
    await run([
      "INSERT INTO totals SELECT customer_id, sum(total), 'secret-1' FROM orders WHERE total > 17 GROUP BY 1",
      "MERGE INTO totals t USING customers c ON c.id = t.customer WHEN MATCHED THEN UPDATE SET state = c.name",
      "UPDATE totals SET state = o.state::text FROM orders o WHERE o.customer_id = customer",
      "WITH gone AS (DELETE FROM orders RETURNING *) INSERT INTO totals (customer) SELECT customer_id FROM gone",
      "INSERT INTO totals (customer) VALUES (1)",
    ], as("loader", "loads"));
    await run([
      `CREATE TABLE shop.copies AS SELECT name, 'secret-2' AS mark FROM shop.customers -- of secret-3
        WHERE email = $q$secret-4$q$`,
      "CREATE VIEW shop.again AS SELECT name FROM shop.customers",
    ]);
    const findings = await read();
    expect(jobsOf(findings)).toEqual([
      "CREATE TABLE shop.copies: customers > copies",
      "INSERT INTO shop.totals: orders > totals",
      "INSERT INTO shop.totals: orders > totals",
      "MERGE INTO shop.totals: customers > totals",
      "UPDATE shop.totals: orders > totals",
    ]);
    const jobs = itemsOf(findings).filter(({ catrn }) => catrn.includes("/statements/"));
    for (const job of jobs) expect(DataEntity.safeParse(job).error).toBeUndefined();
    expect(JSON.stringify(jobs)).not.toContain("secret");
    expect(
      jobs.every(({ data_transformer }) =>
        data_transformer!.inputs.every((one) => one.includes("/schemas/shop/"))
      ),
    ).toBe(true);
    await run(["DROP TABLE shop.copies; DROP VIEW shop.again"]);
    expect((await read()).filter((one) => one.kind === "problem")).toEqual([]);
  });

  it("counts reads of tables and views, also those of statements that fill others", async () => {
    const statement = "SELECT count(*) FROM orders WHERE total > 5";
    await run([
      statement,
      statement,
      "INSERT INTO totals (total) SELECT total FROM orders",
      "SELECT * FROM revenue",
    ], as("loader", "loads"));
    const findings = await read();
    expect([callsOf(findings, "orders"), callsOf(findings, "revenue")]).toEqual([3, 1]);
    expect(countersOf(findings).every(({ role }) => role === "")).toBe(true);
    expect(findings.some((one) => one.kind === "usage" && one.end?.isComplete)).toBe(true);
    const named = countersOf(await read({ settings: { query_history: "with-roles" } }));
    expect(named.filter(({ reads }) => reads.length > 0).map(({ role }) => role)).toContain(
      "loader",
    );
    const excluded = await read({ settings: { exclude: ["shop.orders"] } });
    expect(callsOf(excluded, "orders")).toBe(0);
  });

  it("says what to do where the user sees only its own statements", async () => {
    const reader = as("reader", "reads");
    expect(noteOf(await read({}, reader))).toMatchObject({
      outcome: "WARNING",
      remedy: expect.stringContaining("pg_read_all_stats"),
    });
    await run(["GRANT pg_read_all_stats TO reader"]);
    await run(["SELECT * FROM customers"], as("loader", "loads"));
    const findings = await read({}, reader);
    expect([noteOf(findings)?.outcome, callsOf(findings, "customers")]).toEqual(["OK", 1]);
    const checks = await checkDatabase(sessionOver(reader));
    expect(checks.at(-1)).toMatchObject({ name: "Query history", outcome: "OK" });
  });

  it("costs a statement that is not understood, or names what is gone, itself only", async () => {
    await run([
      "CREATE TABLE shop.passing (id int)",
      "CREATE TEMP TABLE own (id int)",
      "INSERT INTO own SELECT id FROM shop.customers",
      "INSERT INTO shop.passing SELECT id FROM shop.customers",
      "SELECT 1 FROM shop.customers",
      "DROP TABLE shop.passing",
    ]);
    const findings = await read();
    expect(jobsOf(findings)).toEqual([]);
    expect(callsOf(findings, "customers")).toBe(3);
    expect(noteOf(findings)?.detail).toMatch(/name tables that are not there/);
  });

  it("reads 20,000 statements page by page", async () => {
    const columns = ["id", "name", "email"];
    const statements = Array.from({ length: 20_000 }, (_, at) => {
      const chosen = [...at.toString(3).padStart(10, "0")].map((digit) => columns[Number(digit)]);
      return `SELECT ${chosen.join(", ")} FROM shop.customers`;
    });
    for (let at = 0; at < statements.length; at += 500) {
      await run([statements.slice(at, at + 500).join(";")]);
    }
    const pages = (await read()).flatMap((one) =>
      one.kind === "usage" ? [one.counters.length] : []
    );
    expect(pages.reduce((sum, size) => sum + size, 0)).toBeGreaterThanOrEqual(20_000);
    expect(Math.max(...pages)).toBeLessThanOrEqual(2_000);
  }, 120_000);
});
