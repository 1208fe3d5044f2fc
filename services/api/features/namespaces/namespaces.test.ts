import { expect, test } from "vitest";
import { Namespace, NamespaceList } from "#contract/catalogue/common.ts";
import { namespaceRoutes } from "#services/api/features/namespaces/routes.ts";
import { featureUnderTest } from "#test/support/http/feature.ts";
import * as seed from "#test/support/seed/seed.ts";

const { api, database } = featureUnderTest(namespaceRoutes);

const make = async (name: string) =>
  (await api.post("/api/namespaces", { name })).json.id as number;

test("createNamespace 200: answers the namespace, blanks around the name dropped", async () => {
  const answer = await api.post("/api/namespaces", { name: "  finance " });
  expect(answer.status).toBe(200);
  expect(Namespace.parse(answer.json).name).toBe("finance");
});

test("createNamespace 400 USR003: the name is taken", async () => {
  await make("taken");
  const answer = await api.post("/api/namespaces", { name: "taken" });
  expect(answer.status).toBe(400);
  expect(answer.json).toMatchObject({ code: "USR003", details: [{ field: "name" }] });
});

test.each([{}, { name: "" }, { name: "   " }, { name: 7 }, { name: "a\0b" }, {
  name: "x".repeat(256),
}])("createNamespace 400 USR001: %j", async (body) => {
  const answer = await api.post("/api/namespaces", body);
  expect(answer.status).toBe(400);
  expect(answer.json).toMatchObject({ code: "USR001", details: [{ field: "name" }] });
});

test("getNamespaceList 200: pages by name, and finds part of a name letter by letter", async () => {
  for (const name of ["list_b%", "list_a", "LIST_C"]) await make(name);
  const first = NamespaceList.parse(
    (await api.get("/api/namespaces?page=1&size=2&query=list_")).json,
  );
  expect(first.items.map((item) => item.name)).toEqual(["LIST_C", "list_a"]);
  expect(first.page_info).toEqual({ total: 3, hasNext: true });
  const last = (await api.get("/api/namespaces?page=2&size=2&query=list_")).json;
  expect(last).toMatchObject({ items: [{ name: "list_b%" }], page_info: { hasNext: false } });
  const literal = (await api.get("/api/namespaces?page=1&size=9&query=%25")).json;
  expect(literal.items).toHaveLength(1);
});

test("getNamespaceList 400: page and size are required", async () => {
  expect((await api.get("/api/namespaces")).status).toBe(400);
});

test("getNamespaceDetails 200, 404, 400", async () => {
  const id = await make("details");
  expect((await api.get(`/api/namespaces/${id}`)).json).toEqual({ id, name: "details" });
  expect((await api.get("/api/namespaces/999999")).json.code).toBe("USR002");
  expect((await api.get("/api/namespaces/one")).status).toBe(400);
});

test("updateNamespace 200: renames, and queues entities and terms for search", async () => {
  const id = await make("before");
  const answer = await api.put(`/api/namespaces/${id}`, { name: "after" });
  expect(answer.json).toEqual({ id, name: "after" });
  await api.put(`/api/namespaces/${id}`, { name: "after" });
  const queued = await database.db.query(
    "SELECT kind, document FROM search_refresh_queue WHERE subject_id = $1 ORDER BY document",
    [id],
  );
  expect(queued).toEqual(["entity", "term"].map((document) => ({ kind: "namespace", document })));
});

test("updateNamespace 400 USR003: the name is another's", async () => {
  await make("another");
  const answer = await api.put(`/api/namespaces/${await make("mine")}`, { name: "another" });
  expect([answer.status, answer.json.code]).toEqual([400, "USR003"]);
});

test("updateNamespace 404: unknown", async () => {
  expect((await api.put("/api/namespaces/999999", { name: "x" })).status).toBe(404);
});

test("deleteNamespace 204, then 404", async () => {
  const id = await make("short-lived");
  expect((await api.delete(`/api/namespaces/${id}`)).status).toBe(204);
  expect((await api.delete(`/api/namespaces/${id}`)).status).toBe(404);
});

test("deleteNamespace: a group in it refuses, until it is deleted", async () => {
  const id = await make("of a group");
  const group = await seed.seedEntity(database.db);
  await database.db.query("UPDATE data_entity SET namespace_id = $2 WHERE id = $1", [group, id]);
  expect((await api.delete(`/api/namespaces/${id}`)).status).toBe(400);
  await database.db.query("UPDATE data_entity SET status = 5 WHERE id = $1", [group]);
  expect((await api.delete(`/api/namespaces/${id}`)).status).toBe(204);
});

test("deleteNamespace 400 USR004: a data source is in it", async () => {
  await seed.seedSource(database.db, { namespace: "occupied" });
  const id = await seed.seedNamespace(database.db, "occupied");
  const answer = await api.delete(`/api/namespaces/${id}`);
  expect([answer.status, answer.json.code]).toEqual([400, "USR004"]);
  expect(answer.json.message).toMatch(/ first \(data sources: [^;]+\)$/);
});

test("a refused deletion names some of each kind that is in it", async () => {
  const id = await make("full");
  const names = ["Seven", "One", "Two", "Three", "Four", "Five", "Six"];
  for (const name of names) {
    await database.db.query(
      "INSERT INTO term (namespace_id, name, definition) VALUES ($1, $2, '')",
      [id, name],
    );
  }
  const group = await seed.seedEntity(database.db, { name: "A group" });
  await database.db.query("UPDATE data_entity SET namespace_id = $2 WHERE id = $1", [group, id]);
  const { json } = await api.delete(`/api/namespaces/${id}`);
  expect(json.message).toMatch(/ first \(terms: (\w+, ){4}\w+ and others; groups: A group\)$/);
});
