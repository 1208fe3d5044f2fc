import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { catrnsOf } from "#platform/naming/openlineage/names.ts";
import { hasMariadb, type MariaServer, startMariadb } from "#test/support/engines/mariadb.ts";
import type { Item } from "../../connector.ts";
import { allOf, itemsOf } from "../../testing/source.ts";
import { checkServer } from "./check.ts";
import { readServer } from "./read.ts";
import { mysqlSession, shop } from "./testing/shop.ts";

if (hasMariadb()) {
  let server: MariaServer;
  let items: Map<string, Item>;
  beforeAll(async () => {
    server = await startMariadb();
    await server.run(...shop);
    items = new Map(itemsOf(await read()).map((item) => [item.name, item]));
  });
  afterAll(() => server?.stop());

  const read = async (more: Parameters<typeof mysqlSession>[1] = {}) =>
    await allOf(readServer(mysqlSession(server, more)));

  describe("reading MySQL", () => {
    it("names tables as OpenLineage does", () => {
      const { naming } = mysqlSession(server);
      const ref = { namespace: `mysql://127.0.0.1:${server.port}`, name: "shop.orders" };
      expect(items.get("orders")!.catrn).toBe(catrnsOf(ref, naming).catrn);
    });

    it("describes tables with columns, types, keys, comments, estimates and enums", () => {
      expect(items.get("customers")).toMatchObject({
        type: "TABLE",
        description: "Who buys",
        dataset: {
          rows_number: 0,
          field_list: [
            {
              name: "id",
              description: "Its number",
              is_primary_key: true,
              type: { type: "TYPE_INTEGER", is_nullable: false },
            },
            { name: "name", type: { type: "TYPE_STRING", logical_type: "varchar(100)" } },
            { name: "email", is_key: true, type: { is_nullable: true } },
          ],
        },
      });
      expect(items.get("orders")!.dataset!.field_list).toMatchObject([
        { name: "id" },
        { name: "customer_id" },
        { name: "total", type: { type: "TYPE_NUMBER", logical_type: "decimal(10,2)" } },
        { name: "state", enum_values: [{ name: "new" }, { name: "it's paid" }] },
        { name: "paid", type: { type: "TYPE_BOOLEAN" } },
        { name: "placed", type: { type: "TYPE_DATETIME", is_nullable: false } },
        { name: "note" },
      ]);
    });

    it("gives foreign keys as relationships", () => {
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

    it("gives views with their SQL and all that they read, whatever the names hold", () => {
      expect(items.get("revenue")).toMatchObject({
        type: "VIEW",
        data_transformer: {
          inputs: [items.get("customers")!.catrn, items.get("orders")!.catrn],
          sql: expect.stringContaining("sum("),
        },
      });
      const odd = items.get("t`able")!;
      expect(odd.catrn).toMatch(/\/databases\/other \\\\ 注文\/tables\/t`able$/);
      expect(items.get("sizes")!.data_transformer!.inputs)
        .toEqual([odd.catrn, items.get("revenue")!.catrn].sort());
    });

    it("names a broken view and reads the others", async () => {
      const problems = (await read()).filter(({ kind }) => kind === "problem");
      expect(problems).toMatchObject([{
        problem: { object: "shop.broken", reason: "it is not valid" },
        catrn: expect.stringMatching(/\/views\/broken$/),
      }]);
    });

    it("names the views whose definitions it may not see, and how to grant that", async () => {
      await server.run("REVOKE SHOW VIEW ON *.* FROM reader");
      try {
        const problems = (await read()).filter(({ kind }) => kind === "problem");
        expect(problems).toHaveLength(3);
        expect(problems[1]).toMatchObject({
          problem: { object: "shop.revenue", remedy: "Grant the user SHOW VIEW on it" },
        });
      } finally {
        await server.run("GRANT SHOW VIEW ON *.* TO reader");
      }
    });

    it("does without a table that is dropped while it reads", async () => {
      await server.run(
        "CREATE DATABASE zz",
        "CREATE TABLE zz.a (x int)",
        "CREATE TABLE zz.b (x int)",
      );
      try {
        const reading = readServer(mysqlSession(server));
        const findings = [(await reading.next()).value!];
        await server.run("DROP TABLE zz.b");
        for await (const finding of reading) findings.push(finding);
        const of = itemsOf(findings).filter(({ catrn }) => catrn.includes("/zz/"));
        expect(of.map(({ name }) => name)).toEqual(["a"]);
      } finally {
        await server.run("DROP DATABASE zz");
      }
    });

    it("reads what is included", async () => {
      const names = itemsOf(
        await read({ settings: { include: ["shop.*"], exclude: ["*.orders"] } }),
      )
        .map(({ name }) => name);
      expect(names).toEqual(["customers", "revenue", "sizes"]);
    });
  });

  it("the check of a server tells what it reaches", async () => {
    expect(await checkServer(mysqlSession(server))).toMatchObject([
      { name: "Connect", outcome: "OK" },
      { name: "Version", outcome: "OK", detail: expect.stringMatching(/^MariaDB \d+\./) },
      { name: "Read", outcome: "OK", detail: expect.stringMatching(/^reader@% sees \d+ tables/) },
    ]);
  });
} else {
  describe("reading MySQL", () => {
    it("is not tested in this run: there is no MariaDB", () => {
      expect(hasMariadb()).toBe(false);
    });
  });
}
