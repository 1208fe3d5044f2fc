import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Config } from "#platform/config/schema.ts";
import { connectionRoutes } from "#services/api/features/connections/routes.ts";
import { auditedBy } from "#test/support/audit.ts";
import { type TestApi, testApi, testContext } from "#test/support/http/api.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";

const key = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
let test: TestDatabase;
let api: TestApi;
let keyless: TestApi;
const closing: (() => Promise<void>)[] = [];
beforeAll(async () => {
  test = await testDatabase();
  const apiWith = (connections: Record<string, unknown>) => {
    const config = Config.parse({ instance: test.name, connections });
    const context = testContext(test, { config });
    closing.push(() => context.wakeups.close());
    return testApi(connectionRoutes(context), context);
  };
  [api, keyless] = [apiWith({ "secret-key": key }), apiWith({})];
});
afterAll(async () => {
  for (const close of closing) await close();
  await test.drop();
});

const settings = (database: string, more = {}) => ({
  host: "db.example",
  database,
  user: "reader",
  password: "s3cret-word",
  ...more,
});
const create = (name: string, more = {}, via = api) =>
  via.post("/api/connections", {
    name,
    connector: "postgresql",
    settings: settings(name.replaceAll(" ", "_"), more),
    paused: true,
  });

describe("connections", () => {
  it("are created with a data source, and never show their secrets", async () => {
    const answer = await create("shop");
    expect(answer.json).toMatchObject({
      name: "shop",
      connector: "postgresql",
      settings: { host: "db.example", port: 5_432, tls: "prefer" },
      secrets: [{ name: "password", kind: "STORED" }],
      data_source_catrn: "//postgresql/host/db.example/databases/shop",
      schedule_minutes: 60,
      last_run: null,
    });
    const texts = [answer.text, (await api.get("/api/connections")).text];
    const rows = await test.db.query<{ row: string }>(
      "SELECT connection::text AS row FROM connection",
    );
    for (const text of [...texts, rows[0]!.row]) expect(text).not.toContain("s3cret-word");
    const sources = "SELECT name FROM data_source WHERE catrn = $1";
    expect(await test.db.query(sources, [answer.json.data_source_catrn])).toEqual([{
      name: "shop",
    }]);
  });

  it("name each wrong setting", async () => {
    const answer = await create("wrong", { host: "http://x/", port: 0, colour: "red" });
    expect([answer.status, answer.json.code]).toEqual([400, "USR001"]);
    const fields = answer.json.details.map(({ field }: { field: string }) => field);
    expect(fields).toEqual(expect.arrayContaining(["settings.host", "settings.port"]));
    expect(answer.text).not.toContain("s3cret-word");
  });

  it("are refused twice for one name or one database", async () => {
    await create("once");
    expect((await create("ONCE", { database: "other" })).json.code).toBe("USR003");
    expect((await create("another", { database: "once" })).json.code).toBe("USR003");
  });

  it("are refused for a database that a collector writes", async () => {
    await test.db.query(
      `WITH t AS (INSERT INTO token (digest, hint) VALUES (sha256('x'), 'xxxx') RETURNING id)
       INSERT INTO data_source (catrn, name, token_id)
       SELECT '//postgresql/host/db.example/databases/theirs', 'theirs', id FROM t`,
    );
    expect((await create("theirs")).json).toMatchObject({ code: "USR003" });
  });

  it("take references where there is no key, and no secrets", async () => {
    const refused = await create("keyless", {}, keyless);
    expect(refused.json).toMatchObject({ details: [{ field: "settings.password" }] });
    const reference = { password: "${env:SOURCE_SECRET_SHOP}" };
    const taken = await create("keyless", reference, keyless);
    expect(taken.json.secrets).toEqual([{ name: "password", kind: "ENV" }]);
    const foreign = await create("foreign", { password: "${env:METADATA_POSTGRES_PASSWORD}" });
    expect(foreign.json).toMatchObject({
      code: "USR001",
      details: [{ field: "settings.password" }],
    });
  });

  it("keep a secret that is left out, take it away with null, and want it again with other TLS", async () => {
    const { id } = (await create("kept")).json;
    const { password: _, ...rest } = settings("kept");
    const put = (given: Record<string, unknown>) =>
      api.put(`/api/connections/${id}`, { name: "kept", settings: given });
    expect((await put(rest)).json.secrets).toHaveLength(1);
    expect((await put({ ...rest, tls: "disable" })).json.details)
      .toMatchObject([{ field: "settings.password" }]);
    expect((await put({ ...rest, tls: "disable", password: "again" })).status).toBe(200);
    expect((await put({ ...rest, password: null, tls: "disable" })).json.secrets).toEqual([]);
    expect((await put({ ...rest, host: "evil.example" })).json.code).toBe("USR003");
  });

  it("are deleted with their history", async () => {
    const { id } = (await create("gone")).json;
    await api.post(`/api/connections/${id}/run`);
    expect((await api.delete(`/api/connections/${id}`)).status).toBe(204);
    expect((await api.get(`/api/connections/${id}`)).status).toBe(404);
    expect((await api.delete(`/api/connections/${id}`)).status).toBe(404);
    expect(await test.db.query("SELECT FROM connection_run WHERE connection_id = $1", [id]))
      .toEqual([]);
  });
});

describe("runs", () => {
  it("wait once for each kind, and can be cancelled", async () => {
    const { id } = (await create("runs")).json;
    const first = (await api.post(`/api/connections/${id}/run`)).json;
    expect(first).toMatchObject({ kind: "RUN", state: "QUEUED", counts: { read: 0 }, error: null });
    expect((await api.post(`/api/connections/${id}/run`)).json.id).toBe(first.id);
    const test = (await api.post(`/api/connections/${id}/test`)).json;
    const preview = (await api.post(`/api/connections/${id}/preview`)).json;
    expect([test.kind, preview.kind]).toEqual(["TEST", "PREVIEW"]);
    const cancelled = await api.post(`/api/connection-runs/${first.id}/cancel`);
    expect(cancelled.json.state).toBe("CANCELLED");
    const { items } = (await api.get(`/api/connections/${id}/runs`)).json;
    expect(items.map(({ id }: { id: number }) => id)).toEqual([preview.id, test.id, first.id]);
    expect((await api.get(`/api/connection-runs/${test.id}`)).json.state).toBe("QUEUED");
  });

  it("404 for what is unknown", async () => {
    for (const path of ["/api/connections/999999", "/api/connections/999999/runs"]) {
      expect((await api.get(path)).status).toBe(404);
    }
    for (const kind of ["run", "test", "preview"]) {
      expect((await api.post(`/api/connections/999999/${kind}`)).status).toBe(404);
    }
    expect((await api.get("/api/connection-runs/999999")).status).toBe(404);
    expect((await api.post("/api/connection-runs/999999/cancel")).status).toBe(404);
    const form = { name: "x", settings: settings("x") };
    expect((await api.put("/api/connections/999999", form)).status).toBe(404);
  });
});

it("getConnectors: the form comes from the schema of the settings", async () => {
  const { items, stores_secrets } = (await api.get("/api/connectors")).json;
  expect(stores_secrets).toBe(true);
  expect(items[0].settings_schema).toMatchObject({
    required: expect.arrayContaining(["host", "database", "user"]),
    properties: { password: { writeOnly: true }, port: { default: 5_432 } },
  });
});

it("audit records every change of a connection, without secrets", async () => {
  const events = await auditedBy(test.db, async () => {
    const { id } = (await create("audited")).json;
    const run = (await api.post(`/api/connections/${id}/run`)).json;
    await api.post(`/api/connection-runs/${run.id}/cancel`);
    await api.put(`/api/connections/${id}`, { name: "audited too", settings: settings("audited") });
    await api.delete(`/api/connections/${id}`);
  });
  expect(events.map(([type]) => type)).toEqual([
    "CONNECTION_CREATED",
    "CONNECTION_RUN",
    "CONNECTION_RUN_CANCELLED",
    "CONNECTION_CHANGED",
    "CONNECTION_DELETED",
  ]);
  expect(JSON.stringify(events)).not.toContain("s3cret-word");
});
