import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiService } from "#services/api/service.ts";
import { collectorService } from "#services/collector/service.ts";
import { startHistoryServer } from "#services/collector/connectors/postgresql/testing/history-server.ts";
import { shop } from "#services/collector/testing/source.ts";
import { ingestConsumerService } from "#services/ingest-consumer/service.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { engineSets, type Instance, startInstance } from "#test/support/engines/instance.ts";
import { type ServiceProcess, startService } from "#test/support/engines/processes.ts";
import { sized } from "#test/support/size.ts";
import { eventually } from "#test/support/eventually.ts";

const key = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

interface Run {
  id: number;
  state: string;
  counts: Record<string, number>;
  checks: { name: string; outcome: string }[];
  preview: string[];
  problems: { object: string; reason: string }[];
  error: { reason: string; remedy: string | null } | null;
}

/** The settings of a connection to a test database. */
function settingsOf(url: string, more: Record<string, unknown> = {}) {
  const { hostname, port, username, password, pathname } = new URL(url);
  return {
    host: hostname,
    port: Number(port),
    database: pathname.slice(1),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    include: ["shop.*"],
    ...more,
  };
}

describe.each(engineSets())("connections, %s engines", (set) => {
  let instance: Instance;
  let source: TestDatabase;
  beforeAll(async () => {
    source = await testDatabase(2);
    await source.db.query(shop);
    instance = await startInstance(set, {
      services: [apiService, ingestConsumerService, collectorService],
      config: { connections: { "secret-key": key } },
    });
  });
  afterAll(async () => {
    await instance?.stop();
    await source?.drop();
  });

  const post = async (path: string, body?: unknown) => {
    const response = await instance.send("POST", path, body);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return await response.json();
  };
  const connect = (name: string, settings: Record<string, unknown>) =>
    post("/api/connections", { name, connector: "postgresql", settings, paused: true });
  const ended = async (id: number): Promise<Run> => {
    let run!: Run;
    await eventually(async () => {
      run = await instance.json(`/api/connection-runs/${id}`) as Run;
      expect(["QUEUED", "RUNNING"]).not.toContain(run.state);
    });
    return run;
  };
  const doing = async (connection: number, what: "run" | "test" | "preview") =>
    await ended((await post(`/api/connections/${connection}/${what}`)).id);
  const entity = async (catrn: string) => {
    const query = new URLSearchParams({ catrn, page: "1", size: "1" });
    const { items } = await instance.json(`/api/dataentities?${query}`) as {
      items: { id: number }[];
    };
    return items[0];
  };

  it("from settings to lineage: test, preview, run, and nothing the second time", async () => {
    const { id, data_source_catrn } = await connect("shop", settingsOf(source.url));
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
    const settings = settingsOf(source.url, { database: `db ${name}`, ...wrong });
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
      const { id, data_source_catrn } = await connect("history", settingsOf(history.url));
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

/** Makes tables of some columns in the schema `shop`. */
async function makeTables({ db }: TestDatabase, count: number): Promise<void> {
  await db.query("CREATE SCHEMA shop");
  for (let from = 1; from <= count; from += 50) {
    await db.query(
      `DO $$ BEGIN FOR i IN ${from}..${Math.min(from + 49, count)} LOOP
         EXECUTE format('CREATE TABLE shop.t%s (id int, a text, b text, c text, d text, e text)', i);
         END LOOP; END $$`,
    );
  }
}

interface Collecting {
  test: TestDatabase;
  collector: ServiceProcess;
  send: (path: string, body?: unknown) => Promise<{ id: number; state: string }>;
  /** Creates a connection to a source; its id. */
  connect: (name: string, source: TestDatabase) => Promise<number>;
}

/** Runs `work` over the services `api` and `collector` in processes of their own. */
async function withServices(work: (at: Collecting) => Promise<void>): Promise<void> {
  const test = await testDatabase();
  const services: ServiceProcess[] = [];
  const env = { METADATA_POSTGRES_URL: test.url, INSTANCE: test.name };
  const start = async (service: "collector" | "api") => {
    const started = await startService({
      service,
      env: { ...env, CONNECTIONS_SECRET_KEY: key, CONNECTIONS_ALLOWED_HOSTS: "*" },
    });
    services.push(started);
    return started;
  };
  try {
    const [api, collector] = [await start("api"), await start("collector")];
    const send = async (path: string, body?: unknown) => {
      const response = await fetch(new URL(path, api.url), {
        method: body === undefined ? "GET" : "POST",
        headers: { "content-type": "application/json" },
        body: body === undefined ? undefined : JSON.stringify(body),
      });
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      return await response.json();
    };
    const connect = async (name: string, source: TestDatabase) => {
      const settings = settingsOf(source.url, { host: "localhost" });
      const form = { name, connector: "postgresql", settings, paused: true };
      return (await send("/api/connections", form)).id;
    };
    await work({ test, collector, send, connect });
  } finally {
    for (const service of services) await service.kill();
    await test.drop();
  }
}

/** Tables of a source, several pages of them. */
const tables = 600;

it("a kill during the read doubles nothing and loses nothing", async () => {
  const source = await testDatabase(2);
  try {
    await makeTables(source, tables);
    await withServices(async ({ test, collector, send, connect }) => {
      const run = await send(`/api/connections/${await connect("many", source)}/run`, {});
      await eventually(async () => {
        const [row] = await test.db.query<{ count: number }>(
          "SELECT count(*) FROM connection_item",
        );
        const { state } = await send(`/api/connection-runs/${run.id}`);
        expect(state !== "QUEUED" || row!.count > 0).toBe(true);
      });
      await collector.kill();
      await collector.start();
      await eventually(async () => {
        expect((await send(`/api/connection-runs/${run.id}`)).state).toBe("SUCCEEDED");
      });
      const [row] = await test.db.query<{ count: number }>("SELECT count(*) FROM connection_item");
      expect(row!.count).toBe(tables);
    });
  } finally {
    await source.drop();
  }
});

/** Tables of two sources, and how many megabytes more the larger one may cost, which is what the heap grows by chance. */
const [fewTables, manyTables] = [sized(100, 1_000), sized(1_500, 20_000)];
const roomMb = 100;

it(`reads ${manyTables} tables in the memory of ${fewTables}`, async () => {
  const sources = [await testDatabase(2), await testDatabase(2)];
  try {
    await makeTables(sources[0]!, fewTables);
    await makeTables(sources[1]!, manyTables);
    await withServices(async ({ collector, send, connect }) => {
      const peaks: number[] = [];
      for (const [at, source] of sources.entries()) {
        const run = await send(`/api/connections/${await connect(`source ${at}`, source)}/run`, {});
        await eventually(async () => {
          expect((await send(`/api/connection-runs/${run.id}`)).state).toBe("SUCCEEDED");
        });
        peaks.push(peakMb(collector.pid()));
      }
      console.log(`Peak of the collector: ${peaks.join(", then ")} MB`);
      expect(peaks[1]! - peaks[0]!).toBeLessThan(roomMb);
    });
  } finally {
    for (const source of sources) await source.drop();
  }
});

/** The most memory that a process has had, in megabytes. */
function peakMb(pid: number): number {
  const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))!;
  return Math.round(Number(kilobytes) / 1_024);
}
