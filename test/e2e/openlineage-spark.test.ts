import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Instance } from "#test/support/engines/instance.ts";
import { eventually } from "#test/support/eventually.ts";
import { sumBySpark } from "#test/support/openlineage/clients.ts";
import { startGuardedIntake } from "#test/support/openlineage/guarded-intake.ts";

const directory = mkdtempSync(join(tmpdir(), "tributary-spark-"));
const [from, into] = [join(directory, "orders.csv"), join(directory, "totals")];
const namespace = "spark";

let instance: Instance;
let token: string;
beforeAll(async () => {
  ({ instance, token } = await startGuardedIntake());
  writeFileSync(from, "day,price,state\n2026-01-01,3.50,paid\n2026-01-01,4.00,open\n");
});
afterAll(async () => {
  await instance?.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** The entity that a file is in the catalogue. */
async function entityOf(name: string): Promise<number> {
  const query = new URLSearchParams({ namespace: "file", name });
  const { entity_id } = await instance.json(`/api/openlineage/names?${query}`) as {
    entity_id: number;
  };
  expect(entity_id).toBeTypeOf("number");
  return entity_id;
}

interface Columns {
  columns: { id: number; dataset_id: number; name: string | null; field_id: number | null }[];
  edges: { source_id: number; target_id: number; kind: string; origin: string }[];
}

it("the Spark listener, unmodified: run, lineage and columns are in the catalogue", async () => {
  await sumBySpark({
    "spark.openlineage.namespace": namespace,
    "spark.openlineage.transport.type": "http",
    "spark.openlineage.transport.url": instance.url,
    "spark.openlineage.transport.auth.type": "api_key",
    "spark.openlineage.transport.auth.apiKey": token,
  }, { from, into });

  const { orders, totals } = await eventually(async () => ({
    orders: await entityOf(from),
    totals: await entityOf(into),
  }));
  await eventually(async () => {
    const jobs = await instance.test.db.query(
      `SELECT e.external_name AS name, array_agg(DISTINCT r.status) AS statuses
         FROM lineage_edge i JOIN lineage_edge o ON o.parent_id = i.child_id AND o.establisher_id = i.establisher_id
         JOIN data_entity e ON e.id = i.establisher_id JOIN task_run r ON r.task_id = e.id
        WHERE i.parent_id = $1 AND o.child_id = $2 GROUP BY e.id`,
      [orders, totals],
    );
    const name = expect.stringMatching(/^daily_totals\./);
    expect(jobs).toEqual([{ name, statuses: ["SUCCESS"] }]);
  });
  await eventually(async () => {
    const path = `/api/datasets/${totals}/columns/lineage/upstream?include_indirect=true`;
    const { columns, edges } = await instance.json(path) as Columns;
    const byId = new Map(columns.map((column) => [column.id, column]));
    for (const { name, field_id } of columns) if (name !== null) expect(field_id).not.toBeNull();
    expect(
      edges.map(({ source_id, target_id, kind, origin }) => {
        expect(byId.get(source_id)!.dataset_id).toBe(orders);
        return `${byId.get(source_id)!.name} ${kind} ${byId.get(target_id)!.name} ${origin}`;
      }).sort(),
    ).toEqual([
      "day DIRECT day DECLARED",
      "day INDIRECT null DECLARED",
      "price DIRECT total DECLARED",
      "state INDIRECT null DECLARED",
    ]);
  });
  const warnings = await instance.json(`/api/openlineage/complaints?namespace=${namespace}`);
  expect(warnings).toEqual({ items: [] });
});
