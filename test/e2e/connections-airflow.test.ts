import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiService } from "#services/api/service.ts";
import { airflowServer, password } from "#services/collector/connectors/airflow/testing/server.ts";
import { collectorService } from "#services/collector/service.ts";
import type { RecordedServer } from "#services/collector/testing/server.ts";
import { ingestConsumerService } from "#services/ingest-consumer/service.ts";
import { openLineageService } from "#services/openlineage/service.ts";
import { engineSets, type Instance, startInstance } from "#test/support/engines/instance.ts";
import { eventually } from "#test/support/eventually.ts";

// A DAG that both OpenLineage events and a connection describe.

describe.each(engineSets())("Airflow over both ways on the %s engines", (set) => {
  let instance: Instance;
  let server: RecordedServer;
  beforeAll(async () => {
    server = await airflowServer(3);
    const services = [apiService, ingestConsumerService, openLineageService, collectorService];
    const connections = { "secret-key": "A".repeat(43) };
    instance = await startInstance(set, { services, config: { connections } });
  });
  afterAll(async () => {
    await instance?.stop();
    await server?.close();
  });

  const event = (name: string, outputs: unknown[], more: Record<string, unknown> = {}) => ({
    eventType: "COMPLETE",
    eventTime: new Date().toISOString(),
    producer: "https://example.com/airflow",
    schemaURL: "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
    run: { runId: crypto.randomUUID(), facets: more },
    job: { namespace: "shop", name, facets: {} },
    inputs: [],
    outputs,
  });
  const rows = <R>(text: string, ...values: unknown[]) =>
    instance.test.db.query(text, values) as Promise<R[]>;
  const task = "//openlineage/namespaces/shop/jobs/shop_load.load";

  const children = (catrn: string) =>
    rows<{ catrn: string }>(
      `SELECT c.catrn FROM lineage_edge l JOIN data_entity c ON c.id = l.child_id
         JOIN data_entity p ON p.id = l.parent_id WHERE p.catrn = $1 ORDER BY 1`,
      catrn,
    );

  const written = "//postgresql/host/db/databases/shop/schemas/public/tables/totals";
  const declared = "//s3/cloud/aws/buckets/lake/keys/raw\\\\orders";

  async function run(id: number) {
    const queued = await (await instance.send("POST", `/api/connections/${id}/run`)).json();
    return await eventually(async () => {
      const path = `/api/connection-runs/${(queued as { id: number }).id}`;
      const { state, counts } = await instance.json(path) as {
        state: string;
        counts: Record<string, number>;
      };
      expect(state).toBe("SUCCEEDED");
      return counts;
    });
  }

  it("keeps the lineage that events report, and adds what they did not", async () => {
    const output = { namespace: "postgres://db:5432", name: "shop.public.totals" };
    const answer = await instance.send(
      "POST",
      "/api/v1/lineage",
      event("shop_load.load", [output]),
    );
    expect(answer.status).toBe(200);
    await eventually(async () => expect(await children(task)).toEqual([{ catrn: written }]));
    const made = await instance.send("POST", "/api/connections", {
      name: "airflow",
      connector: "airflow",
      paused: true,
      settings: { url: `${server.url}/air`, user: "reader", password, namespace: "shop" },
    });
    expect(made.status).toBe(200);
    const { id } = await made.json() as { id: number };
    const { read, added } = await run(id);
    // The task that events report, and its run.
    expect(added).toBe(read! - 2);
    const extract = "//openlineage/namespaces/shop/jobs/shop_load.extract";
    await eventually(async () => expect(await children(extract)).toEqual([{ catrn: declared }]));
    expect(await children(task)).toEqual([{ catrn: written }]);
    const entities = "SELECT FROM data_entity WHERE external_name LIKE 'shop_load%' AND NOT hollow";
    expect(await rows(entities)).toHaveLength(4);
    expect(await run(id)).toMatchObject({ added: 0, changed: 0, removed: 0 });
  });

  it("takes over lineage of an event that comes later", async () => {
    const extract = "//openlineage/namespaces/shop/jobs/shop_load.extract";
    const output = { namespace: "postgres://db:5432", name: "shop.public.totals" };
    await instance.send("POST", "/api/v1/lineage", event("shop_load.extract", [output]));
    await eventually(async () => expect(await children(extract)).toEqual([{ catrn: written }]));
  });
});
