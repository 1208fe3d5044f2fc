import { ldapAuth } from "#services/api/access/testing/modes.ts";
import { expect, test } from "vitest";
import { isPublished, permissionsByResource } from "#contract/permissions.ts";
import { Config } from "#platform/config/schema.ts";
import { policyAuthorizer } from "#services/api/access/permissions/authorize.ts";
import { identityRoutes } from "#services/api/features/identity/routes.ts";
import { featureUnderTest } from "#test/support/http/feature.ts";
import { policyOf, seedRole, seedUser } from "#test/support/seed/seed-access.ts";
import { seedTerm, seedTermOwnership, seedTermTag } from "#test/support/seed/seed-terms.ts";
import { seedEntity, seedTag } from "#test/support/seed/seed.ts";

const open = featureUnderTest((context) => identityRoutes(context));
/** By policies, called by this user. */
const ruledFor = (name: string) =>
  featureUnderTest((context) => {
    const config = Config.parse({ auth: ldapAuth });
    const routes = identityRoutes(context, policyAuthorizer({ ...context, config }));
    const actor = { kind: "user", name, provider: "", credential: "session" } as const;
    return routes.map(({ spec, handler }) => ({
      spec,
      handler: (input) => handler({ ...input, actor }),
    }));
  });
const ruled = ruledFor("ada");
const glossary = ruledFor("eve");
const pathOf = (type: string, id: number | string) => `/api/resource/${type}/${id}/permissions`;

test("getResourcePermissions 200: without sign-in all of the type, in the order of the contract", async () => {
  const id = await seedEntity(open.database.db);
  const answer = await open.api.get(pathOf("DATA_ENTITY", id));
  expect([answer.status, answer.json])
    .toEqual([200, permissionsByResource.DATA_ENTITY.filter(isPublished)]);
});

test("getResourcePermissions 200: by the policies of the caller, on that resource", async () => {
  const { db } = ruled.database;
  const always = await seedRole(db, "always", policyOf("DATA_ENTITY", ["DATA_ENTITY_TAGS_UPDATE"]));
  const gold = await seedRole(
    db,
    "gold",
    policyOf("DATA_ENTITY", ["DATA_ENTITY_DESCRIPTION_UPDATE"], {
      eq: { "dataEntity:tag:name": "gold" },
    }),
  );
  await seedUser(db, "ada", [gold.role, always.role]);
  const [tagged, plain] = [await seedEntity(db), await seedEntity(db)];
  await seedTag(db, tagged, "gold", { origin: "INTERNAL" });
  expect((await ruled.api.get(pathOf("DATA_ENTITY", tagged))).json)
    .toEqual(["DATA_ENTITY_DESCRIPTION_UPDATE", "DATA_ENTITY_TAGS_UPDATE"]);
  expect((await ruled.api.get(pathOf("DATA_ENTITY", plain))).json)
    .toEqual(["DATA_ENTITY_TAGS_UPDATE"]);
});

test("getResourcePermissions 200: on a term, by what conditions see of it", async () => {
  const { db } = glossary.database;
  const conditions = {
    TERM_UPDATE: { eq: { "term:name": "Churn" } },
    TERM_DELETE: { eq: { "term:namespace:name": "Sales" } },
    TERM_TAGS_UPDATE: { eq: { "term:tag:name": "kpi" } },
    TERM_OWNERSHIP_CREATE: { eq: { "term:owner": "Bob" } },
    TERM_OWNERSHIP_UPDATE: { eq: { "term:owner:title": "Cook" } },
    TERM_OWNERSHIP_DELETE: { is: "term:owner" },
  } as const;
  const roles = await Promise.all(
    Object.entries(conditions).map(([permission, condition]) =>
      seedRole(db, permission, policyOf("TERM", [permission as keyof typeof conditions], condition))
    ),
  );
  await seedUser(db, "eve", roles.map(({ role }) => role));
  const [full, bare, own] = [
    await seedTerm(db, "Sales", "Churn"),
    await seedTerm(db, "Other", "churn"),
    await seedTerm(db, "Other", "own"),
  ];
  await seedTermTag(db, full, "kpi");
  await seedTermOwnership(db, full, "Bob", "Cook");
  await seedTermOwnership(db, own, "eve");
  const all = Object.keys(conditions);
  const answer = async (term: number) => (await glossary.api.get(pathOf("TERM", term))).json;
  expect(await answer(full)).toEqual(expect.arrayContaining(all.slice(0, 5)));
  expect(await answer(full)).toHaveLength(5);
  expect([await answer(bare), await answer(own)]).toEqual([[], ["TERM_OWNERSHIP_DELETE"]]);
  expect((await open.api.get(pathOf("TERM", await seedTerm(open.database.db, "a", "b")))).json)
    .toEqual(permissionsByResource.TERM.filter(isPublished));
});

test("getResourcePermissions 400: MANAGEMENT has no context, other types are none", async () => {
  const answer = await open.api.get(pathOf("MANAGEMENT", 1));
  expect([answer.status, answer.json.message])
    .toEqual([400, "Resource type MANAGEMENT does not have context"]);
  expect((await open.api.get(pathOf("TABLE", 1))).json.details[0].field)
    .toBe("permission_resource_type");
  expect((await open.api.get(pathOf("DATA_ENTITY", "one"))).status).toBe(400);
});

test.each(["DATA_ENTITY", "TERM", "QUERY_EXAMPLE"])(
  "getResourcePermissions 404: unknown %s, with and without sign-in",
  async (type) => {
    for (const { api } of [open, ruled]) {
      const answer = await api.get(pathOf(type, 999_999));
      expect([answer.status, answer.json.code]).toEqual([404, "USR002"]);
    }
  },
);

test("getResourcePermissions 404: a hollow entity", async () => {
  const id = await seedEntity(open.database.db, { hollow: true });
  expect((await open.api.get(pathOf("DATA_ENTITY", id))).status).toBe(404);
});
