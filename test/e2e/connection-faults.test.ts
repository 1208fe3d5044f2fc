import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiService } from "#services/api/service.ts";
import { collectorService } from "#services/collector/service.ts";
import { shop } from "#services/collector/testing/source.ts";
import { ingestConsumerService } from "#services/ingest-consumer/service.ts";
import { connectionSettings, connectionsOf, secretKey } from "#test/support/connections.ts";
import { superuserOf, type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { type Instance, startInstance } from "#test/support/engines/instance.ts";
import { setsBySize } from "#test/support/engines/sets-by-size.ts";
import { withTableLocked } from "#test/support/engines/table-lock.ts";
import { eventually } from "#test/support/eventually.ts";

// What goes wrong in a source, after a first good run: the catalogue keeps what it has, and the next good run changes nothing.

const quoted = 'Bestellungen – 注文/заказы "quoted"';

describe.each(setsBySize())("a source at fault, %s engines", (set) => {
  let instance: Instance;
  beforeAll(async () => {
    instance = await startInstance(set, {
      services: [apiService, ingestConsumerService, collectorService],
      config: { connections: { "secret-key": secretKey, "statement-timeout": "5 s" } },
    });
  });
  afterAll(() => instance?.stop());
  const { connect, request, ended, doing, entity } = connectionsOf(() => instance);

  interface Connected {
    source: TestDatabase;
    id: number;
    catrn: (kind: string, name: string) => string;
    /** Live assets of the source in the catalogue. */
    live: () => Promise<string[]>;
  }

  /** Connects a shop of its own, all of which is in the catalogue. */
  async function connected(name: string, work: (at: Connected) => Promise<void>): Promise<void> {
    const source = await testDatabase(2);
    try {
      await source.db.query(shop);
      const { id, data_source_catrn: root } = await connect(name, connectionSettings(source.url));
      expect(await doing(id)).toMatchObject({ state: "SUCCEEDED", counts: { added: 8 } });
      const live = async () => {
        const rows = await instance.test.db.query<{ name: string }>(
          `SELECT e.external_name AS name FROM data_entity e JOIN data_source s ON s.id = e.data_source_id
            WHERE s.catrn = $1 AND NOT e.hollow AND is_live(e.status) ORDER BY 1`,
          [root],
        );
        return rows.map((row) => row.name);
      };
      await eventually(async () => expect(await live()).toHaveLength(8));
      await work({
        source,
        id,
        live,
        catrn: (kind, table) => `${root}/schemas/shop/${kind}/${table}`,
      });
    } finally {
      await source.drop();
    }
  }

  /** A run that changes nothing, after which the catalogue has what it had. */
  async function runsAsBefore({ id, live }: Connected, before: string[]): Promise<void> {
    expect(await doing(id)).toMatchObject({
      state: "SUCCEEDED",
      counts: { read: 8, added: 0, changed: 0, unchanged: 8, removed: 0 },
    });
    expect(await live()).toEqual(before);
  }

  const openAlerts = async () =>
    (await instance.test.db.query("SELECT FROM alert WHERE status = 1")).length;

  it("a query that does not end fails the run at connections.statement-timeout", () =>
    connected("slow", async (at) => {
      const before = await at.live();
      const run = await withTableLocked(at.source.name, "pg_description", () => doing(at.id));
      expect(run).toMatchObject({
        state: "FAILED",
        error: {
          reason: "the query took too long",
          remedy: "Raise connections.statement-timeout",
        },
      });
      expect(await at.live()).toEqual(before);
      await eventually(async () => expect(await openAlerts()).toBe(1));
      await runsAsBefore(at, before);
      await eventually(async () => expect(await openAlerts()).toBe(0));
    }));

  it("a server that does not answer fails the run", () =>
    connected("silent", async (at) => {
      const before = await at.live();
      // New connections wait for it as well.
      const run = await withTableLocked(at.source.name, "pg_class", () => doing(at.id));
      expect(run).toMatchObject({ state: "FAILED", error: { remedy: expect.any(String) } });
      await runsAsBefore(at, before);
    }));

  it("a missing privilege leaves out what needs it, by name, and how to grant it", () =>
    connected("privilege", async (at) => {
      const before = await at.live();
      const admin = superuserOf(at.source.name);
      await admin.query("REVOKE SELECT ON pg_rewrite FROM PUBLIC");
      const run = await doing(at.id);
      expect(run).toMatchObject({
        state: "PARTIAL",
        counts: { added: 0, changed: 0, removed: 0, skipped: 3 },
      });
      expect(run.problems.map(({ object }) => object).sort())
        .toEqual(["shop.best", "shop.contacts", "shop.revenue"]);
      expect(run.problems).toContainEqual({
        object: "shop.best",
        reason: "the user lacks a privilege",
        remedy: expect.stringMatching(/^Grant/),
      });
      expect(await at.live()).toEqual(before);
      await admin.query("GRANT SELECT ON pg_rewrite TO PUBLIC");
      await runsAsBefore(at, before);
    }));

  it("a view that breaks stays as it was, and is named", () =>
    connected("broken", async (at) => {
      await at.source.db.query(
        `CREATE FUNCTION shop.lost() RETURNS int LANGUAGE sql AS 'SELECT 1';
         CREATE VIEW shop.broken AS SELECT shop.lost() AS x`,
      );
      expect((await doing(at.id)).counts).toMatchObject({ added: 1, removed: 0 });
      await eventually(async () => expect(await entity(at.catrn("views", "broken"))).toBeDefined());
      const before = await at.live();
      await superuserOf(at.source.name).query(
        "SET allow_system_table_mods = on; DELETE FROM pg_proc WHERE proname = 'lost'",
      );
      for (let time = 0; time < 2; time++) {
        expect(await doing(at.id)).toMatchObject({
          state: "PARTIAL",
          counts: { added: 0, changed: 0, unchanged: 8, removed: 0, skipped: 1 },
          problems: [{ object: "shop.broken" }],
        });
      }
      expect(await at.live()).toEqual(before);
    }));

  it("a table and a view that are dropped during the read are gone after the next one", () =>
    connected("dropped", async (at) => {
      const { source, id, catrn } = at;
      const run = await withTableLocked(source.name, "pg_rewrite", async (waits, query) => {
        const run = await request(id);
        // Tables and columns are read, views are not.
        await waits("tributary collector");
        await query("DROP VIEW shop.contacts; DROP TABLE shop.events");
        return run;
      });
      // The view was not found any more, the table had been read.
      expect(await ended(run)).toMatchObject({
        state: "SUCCEEDED",
        counts: { read: 7, added: 0, changed: 0, removed: 1, skipped: 0 },
      });
      expect(await doing(id)).toMatchObject({ state: "SUCCEEDED", counts: { removed: 1 } });
      expect(await entity(catrn("views", "contacts"))).toBeUndefined();
      expect(await entity(catrn("tables", "events"))).toBeUndefined();
      expect(await at.live()).toHaveLength(6);
    }));

  it("names in every script, with quotes and slashes, are one asset over several runs", () =>
    connected("names", async (at) => {
      const before = await at.live();
      expect(before.filter((name) => name === quoted)).toHaveLength(1);
      await at.source.db.query(
        `ALTER TABLE shop."${quoted.replaceAll('"', '""')}" ADD COLUMN "a b" int`,
      );
      expect((await doing(at.id)).counts).toMatchObject({ added: 0, changed: 1, removed: 0 });
      await runsAsBefore(at, before);
    }));
});
