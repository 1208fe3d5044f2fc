import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DataEntity } from "#contract/ingestion/schema.ts";
import { superuserOf, type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { allOf, itemsOf, sessionOver, shop } from "../../testing/source.ts";
import type { Item } from "../../connector.ts";
import { checkDatabase } from "./check.ts";
import { readDatabase } from "./read.ts";

let source: TestDatabase;
beforeAll(async () => {
  source = await testDatabase(2);
  await source.db.query(shop);
});
afterAll(() => source.drop());

const read = async (more: Parameters<typeof sessionOver>[1] = {}) =>
  await allOf(readDatabase(sessionOver(source.url, more)));
const byName = async (more = {}) =>
  new Map(itemsOf(await read(more)).map((item) => [item.name, item]));

/** Column lineage as `from DIRECT to`. */
function edgesOf(item: Item | undefined): string[] {
  const last = (catrn: string) => catrn.split("/").at(-1)!;
  return (item?.data_transformer?.column_lineage ?? []).flatMap(({ target, sources }) =>
    sources.map(({ dataset_catrn, field, type }) =>
      `${last(dataset_catrn)}.${field} ${type} ${target.field ?? "*"}`
    )
  ).sort();
}

describe("reading PostgreSQL", () => {
  it("describes tables with columns, types, keys, comments and enums", async () => {
    const items = await byName();
    const customers = items.get("customers")!;
    expect(customers).toMatchObject({ type: "TABLE", description: "Who buys" });
    expect(customers.dataset!.field_list).toMatchObject([
      { name: "id", is_primary_key: true, type: { type: "TYPE_INTEGER", is_nullable: false } },
      { name: "name", type: { type: "TYPE_STRING", logical_type: "text", is_nullable: false } },
      { name: "email", description: "For invoices", is_key: true, type: { is_nullable: true } },
    ]);
    expect(items.get("orders")!.dataset!.field_list).toMatchObject([
      { name: "id", is_primary_key: true },
      { name: "customer_id" },
      { name: "total", type: { type: "TYPE_NUMBER", logical_type: "numeric(10,2)" } },
      { name: "state", enum_values: [{ name: "new" }, { name: "paid" }] },
      { name: "tags", type: { type: "TYPE_LIST" } },
      { name: "placed", type: { type: "TYPE_DATETIME" } },
    ]);
  });

  it("gives items that ingestion takes, the same ones twice", async () => {
    const items = itemsOf(await read());
    for (const item of items) expect(DataEntity.safeParse(item).error).toBeUndefined();
    expect(itemsOf(await read())).toEqual(items);
  });

  it("reads partitions as their table, and foreign keys as relationships", async () => {
    const items = await byName();
    expect(items.has("events")).toBe(true);
    expect(items.has("events_2030")).toBe(false);
    expect(items.get("shop.orders → shop.customers")).toMatchObject({
      type: "ENTITY_RELATIONSHIP",
      data_relationship: {
        details: {
          source_dataset_field_catrns_list: [
            expect.stringMatching(/orders\/columns\/customer_id$/),
          ],
          target_dataset_field_catrns_list: [expect.stringMatching(/customers\/columns\/id$/)],
        },
      },
    });
  });

  it("keeps names in every script, with quotes and slashes", async () => {
    const item = (await byName()).get('Bestellungen – 注文/заказы "quoted"')!;
    expect(item.catrn).toMatch(/\/schemas\/shop\/tables\/Bestellungen – 注文\\\\заказы "quoted"$/);
    expect(item.dataset!.field_list.map(({ name }) => name)).toEqual(["id %", "größe"]);
  });

  it("traces the columns of views through joins, aggregates, subqueries, CTEs and unions", async () => {
    const items = await byName();
    expect(edgesOf(items.get("revenue"))).toEqual([
      "customers.id INDIRECT *",
      "customers.name DIRECT customer",
      "orders.customer_id INDIRECT *",
      "orders.placed DIRECT last",
      "orders.state INDIRECT *",
      "orders.total DIRECT revenue",
    ]);
    expect(edgesOf(items.get("best"))).toEqual([
      "revenue.customer DIRECT customer",
      "revenue.revenue DIRECT share",
    ]);
    expect(edgesOf(items.get("contacts"))).toContain("customers.email DIRECT email");
    expect(items.get("best")!.data_transformer!.inputs)
      .toEqual([expect.stringMatching(/\/views\/revenue$/)]);
    expect(items.get("revenue")!.data_transformer!.sql).toContain("sum(o.total)");
  });

  it("leaves out what is excluded, whatever includes it", async () => {
    const names = [
      ...(await byName({ settings: { include: ["shop.*"], exclude: ["*.best"] } })).keys(),
    ];
    expect(names).toContain("revenue");
    expect(names).not.toContain("best");
  });

  it("does without a table that is dropped while it reads", async () => {
    await source.db.query("CREATE TABLE shop.a_while (x int)");
    const findings = readDatabase(sessionOver(source.url));
    await source.db.query("DROP TABLE shop.a_while");
    const names = itemsOf(await allOf(findings)).map(({ name }) => name);
    expect(names).toContain("orders");
    expect(names).not.toContain("a_while");
  });
});

describe("a source that can be read in part", () => {
  const problemsOf = async () =>
    (await read()).flatMap((one) => one.kind === "problem" ? [one] : []);

  it("names a broken view and reads the others", async () => {
    const own = await testDatabase(2);
    try {
      await own.db.query(
        `${shop}; CREATE FUNCTION shop.lost() RETURNS int LANGUAGE sql AS 'SELECT 1';
         CREATE VIEW shop.broken AS SELECT shop.lost() AS x`,
      );
      await superuserOf(own.name).query(
        "SET allow_system_table_mods = on; DELETE FROM pg_proc WHERE proname = 'lost'",
      );
      const findings = await allOf(readDatabase(sessionOver(own.url)));
      expect(findings.filter(({ kind }) => kind === "problem")).toMatchObject([{
        problem: { object: "shop.broken" },
        catrn: expect.stringMatching(/\/views\/broken$/),
      }]);
      expect(itemsOf(findings).map(({ name }) => name)).toContain("revenue");
    } finally {
      await own.drop();
    }
  });

  it("names the views whose definitions it may not read, and how to grant that", async () => {
    const admin = superuserOf(source.name);
    await admin.query("REVOKE SELECT ON pg_rewrite FROM PUBLIC");
    try {
      const problems = await problemsOf();
      expect(problems.map(({ problem }) => problem.object).sort())
        .toEqual(["shop.best", "shop.contacts", "shop.revenue"]);
      expect(problems[0]!.problem).toMatchObject({
        reason: "the user lacks a privilege",
        remedy: expect.stringMatching(/^Grant/),
      });
      expect((await byName()).has("orders")).toBe(true);
      const checks = await checkDatabase(sessionOver(source.url));
      expect(checks).toContainEqual(
        expect.objectContaining({ name: "Read", outcome: "WARNING" }),
      );
    } finally {
      await admin.query("GRANT SELECT ON pg_rewrite TO PUBLIC");
    }
  });
});

describe("failures of a source", () => {
  const failing = (more: Parameters<typeof sessionOver>[1]) =>
    read(more).then(() => null, (error) => error);

  it.each([
    ["a wrong password", { secrets: new Map([["password", "wrong-s3cret"]]) }, /password/],
    ["an unknown database", { settings: { database: "no_such" } }, /no such database/],
    ["a closed port", { settings: { port: 1 } }, /refused/],
    ["TLS that is not offered", { settings: { tls: "require" as const } }, /TLS/],
  ])("%s is reported in a fixed text", async (_, more, reason) => {
    const error = await failing(more);
    expect(error.problem.reason).toMatch(reason);
    expect(JSON.stringify(error.problem)).not.toContain("s3cret");
  });

  it("ends at once when it is cancelled", async () => {
    const abort = new AbortController();
    const findings = readDatabase(sessionOver(source.url, { signal: abort.signal }));
    await findings.next();
    abort.abort("cancelled");
    await expect(allOf(findings)).resolves.toBeDefined().catch(() => {});
    await expect(failing({ signal: abort.signal })).resolves.toBe("cancelled");
  });
});

describe("the check of a connection", () => {
  it("tells what it reaches", async () => {
    expect(await checkDatabase(sessionOver(source.url))).toMatchObject([
      { name: "Connect", outcome: "OK" },
      { name: "Version", outcome: "OK", detail: expect.stringMatching(/^PostgreSQL \d+/) },
      { name: "Role", outcome: "OK" },
      { name: "Read", outcome: "OK" },
      // The server of the test has no pg_stat_statements.
      { name: "Query history", outcome: "WARNING" },
    ]);
  });

  it("tells how to fix a wrong password", async () => {
    const secrets = new Map([["password", "wrong"]]);
    expect(await checkDatabase(sessionOver(source.url, { secrets }))).toEqual([{
      name: "Connect",
      outcome: "FAILED",
      detail: "the user or the password is wrong",
      remedy: "Enter the password again",
    }]);
  });
});
