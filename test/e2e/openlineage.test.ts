import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiService } from "#services/api/service.ts";
import { ingestConsumerService } from "#services/ingest-consumer/service.ts";
import { openLineageService } from "#services/openlineage/service.ts";
import { engineSets, type Instance, startInstance } from "#test/support/engines/instance.ts";
import { eventually } from "#test/support/eventually.ts";

// What a client of OpenLineage posts is in the catalogue, on every set of engines.

const runId = "0197a3c0-0000-7000-8000-00000000000";

describe.each(engineSets())("OpenLineage on the %s engines", (set) => {
  let instance: Instance;

  beforeAll(async () => {
    const services = [apiService, ingestConsumerService, openLineageService];
    instance = await startInstance(set, { services });
  });
  afterAll(() => instance?.stop());

  const event = (eventType: string, n: number, more: Record<string, unknown> = {}) => ({
    eventType,
    eventTime: new Date().toISOString(),
    producer: "https://example.com/airflow",
    schemaURL: "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
    run: { runId: `${runId}${n}`, facets: {} },
    job: { namespace: "airflow", name: "shop.load", facets: {} },
    inputs: [{ namespace: "postgres://db:5432", name: "shop.public.orders" }],
    outputs: [{ namespace: "postgres://db:5432", name: "shop.public.totals" }],
    ...more,
  });
  const post = async (body: unknown) => {
    const answer = await instance.send("POST", "/api/v1/lineage", body);
    expect([answer.status, await answer.text()]).toEqual([Array.isArray(body) ? 204 : 200, ""]);
  };
  const job = "//openlineage/namespaces/airflow/jobs/shop.load";
  const rows = <R>(text: string, ...values: unknown[]) =>
    instance.test.db.query(text, values) as Promise<R[]>;
  const runs = () =>
    rows<{ status: string }>(
      `SELECT r.status FROM task_run r JOIN data_entity e ON e.id = r.task_id
        WHERE e.catrn = $1 ORDER BY r.catrn`,
      job,
    );

  it("shows the edge at START, over the lineage graph", async () => {
    await post(event("START", 1));
    const id = await eventually(async () => {
      const [row] = await rows<{ id: number }>(
        "SELECT id FROM data_entity WHERE catrn = $1 AND NOT hollow",
        job,
      );
      expect(row).toBeDefined();
      return row!.id;
    });
    for (const [direction, name] of [["upstream", "orders"], ["downstream", "totals"]]) {
      await eventually(async () => {
        const path = `/api/dataentities/${id}/lineage/${direction}?lineage_depth=1`;
        expect(JSON.stringify(await instance.json(path))).toContain(`"external_name":"${name}"`);
      });
    }
    await eventually(async () => expect(await runs()).toEqual([{ status: "RUNNING" }]));
  });

  it("shows a COMPLETE run as SUCCESS, whatever comes twice or late", async () => {
    await post(event("COMPLETE", 1));
    await post([event("COMPLETE", 1), event("START", 1)]);
    await eventually(async () => expect(await runs()).toEqual([{ status: "SUCCESS" }]));
  });

  it("tells what became of a run by the id of its producer", async () => {
    const [run] = await rows<{ id: number; task_id: number }>(
      "SELECT id, task_id FROM task_run WHERE name = $1",
      `${runId}1`,
    );
    const own = { entity_id: run!.id, job_entity_id: run!.task_id, job_catrn: job };
    await eventually(async () => {
      const found = await instance.json(`/api/openlineage/runs?run_id=${runId}1`);
      expect(found).toMatchObject({ items: [{ ...own, state: "SUCCESS", events: 4 }] });
    });
    const none = await instance.json("/api/openlineage/runs?run_id=none");
    expect(none).toEqual({ items: [] });
    expect((await instance.send("GET", "/api/openlineage/runs")).status).toBe(400);
    const lineage = await instance.json(`/api/openlineage/runs/${runId}1/lineage`);
    expect(lineage).toMatchObject({ items: [{ job_catrn: job, state: "SUCCESS" }] });
    expect(await instance.json("/api/openlineage/runs/none/lineage")).toEqual({ items: [] });
  });

  it("tells the other names of a dataset", async () => {
    const location = { namespace: "s3://lake", name: "warehouse/orders" };
    const table = { namespace: "hive://meta:9083", name: "shop.orders" };
    const symlinks = { identifiers: [{ ...table, type: "TABLE" }] };
    const dataset = { ...location, facets: { symlinks } };
    await post({ eventTime: new Date().toISOString(), dataset });
    await eventually(async () => {
      const found = await instance.json(`/api/openlineage/names?${new URLSearchParams(location)}`);
      expect(found).toMatchObject({ aliases: [{ ...table, role: "table" }] });
    });
  });

  it("raises the alert of a run that failed", async () => {
    await post(event("FAIL", 2));
    await eventually(async () => {
      const open = await rows(
        `SELECT FROM alert a JOIN data_entity e ON e.id = a.entity_id
          WHERE e.catrn = $1 AND a.status = 1`,
        job,
      );
      expect(open).toHaveLength(1);
    });
  });

  it("takes eight posters at once, and comes to what one would have come to", async () => {
    const batch = (n: number) =>
      ["COMPLETE", "START", "RUNNING"].map((type) => ({
        ...event(type, 3),
        eventTime: new Date(Date.UTC(2026, 0, 1, 0, type === "COMPLETE" ? 5 : 1)).toISOString(),
        job: { namespace: "parallel", name: `job${n % 4}`, facets: {} },
        run: { runId: `${runId.replace("0197", "0198")}${n % 4}`, facets: {} },
      }));
    const send = (n: number) => instance.send("POST", "/api/v1/lineage/batch", batch(n));
    const answers = await Promise.all(Array.from({ length: 32 }, (_, n) => send(n)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]));
    await eventually(async () => {
      const found = await rows<{ status: string }>(
        `SELECT r.status FROM task_run r JOIN data_entity e ON e.id = r.task_id
          WHERE starts_with(e.catrn, '//openlineage/namespaces/parallel/')`,
      );
      expect(found).toEqual(Array.from({ length: 4 }, () => ({ status: "SUCCESS" })));
    });
  });

  it("takes a thousand events in one request, and counts each", async () => {
    const thousand = Array.from({ length: 1_000 }, (_, n) => ({
      ...event("COMPLETE", 1),
      job: { namespace: "thousand", name: `job${n % 20}`, facets: {} },
      run: { runId: `run ${n}`, facets: {} },
    }));
    // As clients do: 503 means that the same is posted again.
    await eventually(() => post(thousand));
    await eventually(async () => {
      const [row] = await rows<{ runs: number }>(
        `SELECT count(*)::int AS runs FROM task_run
          WHERE starts_with(catrn, '//openlineage/namespaces/thousand/') AND status = 'SUCCESS'`,
      );
      expect(row!.runs).toBe(1_000);
    });
  });
});
