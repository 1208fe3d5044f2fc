import { expect, test } from "vitest";
import { Role } from "#contract/catalogue/people.ts";
import { maxRolePolicies, maxRoles } from "#services/api/access/permissions/policy/document.ts";
import { RoleList, roleRoutes } from "#services/api/features/roles/routes.ts";
import { featureUnderTest } from "#test/support/http/feature.ts";
import { calledBy } from "#test/support/http/caller.ts";
import { seedUser } from "#test/support/seed/seed-access.ts";

const { api, database } = featureUnderTest((context) => calledBy("ada", roleRoutes(context)));

const policy = async (name: string): Promise<{ id: number; name: string }> => {
  const [row] = await database.db.query<{ id: number }>(
    "INSERT INTO policy (name, document) VALUES ($1, '{}') RETURNING id",
    [name],
  );
  return { id: row!.id, name };
};
const make = async (name: string, ...policies: { id: number }[]) =>
  Role.parse((await api.post("/api/roles", { name, policies })).json);
const predefined = async (name: string) =>
  (await api.get(`/api/roles?page=1&size=9&query=${name}`)).json.items[0];
const audited = (id: number) =>
  database.db.query(
    "SELECT type, actor, subject FROM audit_event WHERE subject LIKE $1 ORDER BY id",
    [
      `role ${id} %`,
    ],
  );

test("createRole 200: with its policies by name, each once; audited", async () => {
  const [b, a] = [await policy("b"), await policy("a")];
  const role = await make(" readers ", b, a, b);
  expect(role).toEqual({ id: role.id, name: "readers", policies: [a, b] });
  expect(await audited(role.id))
    .toEqual([{ type: "ROLE_CREATED", actor: "ada", subject: `role ${role.id} readers` }]);
});

test("createRole 400 USR003: the name is taken", async () => {
  await make("taken");
  const answer = await api.post("/api/roles", { name: "taken", policies: [] });
  expect(answer.json).toMatchObject({ code: "USR003", details: [{ field: "name" }] });
});

test.each([
  [{ policies: [] }, "name"],
  [{ name: "x" }, "policies"],
  [{ name: "x", policies: [{}] }, "policies[0].id"],
  [{ name: "x", policies: [{ id: 1 }, { id: 999_999 }] }, "policies[1].id"],
  [{ name: "x", policies: Array(maxRolePolicies + 1).fill({ id: 1 }) }, "policies"],
])("createRole 400 USR001: %j", async (body, field) => {
  const answer = await api.post("/api/roles", body);
  expect([answer.status, answer.json.code]).toEqual([400, "USR001"]);
  expect(answer.json.details[0].field).toBe(field);
  const left = await api.get("/api/roles?page=1&size=9&query=x");
  expect(left.json.items).toEqual([]);
});

test("createRole 400: names each policy that there is not", async () => {
  const policies = [{ id: 999_998 }, { id: 1 }, { id: 999_999 }];
  const { json } = await api.post("/api/roles", { name: "x", policies });
  expect(json.message).toContain("policies[0].id: there is no policy 999998");
  expect(json.details.map(({ field }: { field: string }) => field))
    .toEqual(["policies[0].id", "policies[2].id"]);
});

test("createRole 400: there are too many", async () => {
  await database.db.query(
    "INSERT INTO role (name) SELECT 'many ' || n FROM generate_series(1, $1::int) n",
    [maxRoles],
  );
  const answer = await api.post("/api/roles", { name: "one more", policies: [] });
  await database.db.query("DELETE FROM role WHERE name LIKE 'many %'");
  expect([answer.status, answer.json.message]).toEqual([
    400,
    expect.stringContaining("1000 roles"),
  ]);
});

test("getRolesList 200: pages by name; the predefined roles are there", async () => {
  const all = RoleList.parse((await api.get("/api/roles?page=1&size=100")).json);
  expect(all.items.find(({ name }) => name === "Administrator")?.policies)
    .toMatchObject([{ name: "Administrator" }]);
  expect(all.items.find(({ name }) => name === "User")?.policies).toEqual([]);
  for (const name of ["list_b", "list_a", "LIST_C"]) await make(name);
  const first = (await api.get("/api/roles?page=1&size=2&query=list_")).json;
  expect(first.items.map((item: { name: string }) => item.name)).toEqual(["LIST_C", "list_a"]);
  expect(first.page_info).toEqual({ total: 3, hasNext: true });
  expect((await api.get("/api/roles?page=1")).status).toBe(400);
});

test("updateRole 200: has exactly the policies that are given; audited", async () => {
  const [p, q, r] = [await policy("p"), await policy("q"), await policy("r")];
  const { id } = await make("before", p, q);
  const answer = await api.put(`/api/roles/${id}`, { name: "after", policies: [q, r] });
  expect(answer.json).toEqual({ id, name: "after", policies: [q, r] });
  expect((await api.put(`/api/roles/${id}`, { name: "after", policies: [] })).json.policies)
    .toEqual([]);
  expect(await audited(id)).toMatchObject([{ type: "ROLE_CREATED" }, {
    type: "ROLE_CHANGED",
    subject: `role ${id} after`,
  }, { type: "ROLE_CHANGED" }]);
});

test("updateRole 400 USR003, 400 USR001, 404", async () => {
  await make("another");
  const { id } = await make("mine");
  const put = (name: string, policies: object[] = [], of = id) =>
    api.put(`/api/roles/${of}`, { name, policies });
  expect((await put("another")).json.code).toBe("USR003");
  expect((await put("mine", [{ id: 999_999 }])).json.code).toBe("USR001");
  expect((await put("x", [], 999_999)).json.code).toBe("USR002");
});

test("deleteRole 204, then 404; audited once", async () => {
  const { id } = await make("short-lived", await policy("kept"));
  expect((await api.delete(`/api/roles/${id}`)).status).toBe(204);
  expect((await api.delete(`/api/roles/${id}`)).status).toBe(404);
  expect(await audited(id)).toMatchObject([{ type: "ROLE_CREATED" }, { type: "ROLE_DELETED" }]);
});

test("deleteRole 400 USR004: an owner has it", async () => {
  const { id } = await make("held");
  await seedUser(database.db, "bob", [id]);
  const answer = await api.delete(`/api/roles/${id}`);
  expect([answer.status, answer.json.code]).toEqual([400, "USR004"]);
  expect(answer.json.message).toMatch(/ \(owners: [^)]+\)$/);
});

test("the role Administrator can be neither changed nor deleted", async () => {
  const { id, policies } = await predefined("Administrator");
  for (const name of ["Administrator", "Other"]) {
    const answer = await api.put(`/api/roles/${id}`, { name, policies });
    expect([answer.status, answer.json.code]).toEqual([400, "USR001"]);
  }
  expect((await api.delete(`/api/roles/${id}`)).status).toBe(400);
});

test("the role User can be neither renamed nor deleted, but be given policies", async () => {
  const { id } = await predefined("User");
  const given = await policy("for everybody");
  expect((await api.put(`/api/roles/${id}`, { name: "People", policies: [] })).status).toBe(400);
  expect((await api.delete(`/api/roles/${id}`)).status).toBe(400);
  const answer = await api.put(`/api/roles/${id}`, { name: "User", policies: [given] });
  expect(answer.json).toEqual({ id, name: "User", policies: [given] });
});
