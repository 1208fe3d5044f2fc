import { afterAll, beforeAll, expect, it } from "vitest";
import { apiService } from "#services/api/service.ts";
import { ingestConsumerService } from "#services/ingest-consumer/service.ts";
import { openLineageService } from "#services/openlineage/service.ts";
import { engineSets, type Instance, startInstance } from "#test/support/engines/instance.ts";
import { eventually } from "#test/support/eventually.ts";
import { shopTable } from "#platform/demonstration/catalogue/shop.ts";
import { demo } from "../../tools/demo/main.ts";

let instance: Instance;
beforeAll(async () => {
  const services = [apiService, ingestConsumerService, openLineageService];
  instance = await startInstance(engineSets().at(-1)!, { services });
  await demo(instance.url, () => {});
});
afterAll(() => instance?.stop());

const idOf = async (catrn: string) => {
  const [row] = await instance.test.db.query<{ id: number }>(
    "SELECT id FROM data_entity WHERE catrn = $1 AND NOT hollow",
    [catrn],
  );
  expect(row).toBeDefined();
  return row!.id;
};
const dag = "//openlineage/namespaces/airflow-finance/jobs/nightly_finance";
const mart =
  "//postgresql/host/finance-db.harbour.example/databases/finance/schemas/marts/tables/payouts_by_currency";

it("a task of the finance team reads a table that a collector told of", async () => {
  await eventually(async () => {
    const parents = await instance.test.db.query(
      `SELECT p.catrn, s.name AS source FROM lineage_edge l JOIN data_entity p ON p.id = l.parent_id
         JOIN data_source s ON s.id = p.data_source_id WHERE l.live AND l.child_id = $1`,
      [await idOf(`${dag}.extract_payouts`)],
    );
    expect(parents).toEqual([{ catrn: shopTable("payouts"), source: "Shop database" }]);
  });
});

it("its scheduler is a DAG of tasks and of the dbt run, with a run of each night", async () => {
  await eventually(async () => {
    const members = await instance.test.db.query(
      `SELECT m.catrn FROM group_member g JOIN data_entity m ON m.id = g.member_id
        WHERE g.group_id = $1 ORDER BY m.catrn`,
      [await idOf(dag)],
    );
    expect(members.map(({ catrn }) => String(catrn).split("/").at(-1))).toEqual([
      "nightly_finance.extract_payouts",
      "nightly_finance.load_rates",
      "dbt-run-finance",
    ]);
    const runs = await instance.test.db.query(
      "SELECT status FROM task_run WHERE task_id = $1",
      [await idOf(dag)],
    );
    expect(runs).toEqual(Array.from({ length: 3 }, () => ({ status: "SUCCESS" })));
  });
});

it("a column of it leads back to the column of the shop", async () => {
  await eventually(async () => {
    const path = `/api/datasets/${await idOf(mart)}/columns/lineage/upstream`;
    const { columns, datasets } = await instance.json(
      `${path}?columns=amount&lineage_depth=9`,
    ) as {
      columns: { name: string | null; dataset_id: number }[];
      datasets: { id: number; external_name: string; data_source: { name: string } }[];
    };
    const shop = datasets.find(({ data_source }) => data_source.name === "Shop database")!;
    expect(columns).toContainEqual(
      expect.objectContaining({ name: "amount", dataset_id: shop.id }),
    );
  });
});
