import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { apiService } from "#services/api/service.ts";
import { ingestConsumerService } from "#services/ingest-consumer/service.ts";
import { openLineageService } from "#services/openlineage/service.ts";
import { engineSets, type Instance, startInstance } from "#test/support/engines/instance.ts";
import { eventually } from "#test/support/eventually.ts";
import { runDbt } from "#test/support/openlineage/clients.ts";

// A project of dbt, run by its OpenLineage wrapper as its documentation says, shows with its models, columns, tests and runs.

let instance: Instance;
let directory: string;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "tributary-dbt-"));
  const services = [apiService, ingestConsumerService, openLineageService];
  instance = await startInstance(engineSets().at(-1)!, { services });
});
afterAll(async () => {
  await instance?.stop();
  rmSync(directory, { recursive: true, force: true });
});

const rows = (text: string, ...values: unknown[]) => instance.test.db.query(text, values);
const table = (name: string) =>
  `//duckdb/host/shop.duckdb/catalogs/shop/schemas/main/tables/${name}`;
const model = (name: string) => `//openlineage/namespaces/dbt-shop/jobs/shop.main.shop.${name}`;

it("dbt-ol: models, their columns and tests, the failed one with its alert", async () => {
  const env = { OPENLINEAGE_URL: instance.url, OPENLINEAGE_NAMESPACE: "dbt-shop" };
  const codes = [];
  for (const command of ["seed", "run", "test"]) {
    codes.push((await runDbt(env, directory, command)).code);
  }
  // One of its tests fails, another one warns.
  expect(codes).toEqual([0, 0, 1]);

  await eventually(async () => {
    const edges = await rows(
      `SELECT p.catrn AS parent, c.catrn AS child FROM lineage_edge l
         JOIN data_entity p ON p.id = l.parent_id JOIN data_entity c ON c.id = l.child_id
         JOIN data_entity e ON e.id = l.establisher_id
        WHERE e.catrn = ANY ($1) ORDER BY p.catrn, c.catrn`,
      [model("orders"), model("totals")],
    );
    expect(edges).toEqual([
      { parent: table("orders"), child: model("totals") },
      { parent: table("raw_orders"), child: model("orders") },
      { parent: model("orders"), child: table("orders") },
      { parent: model("totals"), child: table("totals") },
    ]);
  });
  await eventually(async () => {
    const tests = await rows(
      `SELECT DISTINCT e.external_name AS name, r.status FROM task_run r JOIN data_entity e ON e.id = r.task_id
        WHERE starts_with(e.catrn, $1) ORDER BY name`,
      table(""),
    );
    expect(tests).toEqual([
      { name: "customer_should_be_there", status: "UNKNOWN" },
      { name: "not_null_orders_customer", status: "FAILED" },
      { name: "not_null_orders_id", status: "SUCCESS" },
      { name: "not_null_totals_total", status: "SUCCESS" },
      { name: "unique_orders_id", status: "SUCCESS" },
    ]);
    const alerts = await rows(
      `SELECT e.catrn FROM alert a JOIN data_entity e ON e.id = a.entity_id WHERE a.status = 1
        ORDER BY e.catrn`,
    );
    // The command as a whole failed too.
    const command = "//openlineage/namespaces/dbt-shop/jobs/dbt-run-shop";
    expect(alerts).toEqual([{ catrn: table("orders") }, { catrn: command }]);
  });
});

it("dbt-ol: columns of columns, a description, and types that nobody told are unknown", async () => {
  const [totals] = await rows("SELECT id FROM data_entity WHERE catrn = $1", table("totals"));
  const upstream = await instance.json(
    `/api/datasets/${totals!.id}/columns/lineage/upstream?lineage_depth=5`,
  ) as { columns: { name: string }[] };
  expect([...new Set(upstream.columns.map(({ name }) => name))].sort())
    .toEqual(["customer", "net", "tax", "total"]);
  const [orders] = await rows(
    "SELECT id, external_description FROM data_entity WHERE catrn = $1",
    table("orders"),
  );
  expect(orders!.external_description).toBe("Orders with their totals");
  const { field_list } = await instance.json(`/api/datasets/${orders!.id}/structure`) as {
    field_list: { name: string; type: { type: string } }[];
  };
  expect(field_list.map(({ name, type }) => [name, type.type]))
    .toEqual([["id", "TYPE_UNKNOWN"], ["customer", "TYPE_UNKNOWN"]]);
  const warnings = await instance.json("/api/openlineage/complaints?namespace=dbt-shop");
  expect(warnings).toEqual({ items: [] });
});
