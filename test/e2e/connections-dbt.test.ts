import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { apiService } from "#services/api/service.ts";
import { target } from "#services/collector/connectors/dbt/testing/session.ts";
import { collectorService } from "#services/collector/service.ts";
import { ingestConsumerService } from "#services/ingest-consumer/service.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { engineSets, type Instance, startInstance } from "#test/support/engines/instance.ts";
import { eventually } from "#test/support/eventually.ts";

// A warehouse and the dbt project that fills it, each read by a connection of its own.

let instance: Instance;
let warehouse: TestDatabase;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "tributary-dbt-"));
  warehouse = await testDatabase(2);
  await warehouse.db.query(
    `CREATE SCHEMA main; CREATE TABLE main.raw_orders (id int, customer text, net int, tax int);
     CREATE TABLE main.orders (id int, customer text, total int);
     COMMENT ON TABLE main.orders IS 'As the warehouse says'`,
  );
  for (const name of readdirSync(target)) {
    const text = readFileSync(join(target, name), "utf8");
    writeFileSync(
      join(folder, name),
      text.replaceAll('"database": "shop"', `"database": "${warehouse.name}"`),
    );
  }
  const connections = { "artifact-dirs": folder, "secret-key": "A".repeat(43) };
  const services = [apiService, ingestConsumerService, collectorService];
  instance = await startInstance(engineSets()[0]!, { services, config: { connections } });
});
afterAll(async () => {
  await instance?.stop();
  await warehouse?.drop();
  rmSync(folder, { recursive: true, force: true });
});

const rows = (text: string, ...values: unknown[]) => instance.test.db.query(text, values);
const post = async (path: string, body?: unknown) =>
  await (await instance.send("POST", path, body)).json() as {
    id: number;
    data_source_catrn: string;
  };

interface Run {
  state: string;
  counts: Record<string, number>;
  problems: unknown[];
  error: unknown;
}

async function ran(connection: number): Promise<Run> {
  const { id } = await post(`/api/connections/${connection}/run`);
  let run!: Run;
  await eventually(async () => {
    run = await instance.json(`/api/connection-runs/${id}`) as Run;
    expect(["QUEUED", "RUNNING"]).not.toContain(run.state);
  });
  return run;
}

it("one table that both describe is one asset, with the words of the warehouse and the lineage of dbt", async () => {
  const { hostname, port, username, password } = new URL(warehouse.url);
  const database = await post("/api/connections", {
    name: "warehouse",
    connector: "postgresql",
    paused: true,
    settings: {
      ...{ host: hostname, port: Number(port), database: warehouse.name, include: ["main.*"] },
      ...{ user: decodeURIComponent(username), password: decodeURIComponent(password) },
    },
  });
  const project = await post("/api/connections", {
    name: "project",
    connector: "dbt",
    paused: true,
    settings: { project: "shop", location: folder, warehouse: `postgres://${hostname}:${port}` },
  });
  expect(await ran(database.id)).toMatchObject({ state: "SUCCEEDED", counts: { added: 2 } });
  expect(await ran(project.id)).toMatchObject({ state: "SUCCEEDED", error: null, problems: [] });

  const table = (name: string) => `${database.data_source_catrn}/schemas/main/tables/${name}`;
  const model = `${project.data_source_catrn}/models/shop.orders`;
  await eventually(async () => {
    const edges = await rows(
      `SELECT p.catrn AS parent, c.catrn AS child FROM lineage_edge l
         JOIN data_entity p ON p.id = l.parent_id JOIN data_entity c ON c.id = l.child_id
         JOIN data_entity e ON e.id = l.establisher_id WHERE e.catrn = $1 ORDER BY 1, 2`,
      model,
    );
    expect(edges).toEqual([
      { parent: model, child: table("orders") },
      { parent: table("raw_orders"), child: model },
    ].sort((a, b) => a.parent < b.parent ? -1 : 1));
  });
  const described = await rows(
    `SELECT e.catrn, s.name, e.external_description AS words FROM data_entity e
       JOIN data_source s ON s.id = e.data_source_id WHERE e.catrn = ANY ($1) ORDER BY 1`,
    [table("orders"), table("page_visits")],
  );
  expect(described).toEqual([
    { catrn: table("orders"), name: "warehouse", words: "As the warehouse says" },
    { catrn: table("page_visits"), name: "project", words: "Visits of the shop" },
  ]);
});

it("nothing is published again while dbt has not run, also hours later", async () => {
  const [project] = await rows("SELECT id FROM connection WHERE connector = 'dbt'") as {
    id: number;
  }[];
  const tests = "SELECT count(*)::int AS runs FROM task_run";
  await eventually(async () => expect((await rows(tests))[0]).toEqual({ runs: 15 }));
  await rows("UPDATE connection_item SET published_at = published_at - 7200000");
  expect((await ran(project!.id)).counts).toMatchObject({ added: 0, changed: 0, removed: 0 });
});
