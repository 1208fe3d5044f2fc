import { expect, test } from "vitest";
import { namespaceRoutes } from "#services/api/features/namespaces/routes.ts";
import { glossaryUnderTest } from "#services/api/features/terms/testing/harness.ts";
import * as dataset from "#test/support/seed/seed-dataset.ts";
import * as seed from "#test/support/seed/seed.ts";

const { api, database, form, make } = glossaryUnderTest(namespaceRoutes);

const mention = (of: "entity" | "field", id: number, namespace: string, name: string) =>
  database.db.query(`INSERT INTO ${of}_mention VALUES ($1, $2, $3)`, [id, namespace, name]);
const linked = async (term: number) =>
  (await api.get(`/api/terms/${term}/linked_entities?page=1&size=50`)).json.items
    .map(({ id }: { id: number }) => id);
const namespaceOf = async (term: number): Promise<number> =>
  (await api.get(`/api/terms/${term}`)).json.namespace.id;

test("a mention in another spelling is a mention, which a change of case keeps", async () => {
  const term = await make("Größe", "Sizes");
  const entity = await seed.seedEntity(database.db);
  await mention("entity", entity, "sizes", "GRÖSSE");
  expect(await linked(term)).toEqual([entity]);
  const own = await api.get(`/api/terms/namespaces/SIZES/names/${encodeURIComponent("größe")}`);
  expect(own.json.id).toBe(term);
  const respelled = await api.put(`/api/terms/${term}`, form("größe", "SIZES"));
  expect([respelled.status, respelled.json.name]).toEqual([200, "größe"]);
  const renamed = await api.put(`/api/terms/${term}`, form("Weite", "Sizes"));
  expect([renamed.status, renamed.json.code]).toEqual([400, "USR004"]);
  const namespace = await namespaceOf(term);
  expect((await api.put(`/api/namespaces/${namespace}`, { name: "sizes" })).json.name).toBe(
    "sizes",
  );
  expect((await api.put(`/api/namespaces/${namespace}`, { name: "widths" })).json.code).toBe(
    "USR004",
  );
  expect(await linked(term)).toEqual([entity]);
});

test("400 USR004 names the texts that mention a term: term, entity and column", async () => {
  const { db } = database;
  const term = await make("Margin", "Finance");
  const by = await make("Profit", "Finance", "what [[Finance:Margin]] leaves");
  const entity = await seed.seedEntity(db, { name: "orders" });
  await mention("entity", entity, "finance", "margin");
  const field = await dataset.seedField(db, entity, { catrn: "//orders/total" });
  await dataset.seedVersion(db, entity, 1, [field]);
  await mention("field", field, "Finance", "Margin");
  const { json } = await api.delete(`/api/terms/${term}`);
  expect(json.message).toBe(
    `Term Finance:Margin cannot be deleted: it is mentioned by the description of data entity orders (${entity}); ` +
      `the description of dataset field orders.total (${field}); the definition of term Finance:Profit (${by}). ` +
      "Change these texts first",
  );
});

test("400 USR003: a namespace has one term of a name, in whatever spelling", async () => {
  await make("Turnover", "Money");
  const repeated = await api.post("/api/terms", form("turnover", "MONEY"));
  expect([repeated.status, repeated.json.code]).toEqual([400, "USR003"]);
  await make("Überschuss", "Formen");
  const decomposed = await api.post(
    "/api/terms",
    form("Überschuss".normalize("NFD"), "Formen".normalize("NFD")),
  );
  expect([decomposed.status, decomposed.json.code]).toEqual([400, "USR003"]);
  const at = await Promise.all(
    ["a", "A"].map((name) => api.post("/api/terms", form(`Once ${name}`, "money"))),
  );
  expect(at.map(({ status }) => status).sort()).toEqual([200, 400]);
});
