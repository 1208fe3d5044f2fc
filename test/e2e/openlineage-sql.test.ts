import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiService } from "#services/api/service.ts";
import { ingestConsumerService } from "#services/ingest-consumer/service.ts";
import { openLineageService } from "#services/openlineage/service.ts";
import { engineSets, type Instance, startInstance } from "#test/support/engines/instance.ts";
import { eventually } from "#test/support/eventually.ts";

// The SQL that an OpenLineage client sends along tells of columns, until the client tells of them itself.

const namespace = "postgres://db.example:5432";
const schemas = "//postgresql/host/db.example/databases/shop/schemas/public/tables";

const schema = (...names: string[]) => ({
  schema: { fields: names.map((name) => ({ name, type: "integer" })) },
});
const orders = { namespace, name: "shop.public.orders", facets: schema("total", "live") };
const revenue = { namespace, name: "shop.public.revenue", facets: schema("net") };
const query =
  "INSERT INTO public.revenue (net) SELECT sum(o.total) FROM public.orders o WHERE o.live";

/** Says that `net` is made of the other column, which the SQL does not. */
const declared = {
  ...revenue,
  facets: {
    ...revenue.facets,
    columnLineage: {
      fields: { net: { inputFields: [{ namespace, name: orders.name, field: "live" }] } },
    },
  },
};

interface Answer {
  columns: { id: number; name: string | null }[];
  edges: { source_id: number; target_id: number; kind: string; origin: string }[];
}

describe.each(engineSets())("SQL of OpenLineage on the %s engines", (set) => {
  let instance: Instance;

  beforeAll(async () => {
    const services = [apiService, ingestConsumerService, openLineageService];
    const config = { lineage: { columns: { "from-sql": true } } };
    instance = await startInstance(set, { services, config });
  });
  afterAll(() => instance?.stop());

  async function post(n: number, ...outputs: unknown[]): Promise<void> {
    const event = {
      eventType: "COMPLETE",
      eventTime: new Date(Date.UTC(2026, 0, 1, 0, n)).toISOString(),
      run: { runId: `0197a3c0-0000-7000-8000-00000000000${n}` },
      job: { namespace: "airflow", name: "shop.revenue", facets: { sql: { query } } },
      inputs: [orders],
      outputs,
    };
    // As clients do: 503 means that the same is posted again.
    await eventually(async () => {
      const answer = await instance.send("POST", "/api/v1/lineage", event);
      expect([answer.status, await answer.text()]).toEqual([200, ""]);
    });
  }

  async function edges(): Promise<string[]> {
    const catrn = `${schemas}/revenue`;
    const page = await instance.json(
      `/api/dataentities?${new URLSearchParams({ catrn, page: "1", size: "1" })}`,
    ) as { items: { id: number }[] };
    const path = `/api/datasets/${
      page.items[0]!.id
    }/columns/lineage/upstream?include_indirect=true`;
    const { columns, edges } = await instance.json(path) as Answer;
    const names = new Map(columns.map(({ id, name }) => [id, name]));
    return edges.map((edge) =>
      `${names.get(edge.source_id)} ${edge.kind} ${names.get(edge.target_id)} ${edge.origin}`
    ).sort();
  }

  it("tells of columns while the events do not", async () => {
    await post(1, revenue);
    const read = ["live INDIRECT null SQL", "total DIRECT net SQL"];
    await eventually(async () => expect(await edges()).toEqual(read));
  });

  it("has lower precedence than what an event declares of columns, SQL or not", async () => {
    await post(2, declared);
    const expected = ["live DIRECT net DECLARED"];
    await eventually(async () => expect(await edges()).toEqual(expected));
    // What is due is looked for over all jobs: nothing is left to be read.
    const due = "SELECT sql_due(ARRAY(SELECT id FROM data_entity)) AS id";
    await eventually(async () => expect(await instance.test.db.query(due)).toEqual([]));
    expect(await edges()).toEqual(expected);
  });
});
