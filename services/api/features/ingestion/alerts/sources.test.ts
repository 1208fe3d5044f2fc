import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { maxDescription } from "#metadata/catalogue/alerts.ts";
import { alertRoutes } from "#services/api/features/alerts/routes.ts";
import { dataSourceRoutes } from "#services/api/features/datasources/routes.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { openTestIngestion, type TestIngestion } from "#test/support/http/ingestion.ts";
import { seedSource } from "#test/support/seed/seed.ts";
import { ingestionRoutes } from "../routes.ts";

let t: TestDatabase;
let ingestion: TestIngestion;
let serial = 0;
let catrn: string;
let source: number;

beforeAll(async () => {
  t = await testDatabase();
  ingestion = openTestIngestion(t, {
    open(context) {
      const { routes, stop } = ingestionRoutes(context);
      return { routes: [...routes, ...alertRoutes(context), ...dataSourceRoutes(context)], stop };
    },
  });
});
afterAll(async () => {
  await ingestion.close();
  await t.drop();
});
beforeEach(async () => {
  catrn = `//postgresql/host/${++serial}`;
  source = await seedSource(t.db, { catrn, name: "shop", namespace: `ns ${serial}` });
});

const unreachable = "DATA_SOURCE_CONNECTION_ERROR";
const sourceAlert = (message: string, type = unreachable, of = catrn) => ({
  data_source_catrn: of,
  message,
  type,
});
const postAlerts = (...items: object[]) => ingestion.api.post("/ingestion/alerts", { items });
const listed = async (query = `datasource_id=${source}`) =>
  (await ingestion.api.get(`/api/alerts/list?${query}`)).json;
const events = async (alert: number) =>
  (await t.db.query<{ e: string }>(
    "SELECT event_type AS e FROM alert_event WHERE alert_id = $1 ORDER BY id",
    [alert],
  )).map(({ e }) => e);

describe("POST /ingestion/alerts", () => {
  it("200: an alert of no entity, which names the data source", async () => {
    const answer = await postAlerts(sourceAlert("no route to host"));
    expect([answer.status, answer.text]).toEqual([200, ""]);
    const [alert] = await listed();
    expect(alert).toMatchObject({
      type: unreachable,
      status: "OPEN",
      data_entity: null,
      data_source: { id: source, catrn },
      description: `shop (${catrn}): no route to host`,
    });
    expect(await events(alert.id)).toEqual(["CREATED"]);
  });

  it("200: told again it grows, one open alert of a type for a source", async () => {
    await postAlerts(sourceAlert("first"), sourceAlert("agent", "AGENT_ERROR"));
    await postAlerts(sourceAlert("second"), sourceAlert("third"));
    const found = await listed();
    expect(found.map((a: { type: string; alert_chunk_total: number }) => [
      a.type,
      a.alert_chunk_total,
    ])).toEqual([[unreachable, 3], ["AGENT_ERROR", 1]]);
    expect(await events(found[0].id)).toEqual(["CREATED", "UPDATED"]);
  });

  it("is found by the source and by its namespace, and by no other", async () => {
    const other = await seedSource(t.db, { namespace: "elsewhere" });
    await postAlerts(sourceAlert("x"));
    const [{ data_source }] = await listed();
    expect(await listed(`namespace_id=${data_source.namespace.id}`)).toHaveLength(1);
    expect(await listed(`datasource_id=${other}`)).toEqual([]);
    expect(await listed(`namespace_id=${data_source.namespace.id + 999_999}`)).toEqual([]);
  });

  it("many at once make one alert of each source", async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => postAlerts(sourceAlert(`call ${n}`))),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect((await listed()).map((a: { alert_chunk_total: number }) => a.alert_chunk_total))
      .toEqual([8]);
  });

  it("500, not retryable, for an unknown data source, as of a batch: nothing is recorded", async () => {
    const answer = await postAlerts(sourceAlert("x"), sourceAlert("y", unreachable, "//unknown"));
    expect(answer.status).toBe(500);
    expect(answer.json).toMatchObject({
      retryable: false,
      details: [{ field: "items[1].data_source_catrn" }],
    });
    expect(await listed()).toEqual([]);
  });

  it.each([
    ["type", () => sourceAlert("x", "FAILED_JOB")],
    ["message", () => ({ ...sourceAlert("x"), message: 5 })],
    ["message", () => sourceAlert("nul \0")],
    ["data_source_catrn", () => sourceAlert("x", unreachable, "")],
  ])("400 names a wrong %s", async (field, item) => {
    const answer = await postAlerts(item());
    expect([answer.status, answer.json.details[0].field]).toEqual([400, `items[0].${field}`]);
    expect(await listed()).toEqual([]);
  });

  it("takes the other spelling, cuts long messages, and takes none", async () => {
    const item = { data_source_oddrn: catrn, message: "é".repeat(50_000), type: "AGENT_ERROR" };
    expect((await postAlerts(item)).status).toBe(200);
    expect((await listed())[0].description).toHaveLength(maxDescription);
    expect((await postAlerts()).status).toBe(200);
  });

  it("an alert cannot be opened again beside another of its kind", async () => {
    await postAlerts(sourceAlert("x"));
    const [first] = await listed();
    await ingestion.api.put(`/api/alerts/${first.id}/status`, { status: "RESOLVED" });
    await postAlerts(sourceAlert("y"));
    const repeated = await ingestion.api.put(`/api/alerts/${first.id}/status`, { status: "OPEN" });
    expect([repeated.status, repeated.json.code]).toEqual([400, "USR003"]);
  });

  it("goes with its data source: resolved, and told so", async () => {
    await postAlerts(sourceAlert("x"));
    const [alert] = await listed();
    expect((await ingestion.api.delete(`/api/datasources/${source}`)).status).toBe(204);
    const all = await listed("size=1000");
    expect(all.find((one: { id: number }) => one.id === alert.id))
      .toMatchObject({ status: "RESOLVED_AUTOMATICALLY", data_source: null });
    expect(await events(alert.id)).toEqual(["CREATED", "RESOLVED_AUTOMATICALLY"]);
  });
});
