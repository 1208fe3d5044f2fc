import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { PolicyDetails, PolicyList, policyRoutes } from "#services/api/features/policies/routes.ts";
import { maxDocument, maxPolicies } from "#services/api/access/permissions/policy/document.ts";
import { featureUnderTest } from "#test/support/http/feature.ts";
import { calledBy } from "#test/support/http/caller.ts";
import { policyOf } from "#test/support/seed/seed-access.ts";

const { api, database } = featureUnderTest((context) => calledBy("ada", policyRoutes(context)));

const document = JSON.stringify(policyOf("TERM", ["TERM_UPDATE"]), null, 1);
const form = (name: string, policy = document) => ({ name, policy });
const make = async (name: string): Promise<number> =>
  (await api.post("/api/policies", form(name))).json.id;
const administrator = async (): Promise<number> =>
  (await api.get("/api/policies?page=1&size=9&query=Administrator")).json.items[0].id;

async function audited(subject: string): Promise<unknown[]> {
  return await database.db.query(
    "SELECT type, actor, subject FROM audit_event WHERE subject LIKE $1 ORDER BY id",
    [`%${subject}%`],
  );
}

test("createPolicy 200: answers the document letter by letter, and is audited", async () => {
  const answer = await api.post("/api/policies", form("  new "));
  expect(answer.status).toBe(200);
  const { id, ...rest } = PolicyDetails.parse(answer.json);
  expect(rest).toEqual({ name: "new", policy: document });
  expect((await api.get(`/api/policies/${id}`)).json).toEqual({ id, ...rest });
  expect(await audited(`policy ${id}`))
    .toEqual([{ type: "POLICY_CREATED", actor: "ada", subject: `policy ${id} new` }]);
});

test("createPolicy 400 USR003: the name is taken, the predefined one too", async () => {
  await make("taken");
  for (const name of ["taken", "Administrator"]) {
    const answer = await api.post("/api/policies", form(name));
    expect([answer.status, answer.json.code]).toEqual([400, "USR003"]);
    expect(answer.json.details[0].field).toBe("name");
  }
});

test.each([
  [{ name: "x" }, "policy", "is required"],
  [{ name: "x", policy: {} }, "policy", "expected string"],
  [form("", document), "name", "must not be empty"],
  [form("x", "{"), "policy", "must be a JSON text"],
  [form("x", "\ud800"), "policy", "surrogate"],
  [form("x", " ".repeat(maxDocument + 1)), "policy", "at most"],
  [form("x", '{"statements":[]}'), "policy.statements", "must not be empty"],
  [
    form("x", JSON.stringify(policyOf("TERM", ["TAG_CREATE"]))),
    "policy.statements[0].permissions[0]",
    "must be one of TERM_UPDATE",
  ],
  [
    form("x", JSON.stringify(policyOf("TERM", ["ALL"], { match: { "term:name": "(" } }))),
    "policy.statements[0].resource.conditions.match.term:name",
    "missing closing )",
  ],
])("createPolicy 400 USR001 names the place: %j", async (body, field, message) => {
  const answer = await api.post("/api/policies", body);
  expect([answer.status, answer.json.code]).toEqual([400, "USR001"]);
  expect(answer.json.details[0].field).toBe(field);
  expect(answer.json.details[0].message).toContain(message);
});

test("createPolicy 400: there are too many", async () => {
  await database.db.query(
    "INSERT INTO policy (name, document) SELECT 'many ' || n, '{}' FROM generate_series(1, $1::int) n",
    [maxPolicies],
  );
  const answer = await api.post("/api/policies", form("one more"));
  await database.db.query("DELETE FROM policy WHERE name LIKE 'many %'");
  expect([answer.status, answer.json.message]).toEqual([
    400,
    expect.stringContaining("1000 policies"),
  ]);
});

test("getPolicyList 200: pages by name", async () => {
  for (const name of ["list_b", "list_a", "LIST_C"]) await make(name);
  const first = PolicyList.parse((await api.get("/api/policies?page=1&size=2&query=list_")).json);
  expect(first.items.map((item) => item.name)).toEqual(["LIST_C", "list_a"]);
  expect(first.page_info).toEqual({ total: 3, hasNext: true });
  expect((await api.get("/api/policies")).status).toBe(400);
});

test("getPolicySchema 200: a schema that the predefined policy is good for, and rubbish is not", async () => {
  const answer = await api.get("/api/policies/schema");
  expect(answer.status).toBe(200);
  const valid = new Ajv2020({ strict: false }).compile(answer.json);
  const { policy } = (await api.get(`/api/policies/${await administrator()}`)).json;
  expect(valid(JSON.parse(policy))).toBe(true);
  expect(valid({ statements: [] })).toBe(false);
});

test("getPolicyDetails 404, 400", async () => {
  expect((await api.get("/api/policies/999999")).json.code).toBe("USR002");
  expect((await api.get("/api/policies/one")).status).toBe(400);
});

test("updatePolicy 200: changes both, and is audited", async () => {
  const id = await make("before");
  const other = JSON.stringify(policyOf("MANAGEMENT", ["ALL"]));
  const answer = await api.put(`/api/policies/${id}`, form("after", other));
  expect(answer.json).toEqual({ id, name: "after", policy: other });
  expect(await audited(`policy ${id} `)).toMatchObject([{ type: "POLICY_CREATED" }, {
    type: "POLICY_CHANGED",
    subject: `policy ${id} after`,
  }]);
});

test("updatePolicy 400 USR003, 400 USR001, 404", async () => {
  await make("another");
  const id = await make("mine");
  expect((await api.put(`/api/policies/${id}`, form("another"))).json.code).toBe("USR003");
  expect((await api.put(`/api/policies/${id}`, form("mine", "[]"))).json.code).toBe("USR001");
  expect((await api.put("/api/policies/999999", form("x"))).status).toBe(404);
});

test("deletePolicy 204, then 404; audited once", async () => {
  const id = await make("short-lived");
  expect((await api.delete(`/api/policies/${id}`)).status).toBe(204);
  expect((await api.delete(`/api/policies/${id}`)).status).toBe(404);
  expect(await audited(`policy ${id} `))
    .toMatchObject([{ type: "POLICY_CREATED" }, { type: "POLICY_DELETED" }]);
});

test("deletePolicy 400 USR004: a role has it", async () => {
  const id = await make("attached");
  await database.db.query(
    "INSERT INTO role_policy (role_id, policy_id) SELECT id, $1 FROM role WHERE name = 'User'",
    [id],
  );
  const answer = await api.delete(`/api/policies/${id}`);
  expect([answer.status, answer.json.code]).toEqual([400, "USR004"]);
  expect(answer.json.message).toContain("(roles: User)");
  expect(await audited(`policy ${id} `)).toHaveLength(1);
});

test("the predefined policy can be neither changed nor deleted", async () => {
  const id = await administrator();
  const answers = [
    await api.put(`/api/policies/${id}`, form("Administrator")),
    await api.put(`/api/policies/${id}`, form("Other")),
    await api.delete(`/api/policies/${id}`),
  ];
  for (const { status, json } of answers) {
    expect([status, json.code]).toEqual([400, "USR001"]);
    expect(json.message).toContain("always there");
  }
  expect(await audited("Administrator")).toEqual([]);
});
