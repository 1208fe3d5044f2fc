import { expect, test } from "vitest";
import { Owner, OwnerList } from "#contract/catalogue/people.ts";
import { ownerRoutes } from "#services/api/features/owners/routes.ts";
import { bindUser, calledBy } from "#test/support/http/caller.ts";
import { featureUnderTest } from "#test/support/http/feature.ts";
import * as seed from "#test/support/seed/seed.ts";

const { api, database } = featureUnderTest((context) => calledBy("ada", ownerRoutes(context)));

const make = async (name: string, ...roles: number[]) => {
  const form = { name, roles: roles.map((id) => ({ id })) };
  return (await api.post("/api/owners", form)).json.id as number;
};
const role = async (name: string) =>
  (await database.db.query<{ id: number }>(
    "INSERT INTO role (name) VALUES ($1) ON CONFLICT (name) DO UPDATE SET name = $1 RETURNING id",
    [name],
  ))[0]!.id;
const list = async (query: string) => {
  const answer = await api.get(`/api/owners?page=1&size=50&${query}`);
  expect([answer.status, answer.status === 200 ? "" : answer.text]).toEqual([200, ""]);
  return OwnerList.parse(answer.json).items.map(({ name }) => name);
};
/** Audit events of an owner. */
const audited = async (id: number) =>
  (await database.db.query<{ entry: string }>(
    `SELECT actor || ': ' || type || ' ' || subject AS entry FROM audit_event
      WHERE subject LIKE 'owner ' || $1 || ' %' ORDER BY id`,
    [String(id)],
  )).map(({ entry }) => entry);

test("createOwner 200: answers the owner with its roles, blanks around the name dropped", async () => {
  const editor = await role("Editor");
  const form = {
    name: "  Data Team ",
    roles: [{ id: editor, name: "as it pleases", policies: [] }],
  };
  const answer = await api.post("/api/owners", form);
  expect(answer.status).toBe(200);
  expect(Owner.parse(answer.json)).toEqual({
    id: answer.json.id,
    name: "Data Team",
    roles: [{ id: editor, name: "Editor", policies: [] }],
    associated_user: null,
  });
  const plain = await api.post("/api/owners", { name: "Plain" });
  expect(plain.json).toMatchObject({ name: "Plain", roles: [] });
});

test("createOwner 400 USR003: the name is taken", async () => {
  await make("taken");
  const answer = await api.post("/api/owners", { name: "taken" });
  expect(answer.status).toBe(400);
  expect(answer.json).toMatchObject({ code: "USR003", details: [{ field: "name" }] });
});

test.each<[string, unknown, string]>([
  ["no name", {}, "name"],
  ["an empty name", { name: " " }, "name"],
  ["too long a name", { name: "x".repeat(256) }, "name"],
  ["NUL", { name: "a\0b" }, "name"],
  ["no list of roles", { name: "r", roles: "Editor" }, "roles"],
  ["a role without id", { name: "r", roles: [{ name: "Editor" }] }, "roles[0].id"],
  ["too many roles", { name: "r", roles: Array(101).fill({ id: 1 }) }, "roles"],
])("createOwner 400 USR001: %s", async (_, body, field) => {
  const answer = await api.post("/api/owners", body);
  expect(answer.status).toBe(400);
  expect(answer.json).toMatchObject({ code: "USR001", details: [{ field }] });
});

test("createOwner, updateOwner 400: an unknown role is named, and nothing is stored", async () => {
  const known = await role("Known");
  const roles = [{ id: known }, { id: 999_999 }];
  const answer = await api.post("/api/owners", { name: "with unknown", roles });
  expect(answer.status).toBe(400);
  expect(answer.json).toMatchObject({ code: "USR001", details: [{ field: "roles[1].id" }] });
  expect(await list("query=with unknown")).toEqual([]);
  const id = await make("kept", known);
  const refused = await api.put(`/api/owners/${id}`, { name: "renamed", roles });
  expect([refused.status, refused.json.details[0].field]).toEqual([400, "roles[1].id"]);
  expect(await list(`ids=${id}`)).toEqual(["kept"]);
});

test("getOwnerList 200: by name, part of one, ids, page by page", async () => {
  for (const name of ["list_b", "LIST_A", "list_c%"]) await make(name);
  const first = (await api.get("/api/owners?page=1&size=2&query=list_")).json;
  expect(OwnerList.parse(first).page_info).toEqual({ total: 3, hasNext: true });
  expect(await list("query=list_")).toEqual(["LIST_A", "list_b", "list_c%"]);
  expect(await list("query=%25")).toEqual(["list_c%"]);
  const id = await make("by id");
  expect(await list(`ids=${id},999999`)).toEqual(["by id"]);
  await bindUser(database.db, "lister", "list_b");
  const [bound] = (await api.get("/api/owners?page=1&size=9&query=list_b")).json.items;
  expect(bound.associated_user).toEqual({ oidc_username: "lister", provider: null });
});

test("getOwnerList 400: page and size are required, allowedForSync is a boolean", async () => {
  expect((await api.get("/api/owners")).status).toBe(400);
  const answer = await api.get("/api/owners?page=1&size=9&allowedForSync=yes");
  expect([answer.status, answer.json.details[0].field]).toEqual([400, "allowedForSync"]);
});

test("getOwnerList 200: for synchronization, owners without a user and without more than User", async () => {
  await make("sync free");
  await make("sync user", await role("User"));
  await make("sync editor", await role("Editor"));
  await make("sync both", await role("User"), await role("Editor"));
  await bindUser(database.db, "bound", "sync bound");
  expect(await list("query=sync&allowedForSync=true")).toEqual(["sync free", "sync user"]);
  expect(await list("query=sync&allowedForSync=false"))
    .toEqual(["sync both", "sync bound", "sync editor"]);
  expect(await list("query=sync")).toHaveLength(5);
});

test("updateOwner 200: renames, and queues what it owns for search", async () => {
  const id = await make("before");
  const answer = await api.put(`/api/owners/${id}`, { name: "after" });
  expect([answer.status, answer.json.name]).toEqual([200, "after"]);
  await api.put(`/api/owners/${id}`, { name: "after" });
  const queued = await database.db.query(
    "SELECT kind, document FROM search_refresh_queue WHERE subject_id = $1 ORDER BY document",
    [id],
  );
  expect(queued).toEqual(["entity", "term"].map((document) => ({ kind: "owner", document })));
});

test("updateOwner 200: roles left out stay, an empty list takes them; auditors are told of changes", async () => {
  const [editor, viewer] = [await role("Editor"), await role("Viewer")];
  const id = await make("roles", editor);
  const rolesAfter = async (roles?: object[] | null) => {
    const answer = await api.put(`/api/owners/${id}`, { name: "roles", roles });
    return answer.json.roles.map((one: { name: string }) => one.name);
  };
  expect(await rolesAfter()).toEqual(["Editor"]);
  expect(await rolesAfter(null)).toEqual(["Editor"]);
  expect(await rolesAfter([{ id: viewer }, { id: editor }, { id: viewer }]))
    .toEqual(["Editor", "Viewer"]);
  expect(await rolesAfter([{ id: viewer }, { id: editor }])).toEqual(["Editor", "Viewer"]);
  expect(await rolesAfter([])).toEqual([]);
  expect(await audited(id)).toEqual([
    `ada: OWNER_ROLES_CHANGED owner ${id} roles: roles Editor`,
    `ada: OWNER_ROLES_CHANGED owner ${id} roles: roles Editor, Viewer`,
    `ada: OWNER_ROLES_CHANGED owner ${id} roles: roles none`,
  ]);
});

test("updateOwner 400 USR003: the name is another's", async () => {
  await make("another");
  const answer = await api.put(`/api/owners/${await make("mine")}`, { name: "another" });
  expect([answer.status, answer.json.code]).toEqual([400, "USR003"]);
});

test("updateOwner 404: unknown", async () => {
  expect((await api.put("/api/owners/999999", { name: "x" })).status).toBe(404);
});

test("deleteOwner 204, then 404; roles go with it, and auditors are told", async () => {
  const id = await make("short-lived", await role("Editor"));
  expect((await api.delete(`/api/owners/${id}`)).status).toBe(204);
  expect((await api.delete(`/api/owners/${id}`)).status).toBe(404);
  expect((await audited(id)).at(-1)).toBe(
    `ada: OWNER_ROLES_CHANGED owner ${id} short-lived: deleted`,
  );
});

test("deleteOwner 400 USR004: what only a source tells it owns counts as well", async () => {
  const id = await make("Told");
  await seed.seedOwnership(
    database.db,
    await seed.seedEntity(database.db),
    "Told",
    undefined,
    true,
  );
  const answer = await api.delete(`/api/owners/${id}`);
  expect([answer.status, answer.json.code]).toEqual([400, "USR004"]);
});

test("deleteOwner 400 USR004: it owns something, or a user is bound to it", async () => {
  const entity = await seed.seedEntity(database.db);
  const ownership = await seed.seedOwnership(database.db, entity, "owning");
  const bound = await bindUser(database.db, "somebody", "occupied");
  const found = await api.get("/api/owners?page=1&size=1&query=owning");
  const owning = found.json.items[0].id;
  for (const id of [owning, bound]) {
    const answer = await api.delete(`/api/owners/${id}`);
    expect([answer.status, answer.json.code]).toEqual([400, "USR004"]);
    expect(answer.json.message).toMatch(/ \((entities: .+|users: somebody)\)$/);
  }
  await database.db.query("DELETE FROM ownership WHERE id = $1", [ownership]);
  expect((await api.delete(`/api/owners/${owning}`)).status).toBe(204);
});
