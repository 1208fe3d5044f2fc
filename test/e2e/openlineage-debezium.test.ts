import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { superuserUrl, type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import type { Instance } from "#test/support/engines/instance.ts";
import { eventually } from "#test/support/eventually.ts";
import { captureByDebezium } from "#test/support/openlineage/clients.ts";
import { startGuardedIntake } from "#test/support/openlineage/guarded-intake.ts";

// Debezium captures the changes of a table of PostgreSQL and reports by its OpenLineage emitter.

let instance: Instance;
let source: TestDatabase;
let directory: string;
let token: string;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "tributary-debezium-"));
  source = await testDatabase(2);
  await source.db.query(
    "CREATE TABLE captured (id int PRIMARY KEY, total int); INSERT INTO captured VALUES (1, 5)",
  );
  ({ instance, token } = await startGuardedIntake());
});
afterAll(async () => {
  await instance?.stop();
  await source?.drop();
  rmSync(directory, { recursive: true, force: true });
});

it("the emitter of Debezium, unmodified: table and topic are joined by a job that runs", async () => {
  const config = join(directory, "openlineage.yml");
  const auth = { type: "api_key", apiKey: token };
  // YAML reads JSON.
  writeFileSync(config, JSON.stringify({ transport: { type: "http", url: instance.url, auth } }));
  const { hostname, port, username, password, pathname } = new URL(superuserUrl(source.name));
  await captureByDebezium({
    "topic.prefix": "cdc",
    "database.hostname": hostname,
    "database.port": port,
    "database.user": decodeURIComponent(username),
    "database.password": decodeURIComponent(password),
    "database.dbname": pathname.slice(1),
    "table.include.list": "public.captured",
    "openlineage.integration.enabled": "true",
    "openlineage.integration.config.file.path": config,
    "openlineage.integration.job.description": "Changes of the shop",
    "openlineage.integration.dataset.kafka.bootstrap.servers": "broker.example:9092",
  }, { changes: 1 });
  const job = "//openlineage/namespaces/cdc/jobs/cdc.0";
  await eventually(async () => {
    const edges = await instance.test.db.query(
      `SELECT p.catrn AS parent, c.catrn AS child FROM lineage_edge l JOIN data_entity p ON p.id = l.parent_id
         JOIN data_entity c ON c.id = l.child_id JOIN data_entity e ON e.id = l.establisher_id
        WHERE e.catrn = $1 ORDER BY 1`,
      [job],
    );
    const table =
      `//postgresql/host/${hostname}:${port}/databases${pathname}/schemas/public/tables/captured`;
    const topic =
      "//kafka/host/broker.example:9092/clusters/broker.example:9092/topics/cdc.public.captured";
    expect(edges).toEqual([
      { parent: job, child: topic },
      { parent: table, child: job },
    ]);
  });
  const runs = await instance.test.db.query(
    `SELECT e.external_description AS description, r.status FROM task_run r JOIN data_entity e ON e.id = r.task_id
      WHERE e.catrn = $1`,
    [job],
  );
  expect(runs).toEqual([{ description: "Changes of the shop", status: "RUNNING" }]);
  expect(await instance.json("/api/openlineage/complaints?namespace=cdc")).toEqual({ items: [] });
});
