import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiService } from "#services/api/service.ts";
import { collectorService } from "#services/collector/service.ts";
import { startHistoryServer } from "#services/collector/connectors/postgresql/testing/history-server.ts";
import { shop } from "#services/collector/testing/source.ts";
import { ingestConsumerService } from "#services/ingest-consumer/service.ts";
import { connectionSettings, connectionsOf, secretKey } from "#test/support/connections.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { engineSets, type Instance, startInstance } from "#test/support/engines/instance.ts";
import { eventually } from "#test/support/eventually.ts";

describe.each(engineSets())("connections, %s engines", (set) => {
  let instance: Instance;
  let source: TestDatabase;
  beforeAll(async () => {
    source = await testDatabase(2);
    await source.db.query(shop);
    instance = await startInstance(set, {
      services: [apiService, ingestConsumerService, collectorService],
      config: { connections: { "secret-key": secretKey } },
    });
  });
  afterAll(async () => {
    await instance?.stop();
    await source?.drop();
  });

  const { connect, doing, entity } = connectionsOf(() => instance);

  it("from settings to lineage: test, preview, run, and nothing the second time", async () => {
    const { id, data_source_catrn } = await connect("shop", connectionSettings(source.url));
    const test = await doing(id, "test");
    const outcomes = test.checks.map(({ name, outcome }) => `${name}: ${outcome}`);
    expect(outcomes.slice(1)).toEqual([
      "Version: OK",
      "Role: OK",
      "Read: OK",
      "Query history: WARNING",
    ]);
    const preview = await doing(id, "preview");
    expect(preview.counts.read).toBe(8);
    expect(preview.preview).toContain(`${data_source_catrn}/schemas/shop/tables/orders`);
    const first = await doing(id, "run");
    expect(first).toMatchObject({ state: "SUCCEEDED", counts: { added: 8, unchanged: 0 } });
    const view = `${data_source_catrn}/schemas/shop/views/revenue`;
    await eventually(async () => expect(await entity(view)).toBeDefined());
    await eventually(async () => {
      const found = await entity(view);
      const path = `/api/datasets/${found!.id}/columns/lineage/upstream`;
      const { edges } = await instance.json(path) as { edges: { origin: string }[] };
      expect(edges.length).toBeGreaterThanOrEqual(3);
      expect(edges.every(({ origin }) => origin === "DECLARED")).toBe(true);
    });
    expect((await doing(id, "run")).counts).toMatchObject({ added: 0, changed: 0, unchanged: 8 });
  });

  it("follows the source: a column more, a table gone and back again", async () => {
    const { items } = await instance.json("/api/connections?page=1&size=1&query=shop") as {
      items: { id: number; data_source_catrn: string }[];
    };
    const { id, data_source_catrn } = items[0]!;
    // Deleted assets are not listed.
    const events = () => entity(`${data_source_catrn}/schemas/shop/tables/events`);
    expect(await events()).toBeDefined();
    await source.db.query("ALTER TABLE shop.orders ADD COLUMN note text; DROP TABLE shop.events");
    expect((await doing(id, "run")).counts).toMatchObject({ changed: 1, removed: 1 });
    expect(await events()).toBeUndefined();
    await source.db.query("CREATE TABLE shop.events (at date)");
    expect((await doing(id, "run")).counts).toMatchObject({ added: 1, removed: 0 });
    await eventually(async () => expect(await events()).toBeDefined());
  });

  it.each([
    ["a wrong password", { password: "wr0ng-secret" }, /password is wrong/],
    ["a closed port", { port: 1 }, /refused/],
    ["an unknown database", { database: "none" }, /no such database/],
    ["a metadata address", { host: "169.254.169.254" }, /link-local/],
    ["an unknown host", { host: "no-such-host.invalid" }, /not a known host/],
  ])("%s ends in words that help, and without secrets", async (name, wrong, reason) => {
    const settings = connectionSettings(source.url, { database: `db ${name}`, ...wrong });
    const isPassword = "password" in wrong;
    const other = isPassword ? { ...settings, host: "localhost", database: source.name } : settings;
    const { id } = await connect(name, other);
    const run = await doing(id, "run");
    expect(run).toMatchObject({
      state: "FAILED",
      error: { reason: expect.stringMatching(reason) },
    });
    expect(JSON.stringify(run)).not.toContain("wr0ng-secret");
  });

  it("query history: lineage that no view has, and how often a table is read", async () => {
    const history = await startHistoryServer();
    try {
      await history.run([
        `${shop} CREATE TABLE shop.totals (customer int, total numeric); CREATE EXTENSION pg_stat_statements`,
        "INSERT INTO shop.totals SELECT customer_id, sum(total) FROM shop.orders WHERE state = 'paid' GROUP BY 1",
      ]);
      const { id, data_source_catrn } = await connect("history", connectionSettings(history.url));
      expect(await doing(id, "run")).toMatchObject({
        state: "SUCCEEDED",
        checks: [{ name: "Query history", outcome: "OK" }],
      });
      const totals = `${data_source_catrn}/schemas/shop/tables/totals`;
      await eventually(async () => {
        const path = `/api/datasets/${(await entity(totals))!.id}/columns/lineage/upstream`;
        const { edges } = await instance.json(path) as { edges: { origin: string }[] };
        expect(edges.map(({ origin }) => origin)).toContain("SQL");
      });
      await history.run(Array.from({ length: 5 }, () => "SELECT * FROM shop.totals"));
      expect((await doing(id, "run")).counts).toMatchObject({ added: 0, changed: 0, removed: 0 });
      const details = await instance.json(`/api/dataentities/${(await entity(totals))!.id}`) as {
        usage: { reads: number; roles: unknown[] };
      };
      expect(details.usage).toMatchObject({ reads: 5, roles: [] });
    } finally {
      await history.stop();
    }
  });

  it("secrets are nowhere: database, logs, answers, audit, metrics", async () => {
    const password = decodeURIComponent(new URL(source.url).password);
    const tables = await instance.test.db.query<{ name: string }>(
      "SELECT quote_ident(relname) AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace",
    );
    for (const secret of [password, "wr0ng-secret"]) {
      for (const { name } of tables) {
        const rows = await instance.test.db.query(
          `SELECT 1 FROM ${name} t WHERE position($1 IN t::text) > 0 LIMIT 1`,
          [secret],
        );
        expect([name, rows]).toEqual([name, []]);
      }
      const texts = [
        instance.logs.join("\n"),
        JSON.stringify(await instance.json("/api/connections?page=1&size=100")),
        await (await instance.send("GET", "/metrics")).text(),
      ];
      for (const text of texts) expect(text).not.toContain(secret);
    }
  });
});
