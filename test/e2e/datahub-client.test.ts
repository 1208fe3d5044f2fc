import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { apiService } from "#services/api/service.ts";
import { target } from "#services/collector/connectors/dbt/testing/session.ts";
import { collectorService } from "#services/collector/service.ts";
import { datahubService } from "#services/datahub/service.ts";
import { ingestConsumerService } from "#services/ingest-consumer/service.ts";
import { openLineageService } from "#services/openlineage/service.ts";
import { runRecipe } from "#test/support/datahub/client.ts";
import { type Counts, SentAspects } from "#test/support/datahub/sent.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { engineSets, type Instance, startInstance } from "#test/support/engines/instance.ts";
import { eventually } from "#test/support/eventually.ts";
import { mappedShare, sentByRecipes } from "../../tools/datahub-aspects.ts";

// Recipes of DataHub's own client, of which only the address of the server is ours.

let instance: Instance;
let warehouse: TestDatabase;
const sentAspects = new SentAspects(() => instance);
let directory: string;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "tributary-datahub-"));
  warehouse = await testDatabase(2);
  await warehouse.db.query(shop);
  const services = [
    ...[apiService, ingestConsumerService, collectorService],
    ...[datahubService, openLineageService],
  ];
  const config = {
    datahub: { hosts: `postgres=${hostOf(warehouse)}` },
    connections: { "secret-key": "A".repeat(43) },
  };
  instance = await startInstance(engineSets().at(-1)!, { services, config });
});
afterAll(async () => {
  await instance?.stop();
  await warehouse?.drop();
  rmSync(directory, { recursive: true, force: true });
});

/** The tables that the dbt project of the tests reads and builds, and a view on one of them. */
const shop = `
  CREATE SCHEMA main;
  CREATE TABLE main.customers (id int PRIMARY KEY, email text);
  CREATE TABLE main.raw_orders (id int PRIMARY KEY, customer text, net int, tax int);
  CREATE TABLE main.orders (id int PRIMARY KEY, customer text, total int);
  CREATE VIEW main.gross AS SELECT customer, sum(total) AS total FROM main.orders GROUP BY customer;
  COMMENT ON COLUMN main.orders.total IS 'As the warehouse says'`;

const hostOf = ({ url }: TestDatabase) => new URL(url).host;
const sink = () => ({
  type: "datahub-rest",
  config: { server: `${instance.url}/integrations/datahub` },
});
const rows = <R>(text: string, ...values: unknown[]) =>
  instance.test.db.query(text, values) as Promise<R[]>;

/** Runs a recipe to its end, and checks what it sent. */
async function ran(
  recipe: Record<string, unknown> & { source: { type: string; config: unknown } },
): Promise<void> {
  const { code, said } = await runRecipe(directory, { ...recipe, sink: sink() });
  expect(said).toMatch(/Pipeline finished (successfully|with at least \d+ warnings)/);
  expect(said).toMatch(/'failures': \[\]/);
  expect(code).toBe(0);
  const sent = await sentAspects.take();
  expect(mappedShare(sent)).toBeGreaterThanOrEqual(0.95);
  if (!first.has(recipe.source.type)) first.set(recipe.source.type, sent);
}

/** What the first run of each recipe sent, by the type of its source. */
const first = new Map<string, Counts>();

const live = async (prefix: string) =>
  (await rows<{ catrn: string }>(
    `SELECT catrn FROM data_entity WHERE starts_with(catrn, $1) AND type_id IS NOT NULL AND is_live(status)
        AND NOT hollow ORDER BY catrn`,
    prefix,
  )).map(({ catrn }) => catrn.slice(prefix.length));
const parentsOf = async (catrn: string) =>
  (await rows<{ catrn: string }>(
    `SELECT DISTINCT p.catrn FROM lineage_edge l JOIN data_entity p ON p.id = l.parent_id
       JOIN data_entity c ON c.id = l.child_id WHERE c.catrn = $1 ORDER BY 1`,
    catrn,
  )).map((row) => row.catrn);
const tables = () =>
  `//postgresql/host/${hostOf(warehouse)}/databases/${warehouse.name}/schemas/main/tables/`;

const postgres = () => {
  const { host, username, password } = new URL(warehouse.url);
  return {
    pipeline_name: "warehouse",
    source: {
      type: "postgres",
      config: {
        host_port: host,
        database: warehouse.name,
        username: decodeURIComponent(username),
        ...(password ? { password: decodeURIComponent(password) } : {}),
        schema_pattern: { allow: ["main"] },
        profiling: { enabled: true, method: "sqlalchemy" },
        stateful_ingestion: { enabled: true },
      },
    },
  };
};

it("postgres: tables, columns, profiles, and the lineage of a view; what is dropped is removed", async () => {
  await ran(postgres());
  await eventually(async () =>
    expect(await live(tables())).toEqual(["customers", "gross", "orders", "raw_orders"])
  );
  await eventually(async () =>
    expect(await parentsOf(`${tables()}gross`)).toEqual([`${tables()}orders`])
  );
  await warehouse.db.query("DROP TABLE main.customers");
  await ran(postgres());
  await eventually(async () =>
    expect(await live(tables())).toEqual(["gross", "orders", "raw_orders"])
  );
});

it("dbt: its models are the tables of the warehouse, with its lineage, tests and runs", async () => {
  for (const name of readdirSync(target)) {
    const text = readFileSync(join(target, name), "utf8");
    const named = text.replaceAll('"database": "shop"', `"database": "${warehouse.name}"`)
      .replaceAll('"shop\\".\\"', `"${warehouse.name}\\".\\"`);
    writeFileSync(join(directory, name), named);
  }
  await ran({
    pipeline_name: "project",
    source: {
      type: "dbt",
      config: {
        manifest_path: join(directory, "manifest.json"),
        catalog_path: join(directory, "catalog.json"),
        sources_path: join(directory, "sources.json"),
        run_results_paths: [join(directory, "run_results.json")],
        target_platform: "postgres",
      },
    },
  });
  const orders = `${tables()}orders`;
  await eventually(async () => expect(await parentsOf(orders)).toEqual([`${tables()}raw_orders`]));
  // Only what dbt does not build stands by itself.
  await eventually(async () =>
    expect(await live("//datahub/platforms/dbt/datasets/")).toEqual([
      "semantic_model.shop.orders",
      `${warehouse.name}.main.paid`,
    ].sort())
  );
  await eventually(async () => {
    const found = await rows(
      `SELECT r.kind, r.status, count(*)::int AS runs FROM task_run r JOIN data_entity e ON e.id = r.task_id
        WHERE starts_with(e.catrn, $1) OR starts_with(e.catrn, '//datahub/platforms/dbt/') GROUP BY 1, 2 ORDER BY 1, 2`,
      tables(),
    );
    expect(found).toEqual([
      { kind: "TEST", status: "FAILED", runs: 1 },
      { kind: "TEST", status: "SUCCESS", runs: 6 },
      { kind: "TRANSFORMER", status: "SUCCESS", runs: 4 },
    ]);
  });
});

it("a connection, a recipe, dbt and an event of OpenLineage describe one asset", async () => {
  const { hostname, port, username, password } = new URL(warehouse.url);
  const created = await instance.send("POST", "/api/connections", {
    name: "warehouse",
    connector: "postgresql",
    paused: true,
    settings: {
      ...{ host: hostname, port: Number(port), database: warehouse.name, include: ["main.*"] },
      ...{ user: decodeURIComponent(username), password: decodeURIComponent(password) },
    },
  });
  const { id, data_source_catrn } = await created.json() as {
    id: number;
    data_source_catrn: string;
  };
  await instance.send("POST", `/api/connections/${id}/run`);
  const event = {
    eventType: "COMPLETE",
    eventTime: new Date().toISOString(),
    producer: "https://example.com",
    schemaURL: "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
    run: { runId: crypto.randomUUID() },
    job: { namespace: "jobs", name: "load" },
    inputs: [],
    outputs: [{
      namespace: `postgres://${hostOf(warehouse)}`,
      name: `${warehouse.name}.main.orders`,
    }],
  };
  expect((await instance.send("POST", "/api/v1/lineage", event)).ok).toBe(true);
  const orders = `${tables()}orders`;
  await eventually(async () => {
    const found = await rows(
      `SELECT e.catrn, s.catrn AS source FROM data_entity e JOIN data_source s ON s.id = e.data_source_id
        WHERE e.external_name = 'orders' AND is_live(e.status) AND NOT e.hollow AND e.type_id IS NOT NULL
          AND strpos(e.catrn, 'semantic_model') = 0`,
    );
    expect(found).toEqual([{ catrn: orders, source: data_source_catrn }]);
    const lineage = `//datahub/platforms/postgres/lineage/PROD/${warehouse.name}.main.orders`;
    expect(await parentsOf(orders)).toEqual([
      lineage,
      "//openlineage/namespaces/jobs/jobs/load",
    ]);
    expect(await parentsOf(lineage)).toEqual([`${tables()}raw_orders`]);
  });
});

const sqlite = (script: string) =>
  execFileSync("python3", [
    "-c",
    "import sqlite3, sys; c = sqlite3.connect('shop.db'); c.executescript(sys.argv[1]); c.commit()",
    script,
  ], { cwd: directory });
const database = () => ({
  pipeline_name: "shop",
  source: {
    type: "sqlalchemy",
    config: {
      platform: "sqlite",
      connect_uri: `sqlite:///${join(directory, "shop.db")}`,
      stateful_ingestion: { enabled: true },
    },
  },
});

it("sqlalchemy, run twice: what is gone by then is removed", async () => {
  const at = "//datahub/platforms/sqlite/datasets/main.";
  sqlite(
    "CREATE TABLE orders (id INTEGER PRIMARY KEY, total NUMERIC); CREATE TABLE old (id INTEGER);",
  );
  await ran(database());
  await eventually(async () => expect(await live(at)).toEqual(["old", "orders"]));
  sqlite("DROP TABLE old;");
  await ran(database());
  await eventually(async () => expect(await live(at)).toEqual(["orders"]));
});

it("csv-enricher: a file that describes what was collected", async () => {
  const urn = "urn:li:dataset:(urn:li:dataPlatform:sqlite,main.orders,PROD)";
  const header =
    "resource,subresource,glossary_terms,tags,owners,ownership_type,description,domain";
  writeFileSync(
    join(directory, "described.csv"),
    `${header}\n"${urn}",,[urn:li:glossaryTerm:Sales.Order],[urn:li:tag:finance],[urn:li:corpuser:ada],TECHNICAL_OWNER,Orders of the shop,urn:li:domain:sales\n"${urn}",total,,[urn:li:tag:money],,,Gross,\n`,
  );
  const config = { filename: join(directory, "described.csv"), write_semantics: "PATCH" };
  await ran({ source: { type: "csv-enricher", config } });
  await eventually(async () =>
    expect(
      await rows(
        `SELECT t.name FROM entity_tag x JOIN tag t ON t.id = x.tag_id JOIN data_entity e ON e.id = x.entity_id
          WHERE e.catrn = '//datahub/platforms/sqlite/datasets/main.orders' ORDER BY 1`,
      ),
    ).toEqual([{ name: "finance" }])
  );
  await eventually(async () =>
    expect(
      await rows(
        `SELECT n.name AS namespace, t.name FROM entity_term x JOIN term t ON t.id = x.term_id
           JOIN namespace n ON n.id = t.namespace_id JOIN data_entity e ON e.id = x.entity_id
          WHERE e.catrn = '//datahub/platforms/sqlite/datasets/main.orders'`,
      ),
    ).toEqual([{ namespace: "DataHub", name: "Order" }])
  );
});

it("file: what another recipe wrote into a file", async () => {
  const filename = join(directory, "collected.json");
  const { source } = database();
  const copy = { type: source.type, config: { ...source.config, env: "QA" } };
  const { code } = await runRecipe(directory, {
    source: { ...copy, config: { ...copy.config, stateful_ingestion: { enabled: false } } },
    sink: { type: "file", config: { filename } },
  });
  expect(code).toBe(0);
  await ran({ source: { type: "file", config: { path: filename } } });
  await eventually(async () =>
    expect(await live("//datahub/platforms/sqlite/environments/QA/datasets/")).toEqual([
      "main.orders",
    ])
  );
});

it("docs/integrate/datahub-aspects.md says what these recipes send", () => {
  for (const [recipe, sent] of sentByRecipes) {
    expect([recipe, first.get(recipe)]).toEqual([recipe, sent]);
  }
});
