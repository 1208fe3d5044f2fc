import { expect, it } from "vitest";
import { journey } from "#test/acceptance/client.ts";

const source = "//warehouse/alerts";
const table = {
  catrn: `${source}/orders`,
  name: "orders",
  type: "TABLE",
  dataset: { field_list: [] },
};
const period = { begin_date: "2026-01-01T00:00:00Z", end_date: "2099-01-01T00:00:00Z" };
const routed = (labels: Record<string, string>, more: object = {}) => ({
  status: "firing",
  labels: { alertname: "Skew", severity: "page", ...labels },
  annotations: { summary: "rows are missing" },
  startsAt: "2026-02-03T10:20:30.123456789Z",
  endsAt: "0001-01-01T00:00:00Z",
  generatorURL: "http://prometheus:9090/graph?g0.expr=up",
  fingerprint: "c1f3b2a4",
  ...more,
});
const delivery = (...alerts: object[]) => ({
  version: "4",
  groupKey: '{}:{alertname="Skew"}',
  truncatedAlerts: 0,
  status: "firing",
  receiver: "catalogue",
  groupLabels: {},
  commonLabels: {},
  commonAnnotations: {},
  externalURL: "http://alertmanager:9093",
  alerts,
});

journey("an alert from the alert router to its resolution", (client) => {
  // deno-lint-ignore no-explicit-any -- answers of every shape, held to their declarations
  const alerts = async (query: Record<string, string | number> = {}): Promise<any[]> =>
    await client().read("/api/alerts/list", query);
  let orders: number;
  let raised: number;

  it("is listed on its entity, on an unknown one, and on none", async () => {
    await client().register(source);
    await client().ingest(source, table);
    orders = await client().id(table.catrn);
    const answer = await client().post(
      "/ingestion/alert/alertrouter",
      delivery(
        routed({ entity_catrn: table.catrn }),
        routed({ entity_oddrn: `${source}/unknown` }, { fingerprint: "c1f3b2a5" }),
        { labels: { alertname: "Watchdog" } },
      ),
    );
    expect([answer.status, answer.text]).toEqual([200, ""]);
    const found = await alerts();
    const catrns = found.map((alert) => alert.data_entity?.catrn ?? null);
    expect(catrns).toEqual([null, `${source}/unknown`, table.catrn]);
    const alert = found[2];
    raised = alert.id;
    const moment = "2026-02-03%2010%3A20%3A30";
    const link = "http://prometheus:9090/graph?g0.expr=up" +
      `&g0.moment_input=${moment}&g0.end_input=${moment}`;
    expect(alert).toMatchObject({
      type: "DISTRIBUTION_ANOMALY",
      status: "OPEN",
      last_created_at: "2026-02-03T10:20:30.123Z",
      alert_chunk_list: [{
        created_at: "2026-02-03T10:20:30.123Z",
        description: `Skew: rows are missing\n${link}`,
      }],
    });
    const counts = { my_objects_count: 0, downstream_count: 0, upstream_count: 0 };
    expect(await client().read("/api/alerts/counts")).toEqual({ total_count: 3, ...counts });
    expect(await client().read("/api/alerts/totals"))
      .toEqual({ total: 3, my_total: 0, dependent_total: 0 });
    expect(await alerts({ type: "UPSTREAM" })).toEqual([]);
  });

  it("is shown on its entity, and the unknown one is filled by its first payload", async () => {
    const path = `/api/dataentities/${orders}/alerts`;
    expect((await client().read(path, { page: 1, size: 5 })).page_info.total).toBe(1);
    expect(await client().read(`${path}/counts`, { status: "OPEN" })).toBe(1);
    const listed = await client().read("/api/dataentities", {
      catrn: table.catrn,
      page: 1,
      size: 1,
    });
    expect(listed.items).toHaveLength(1);
    const unknown = { ...table, catrn: `${source}/unknown`, name: "known now" };
    await client().ingest(source, unknown);
    const [filled] = await alerts({ page: 2, size: 1 });
    expect(filled.data_entity).toMatchObject({ external_name: "known now", has_alerts: true });
  });

  it("is resolved, opened again beside one that fires again, and refused for one of another type", async () => {
    const path = `/api/alerts/${raised}/status`;
    const resolved = await client().put(path, { status: "RESOLVED" });
    expect([resolved.status, resolved.json.status]).toEqual([200, "RESOLVED"]);
    await client().post(
      "/ingestion/alert/alertrouter",
      delivery(
        routed({ entity_catrn: table.catrn }),
        routed({ entity_catrn: table.catrn }, { startsAt: "2026-02-04T00:00:00Z" }),
      ),
    );
    expect((await client().put(path, { status: "OPEN" })).status).toBe(200);
    const open = await client().read(`/api/dataentities/${orders}/alerts/list`, { status: "OPEN" });
    expect(open).toHaveLength(2);
    expect((await client().put("/api/alerts/999999/status", { status: "OPEN" })).status).toBe(404);
  });

  it("is halted by a time, which is stored as a whole", async () => {
    const path = `/api/dataentities/${orders}/alert_config`;
    const time = "2090-01-01T00:00:00.000Z";
    await client().put(path, { failed_job_halt_until: time });
    const put = await client().put(path, { distribution_anomaly_halt_until: time });
    expect(put.status).toBe(200);
    expect(await client().read(path)).toEqual({
      failed_job_halt_until: null,
      failed_dq_test_halt_until: null,
      incompatible_schema_halt_until: null,
      distribution_anomaly_halt_until: time,
    });
  });

  it("is told in the activity feed, step by step", async () => {
    const path = `/api/dataentities/${orders}/activity`;
    const page = await client().read(path, { ...period, size: 20 });
    expect(page.map((event: { event_type: string }) => event.event_type)).toEqual([
      "ALERT_HALT_CONFIG_UPDATED",
      "ALERT_HALT_CONFIG_UPDATED",
      "ALERT_STATUS_UPDATED",
      "OPEN_ALERT_RECEIVED",
      "ALERT_STATUS_UPDATED",
      "OPEN_ALERT_RECEIVED",
      "DATA_ENTITY_CREATED",
    ]);
    expect(page.at(-1).new_state.data_entity.type).toEqual({ id: 1, name: "TABLE" });
    const all = await client().read("/api/activity", {
      ...period,
      size: 20,
      event_type: "OPEN_ALERT_RECEIVED",
    });
    expect(all.map((event: { data_entity: { catrn: string } | null }) => event.data_entity?.catrn))
      .toEqual([table.catrn, undefined, `${source}/unknown`, table.catrn]);
    const counts = await client().read("/api/activity/counts", period);
    expect(counts.total_count).toBeGreaterThan(all.length);
    expect((await client().read("/api/activity/users", { page: 1, size: 5 })).items).toEqual([]);
    expect((await client().get("/api/activity", { size: 5 })).status).toBe(400);
  });
});
