import { Buffer } from "node:buffer";
import { expect, test } from "vitest";
import { DataSource, DataSourceArrivals, DataSourceList } from "#contract/catalogue/common.ts";
import { dataSourceRoutes } from "#services/api/features/datasources/routes.ts";
import { auditedBy } from "#test/support/audit.ts";
import { featureUnderTest } from "#test/support/http/feature.ts";
import * as seed from "#test/support/seed/seed.ts";

const { api, database } = featureUnderTest(dataSourceRoutes);

let serial = 0;
async function register(more: Record<string, unknown> = {}) {
  const form = { name: "shop", catrn: `//postgresql/host/${++serial}`, ...more };
  return (await api.post("/api/datasources", form)).json;
}

test("registerDataSource 200: shows the token whole and makes the namespace", async () => {
  const source = DataSource.parse(
    await register({ namespace_name: "made here", description: "the shop" }),
  );
  expect(source.token!.value).toMatch(/^[A-Za-z0-9]{40}$/);
  expect(source).toMatchObject({ namespace: { name: "made here" }, description: "the shop" });
});

/** Contains a blank, so it can never be a valid bearer token. */
const masked = expect.stringMatching(/^\*{6} /);

test("registerDataSource and regenerateDataSourceToken: the store keeps a digest, never the token", async () => {
  const { id, token } = await register();
  const renewed = (await api.put(`/api/datasources/${id}/token`)).json.token;
  const rows = await database.db.query<{ text: string }>(
    "SELECT t::text AS text, digest = sha256($2) AS same FROM token t WHERE id = $1",
    [token.id, Buffer.from(renewed.value)],
  );
  expect(rows).toMatchObject([{ same: true }]);
  for (const { value, hint } of [token, renewed]) {
    expect(rows[0]!.text).not.toContain(value);
    expect(value.slice(-4)).toBe(hint);
  }
});

test("updateDataSource 200: the token is masked", async () => {
  const { id, token } = await register();
  const { json } = await api.put(`/api/datasources/${id}`, { name: "other" });
  expect(json.token).toMatchObject({ value: masked, hint: token.value.slice(-4) });
});

test("registerDataSource 400 USR003: the CATRN is taken; nothing is left behind", async () => {
  const { catrn } = await register();
  const answer = await api.post("/api/datasources", {
    name: "again",
    catrn,
    namespace_name: "never made",
  });
  expect(answer.json).toMatchObject({ code: "USR003", details: [{ field: "catrn" }] });
  const rows = await database.db.query("SELECT FROM namespace WHERE name = 'never made'");
  expect(rows).toHaveLength(0);
});

test.each([
  [{ name: "x" }, "catrn"],
  [{ name: "x", catrn: " " }, "catrn"],
  [{ name: "x", catrn: "ä".repeat(501) }, "catrn"],
  [{ name: "x", catrn: "my warehouse" }, "catrn"],
  [{ name: "x", catrn: "postgresql/host/db" }, "catrn"],
  [{ name: "x", catrn: "///host" }, "catrn"],
  [{ catrn: "//x" }, "name"],
])("registerDataSource 400 USR001: %j names %s", async (form, field) => {
  const answer = await api.post("/api/datasources", form);
  expect(answer.json).toMatchObject({ code: "USR001", details: [{ field }] });
  expect(answer.status).toBe(400);
});

test("getDataSourceList 200: by name, tokens masked beside their last four characters", async () => {
  const { token } = await register({ name: "listed b" });
  await register({ name: "listed a" });
  const answer = await api.get("/api/datasources?page=1&size=1&query=LISTED");
  const list = DataSourceList.parse(answer.json);
  expect(list.page_info).toEqual({ total: 2, hasNext: true });
  expect(list.items.map((item) => item.name)).toEqual(["listed a"]);
  const second = (await api.get("/api/datasources?page=2&size=1&query=listed")).json;
  expect(second.items[0].token).toMatchObject({ hint: token.value.slice(-4), value: masked });
  expect(second.items[0].token.created_at).toBe(token.created_at);
});

test("getDataSourceList 400: size beyond the largest", async () => {
  expect((await api.get("/api/datasources?page=1&size=1001")).status).toBe(400);
});

test("updateDataSource 200: what is left out stays, null empties", async () => {
  const { id } = await register({ namespace_name: "ns one", description: "told" });
  const renamed = await api.put(`/api/datasources/${id}`, { name: "renamed" });
  expect(renamed.json).toMatchObject({
    name: "renamed",
    description: "told",
    namespace: { name: "ns one" },
  });
  const emptied = await api.put(`/api/datasources/${id}`, {
    namespace_name: null,
    description: "",
  });
  expect(emptied.json).toMatchObject({ name: "renamed", description: null, namespace: null });
  const queued = await database.db.query(
    "SELECT FROM search_refresh_queue WHERE kind = 'data_source' AND subject_id = $1",
    [id],
  );
  expect(queued).toHaveLength(1);
});

test("updateDataSource 404 unknown, 400 malformed", async () => {
  expect((await api.put("/api/datasources/999999", { name: "x" })).status).toBe(404);
  expect((await api.put("/api/datasources/1", { name: [] })).status).toBe(400);
});

test("deleteDataSource 204 with its token, then 404", async () => {
  const { id, token } = await register();
  expect((await api.delete(`/api/datasources/${id}`)).status).toBe(204);
  expect((await api.delete(`/api/datasources/${id}`)).status).toBe(404);
  expect(await database.db.query("SELECT FROM token WHERE id = $1", [token.id])).toHaveLength(0);
});

test("deleteDataSource 400 USR004: it has entities", async () => {
  const { id } = await register();
  await seed.seedEntity(database.db, { sourceId: id });
  const answer = await api.delete(`/api/datasources/${id}`);
  expect([answer.status, answer.json.code]).toEqual([400, "USR004"]);
  expect(answer.json.message).toMatch(/ \(entities: [^)]+\)$/);
});

test("deleteDataSource 204: entities that are deleted already do not hold it", async () => {
  const { id } = await register();
  const deleted = await seed.seedEntity(database.db, { sourceId: id });
  await database.db.query("UPDATE data_entity SET status = 5 WHERE id = $1", [deleted]);
  expect((await api.delete(`/api/datasources/${id}`)).status).toBe(204);
  expect(await database.db.query("SELECT data_source_id FROM data_entity WHERE id = $1", [deleted]))
    .toEqual([{ data_source_id: null }]);
});

test("regenerateDataSourceToken 200: a new value, whole, in place of the old", async () => {
  const { id, token } = await register();
  const answer = await api.put(`/api/datasources/${id}/token`);
  expect(answer.status).toBe(200);
  expect(answer.json.token.id).toBe(token.id);
  expect(answer.json.token.value).toMatch(/^[A-Za-z0-9]{40}$/);
  expect(answer.json.token.value).not.toBe(token.value);
});

test("regenerateDataSourceToken 200: a source registered without one gets its first", async () => {
  const id = await seed.seedSource(database.db);
  const answer = await api.put(`/api/datasources/${id}/token`);
  expect(answer.json.token.value).toHaveLength(40);
});

test("regenerateDataSourceToken 400: its collector's token authorises it", async () => {
  const id = await seed.seedSource(database.db);
  await database.db.query(
    `WITH t AS (INSERT INTO token (digest, hint) VALUES (sha256('of a collector'), 'ctor') RETURNING id),
       c AS (INSERT INTO collector (name, token_id) SELECT 'c', id FROM t RETURNING id)
     UPDATE data_source SET collector_id = (SELECT id FROM c) WHERE id = $1`,
    [id],
  );
  const answer = await api.put(`/api/datasources/${id}/token`);
  expect([answer.status, answer.json.code]).toEqual([400, "USR001"]);
});

test("regenerateDataSourceToken 404: unknown", async () => {
  expect((await api.put("/api/datasources/999999/token")).status).toBe(404);
});

test("auditors are told of every token that is minted, regenerated and revoked, and see none", async () => {
  const shown: string[] = [];
  let id = 0;
  const events = await auditedBy(database.db, async () => {
    const source = await register({ name: "audited", catrn: "//audited" });
    id = source.id;
    const renewed = (await api.put(`/api/datasources/${id}/token`)).json;
    shown.push(source.token.value, renewed.token.value);
    await api.put(`/api/datasources/${id}`, { name: "audited too" });
    await api.delete(`/api/datasources/${id}`);
    const without = await seed.seedSource(database.db);
    await api.put(`/api/datasources/${without}/token`);
    await api.put("/api/datasources/999999/token");
  });
  expect(events.map(([type]) => type)).toEqual([
    "TOKEN_MINTED",
    "TOKEN_REGENERATED",
    "TOKEN_REVOKED",
    "TOKEN_MINTED",
  ]);
  expect(events[1]).toEqual(["TOKEN_REGENERATED", null, `data source ${id} audited (//audited)`]);
  for (const value of shown) expect(JSON.stringify(events)).not.toContain(value);
});

test("getDataSourceArrivals 200: what is in the catalogue of a source, and of those of a collector", async () => {
  const { db } = database;
  const { id } = await register({ name: "arriving" });
  const arrivals = async (query: string) =>
    DataSourceArrivals.parse((await api.get(`/api/datasources/arrivals?${query}`)).json);
  const nothing = { assets_count: 0, assets_at_least: false, data_sources: [] };
  expect(await arrivals(`data_source_id=${id}`)).toEqual(nothing);
  expect(await arrivals("")).toEqual(nothing);
  await seed.seedEntity(db, { sourceId: id });
  await seed.seedEntity(db, { sourceId: id, status: 5 });
  const one = { assets_count: 1, assets_at_least: false, data_sources: ["arriving"] };
  expect(await arrivals(`data_source_id=${id}`)).toEqual(one);
  const token = await db.query<{ token_id: number }>(
    "SELECT token_id FROM data_source WHERE id = $1",
    [id],
  );
  const [collector] = await db.query<{ id: number }>(
    "INSERT INTO collector (name, token_id) VALUES ('nightly', $1) RETURNING id",
    [token[0]!.token_id],
  );
  await db.query("UPDATE data_source SET collector_id = $2, token_id = NULL WHERE id = $1", [
    id,
    collector!.id,
  ]);
  expect(await arrivals(`collector_id=${collector!.id}`)).toEqual(one);
});
