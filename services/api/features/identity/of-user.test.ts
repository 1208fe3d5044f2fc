import { expect, test } from "vitest";
import { UserPermissions } from "#contract/catalogue/people.ts";
import { Config } from "#platform/config/schema.ts";
import { policyAuthorizer } from "#services/api/access/permissions/authorize.ts";
import { ldapAuth } from "#services/api/access/testing/modes.ts";
import { identityRoutes } from "#services/api/features/identity/routes.ts";
import { featureUnderTest } from "#test/support/http/feature.ts";
import { policyOf, seedRole, seedUser } from "#test/support/seed/seed-access.ts";
import { seedEntity, seedTag } from "#test/support/seed/seed.ts";

const config = Config.parse({ auth: ldapAuth });
const { api, database } = featureUnderTest((context) =>
  identityRoutes(context, policyAuthorizer({ ...context, config }))
);
const path = "/api/identity/permissions";

test("getUserPermissions 200: what a user's roles grant, everywhere and with one asset", async () => {
  const { db } = database;
  const tags = await seedRole(db, "tags", policyOf("MANAGEMENT", ["TAG_CREATE", "AUDIT_VIEW"]));
  const gold = await seedRole(
    db,
    "gold",
    policyOf("DATA_ENTITY", ["DATA_ENTITY_DESCRIPTION_UPDATE"], {
      eq: { "dataEntity:tag:name": "gold" },
    }),
  );
  await seedUser(db, "ada", [tags.role, gold.role]);
  const [tagged, plain] = [await seedEntity(db), await seedEntity(db)];
  await seedTag(db, tagged, "gold", { origin: "INTERNAL" });
  const everywhere = UserPermissions.parse((await api.get(`${path}?username=ada`)).json);
  expect(everywhere).toMatchObject({
    username: "ada",
    provider: null,
    owner: { name: "ada" },
    permissions: ["TAG_CREATE"],
    further_permissions: ["AUDIT_VIEW"],
  });
  const on = async (id: number) =>
    (await api.get(`${path}?username=ada&resource_type=DATA_ENTITY&resource_id=${id}`)).json
      .permissions;
  expect([await on(tagged), await on(plain)]).toEqual([["DATA_ENTITY_DESCRIPTION_UPDATE"], []]);
});

test("getUserPermissions 200: somebody who never signed in may do what every user may", async () => {
  const { json } = await api.get(`${path}?username=nobody&provider=ldap`);
  expect(json).toMatchObject({ username: "nobody", provider: "ldap", owner: null });
  expect(json.permissions).not.toContain("POLICY_UPDATE");
});

test("getUserPermissions 200: whom the provider called an administrator at the last sign-in is one", async () => {
  await database.db.query(
    "INSERT INTO account (username, provider, admin) VALUES ('root', 'ldap', true)",
  );
  const { json } = await api.get(`${path}?username=root&provider=ldap`);
  expect(json.permissions).toContain("POLICY_UPDATE");
});

test.each([
  ["", "username"],
  ["username=", "username"],
  ["username=ada&resource_type=TERM", "resource_id"],
  ["username=ada&resource_id=1", "resource_type"],
  ["username=ada&resource_type=TABLE&resource_id=1", "resource_type"],
])("getUserPermissions 400: %s names %s", async (query, field) => {
  const answer = await api.get(`${path}?${query}`);
  expect([answer.status, answer.json.details[0].field]).toEqual([400, field]);
});

test("getUserPermissions 404: a resource that is not there", async () => {
  const answer = await api.get(`${path}?username=ada&resource_type=TERM&resource_id=999999`);
  expect(answer.status).toBe(404);
});
