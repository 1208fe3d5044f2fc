import { expect, test } from "vitest";
import { Collector, CollectorList } from "#contract/catalogue/common.ts";
import { collectorRoutes } from "#services/api/features/collectors/routes.ts";
import { auditedBy } from "#test/support/audit.ts";
import { featureUnderTest } from "#test/support/http/feature.ts";
import * as seed from "#test/support/seed/seed.ts";

const { api, database } = featureUnderTest(collectorRoutes);

const register = async (name: string, more = {}) =>
  (await api.post("/api/collectors", { name, ...more })).json;

test("registerCollector 200: shows the token whole and makes the namespace", async () => {
  const collector = Collector.parse(await register("nightly", { namespace_name: "ns" }));
  expect(collector.token.value).toMatch(/^[A-Za-z0-9]{40}$/);
  expect(collector).toMatchObject({ name: "nightly", namespace: { name: "ns" } });
});

test("registerCollector 400 USR003: the name is taken; no token is left behind", async () => {
  await register("twice");
  const count = () => database.db.query("SELECT count(*) FROM token");
  const before = await count();
  const answer = await api.post("/api/collectors", { name: "twice" });
  expect([answer.status, answer.json.code]).toEqual([400, "USR003"]);
  expect(await count()).toEqual(before);
});

test("registerCollector 400 USR001: no name", async () => {
  const answer = await api.post("/api/collectors", { description: "x" });
  expect(answer.json).toMatchObject({ code: "USR001", details: [{ field: "name" }] });
});

test("getCollectorsList 200: by name, tokens masked beside their last four characters", async () => {
  const { token } = await register("list a");
  await register("list b");
  const list = CollectorList.parse(
    (await api.get("/api/collectors?page=1&size=1&query=LIST")).json,
  );
  expect(list.page_info).toEqual({ total: 2, hasNext: true });
  expect(list.items[0]!.token).toMatchObject({
    value: expect.stringMatching(/^\*{6} /),
    hint: token.value.slice(-4),
  });
});

test("getCollectorsList 400: page 0", async () => {
  expect((await api.get("/api/collectors?page=0&size=1")).status).toBe(400);
});

test("updateCollector 200: what is left out stays, null empties", async () => {
  const { id } = await register("old name", { namespace_name: "there", description: "told" });
  const answer = await api.put(`/api/collectors/${id}`, { name: "new name", description: null });
  expect(answer.json).toMatchObject({
    name: "new name",
    description: null,
    namespace: { name: "there" },
  });
});

test("updateCollector 400 USR003: the name is another's", async () => {
  await register("another");
  const { id } = await register("mine");
  const answer = await api.put(`/api/collectors/${id}`, { name: "another" });
  expect([answer.status, answer.json.code]).toEqual([400, "USR003"]);
});

test("updateCollector 404: unknown", async () => {
  expect((await api.put("/api/collectors/999999", { name: "x" })).status).toBe(404);
});

test("deleteCollector 204 with its token, then 404", async () => {
  const { id, token } = await register("short-lived");
  expect((await api.delete(`/api/collectors/${id}`)).status).toBe(204);
  expect((await api.delete(`/api/collectors/${id}`)).status).toBe(404);
  expect(await database.db.query("SELECT FROM token WHERE id = $1", [token.id])).toHaveLength(0);
});

test("deleteCollector 400 USR004: it has data sources", async () => {
  const { id } = await register("busy");
  const source = await seed.seedSource(database.db);
  await database.db.query("UPDATE data_source SET collector_id = $1 WHERE id = $2", [id, source]);
  const answer = await api.delete(`/api/collectors/${id}`);
  expect([answer.status, answer.json.code]).toEqual([400, "USR004"]);
  expect(answer.json.message).toMatch(/ \(data sources: [^)]+\)$/);
});

test("regenerateCollectorToken 200: a new value, whole", async () => {
  const { id, token } = await register("rotated");
  const answer = await api.put(`/api/collectors/${id}/token`);
  expect(answer.json.token.value).toMatch(/^[A-Za-z0-9]{40}$/);
  expect(answer.json.token.value).not.toBe(token.value);
});

test("regenerateCollectorToken 404: unknown", async () => {
  expect((await api.put("/api/collectors/999999/token")).status).toBe(404);
});

test("auditors are told of every token that is minted, regenerated and revoked, and see none", async () => {
  const shown: string[] = [];
  let id = 0;
  const events = await auditedBy(database.db, async () => {
    const collector = await register("audited");
    id = collector.id;
    const renewed = (await api.put(`/api/collectors/${id}/token`)).json;
    shown.push(collector.token.value, renewed.token.value);
    await api.put(`/api/collectors/${id}`, { name: "audited too" });
    await api.delete(`/api/collectors/${id}`);
    await api.put("/api/collectors/999999/token");
  });
  expect(events).toEqual([
    ["TOKEN_MINTED", null, `collector ${id} audited`],
    ["TOKEN_REGENERATED", null, `collector ${id} audited`],
    ["TOKEN_REVOKED", null, `collector ${id} audited too`],
  ]);
  for (const value of shown) expect(JSON.stringify(events)).not.toContain(value);
});
