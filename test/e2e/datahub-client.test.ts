import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { apiService } from "#services/api/service.ts";
import { datahubService } from "#services/datahub/service.ts";
import { ingestConsumerService } from "#services/ingest-consumer/service.ts";
import { runRecipe } from "#test/support/datahub/client.ts";
import { engineSets, type Instance, startInstance } from "#test/support/engines/instance.ts";
import { eventually } from "#test/support/eventually.ts";

// Recipes of DataHub's own client, of which only the address of the server is ours.

let instance: Instance;
let directory: string;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "tributary-datahub-"));
  const services = [apiService, ingestConsumerService, datahubService];
  instance = await startInstance(engineSets().at(-1)!, { services });
});
afterAll(async () => {
  await instance?.stop();
  rmSync(directory, { recursive: true, force: true });
});

const sink = () => ({
  type: "datahub-rest",
  config: { server: `${instance.url}/integrations/datahub` },
});
const sql = (script: string) =>
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
  sink: sink(),
});
const succeeded = ({ code, said }: { code: number; said: string }) => {
  expect(said).toContain("Pipeline finished successfully");
  expect(code).toBe(0);
};
const live = async () =>
  (await instance.test.db.query<{ name: string }>(
    `SELECT e.external_name AS name FROM data_entity e
      WHERE starts_with(e.catrn, '//datahub/platforms/sqlite/datasets/') AND is_live(e.status) AND NOT e.hollow
      ORDER BY 1`,
  )).map(({ name }) => name);

it("a database, run twice: what is gone by then is removed", async () => {
  sql(
    "CREATE TABLE orders (id INTEGER PRIMARY KEY, total NUMERIC); CREATE TABLE old (id INTEGER);",
  );
  succeeded(await runRecipe(directory, database()));
  await eventually(async () => expect(await live()).toEqual(["old", "orders"]));
  sql("DROP TABLE old;");
  succeeded(await runRecipe(directory, database()));
  await eventually(async () => expect(await live()).toEqual(["orders"]));
});

it("a file that describes what was collected", async () => {
  const urn = "urn:li:dataset:(urn:li:dataPlatform:sqlite,main.orders,PROD)";
  const header =
    "resource,subresource,glossary_terms,tags,owners,ownership_type,description,domain";
  writeFileSync(
    join(directory, "described.csv"),
    `${header}\n"${urn}",,,[urn:li:tag:finance],[urn:li:corpuser:ada],TECHNICAL_OWNER,Orders of the shop,\n`,
  );
  const config = { filename: join(directory, "described.csv"), write_semantics: "PATCH" };
  succeeded(await runRecipe(directory, { source: { type: "csv-enricher", config }, sink: sink() }));
  await eventually(async () =>
    expect(
      await instance.test.db.query(
        `SELECT t.name FROM entity_tag x JOIN tag t ON t.id = x.tag_id JOIN data_entity e ON e.id = x.entity_id
          WHERE e.catrn = '//datahub/platforms/sqlite/datasets/main.orders'`,
      ),
    ).toEqual([{ name: "finance" }])
  );
});
