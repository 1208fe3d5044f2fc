import { describe, expect, it } from "vitest";
import { Config } from "#platform/config/schema.ts";
import { policyAuthorizer } from "#services/api/access/permissions/authorize.ts";
import { ownershipRoutes } from "#services/api/features/ownership/routes.ts";
import { statusRoutes } from "#services/api/features/statuses/routes.ts";
import { calledBy } from "#test/support/http/caller.ts";
import { featureUnderTest } from "#test/support/http/feature.ts";
import { group, insertEntities, insertMembers } from "#test/support/seed/catalogue.ts";
import { policyOf, seedRole, seedUser } from "#test/support/seed/seed-access.ts";

const lifetimeMs = 0;
const { api, database } = featureUnderTest((context) => {
  const config = Config.parse({ auth: { type: "OAUTH2", oauth2 } });
  const authorizer = policyAuthorizer({ ...context, config }, { lifetimeMs });
  return calledBy("ada", [
    ...ownershipRoutes(context, { authorizer }),
    ...statusRoutes(context, { authorizer }),
  ]);
});
const oauth2 = {
  client: { company: { provider: "oidc", "client-id": "c", "issuer-uri": "https://id.invalid" } },
};

/** Ada may do everything with what she owns: a group, one of its members, but not the other one. */
async function family() {
  const ids = await insertEntities(database.db, [group("g"), "own", "foreign"]);
  const { g, own, foreign } = ids as Record<"g" | "own" | "foreign", number>;
  await insertMembers(database.db, [[g, own], [g, foreign]]);
  await database.db.query(
    "TRUNCATE user_owner, owner_role, role_policy, ownership, owner RESTART IDENTITY CASCADE",
  );
  await database.db.query("DELETE FROM role WHERE name = 'Stewards'");
  await database.db.query("DELETE FROM policy WHERE name = 'Stewards'");
  const policy = policyOf("DATA_ENTITY", ["ALL"], { is: "dataEntity:owner" });
  const { role } = await seedRole(database.db, "Stewards", policy);
  const owner = await seedUser(database.db, "ada", [role]);
  await database.db.query(
    "INSERT INTO ownership (entity_id, owner_id) SELECT unnest($1::bigint[]), $2",
    [[g, own], owner],
  );
  return { g, own, foreign, path: `/api/dataentities/${g}` };
}

const ownersOf = async (id: number) =>
  (await database.db.query<{ name: string }>(
    "SELECT w.name FROM ownership o JOIN owner w ON w.id = o.owner_id WHERE o.entity_id = $1 ORDER BY w.name",
    [id],
  )).map(({ name }) => name);

const refused = (permission: string, id: number) => [
  403,
  `${permission} on data entity ${id} is required`,
];

describe("a group gives nobody rights on its members", () => {
  it("an ownership is handed on only where the same may be done by itself", async () => {
    const { g, own, foreign, path } = await family();
    const create = await api.post(`${path}/ownership`, { owner_name: "Bob", propagate: true });
    expect([create.status, create.json.message])
      .toEqual(refused("DATA_ENTITY_OWNERSHIP_CREATE", foreign));
    expect([await ownersOf(g), await ownersOf(foreign)]).toEqual([["ada"], []]);
    const [{ id }] = await database.db.query<{ id: number }>(
      "SELECT id FROM ownership WHERE entity_id = $1",
      [g],
    ) as [{ id: number }];
    const update = await api.put(`${path}/ownership/${id}`, { propagate: true });
    expect([update.status, update.json.message])
      .toEqual(refused("DATA_ENTITY_OWNERSHIP_UPDATE", foreign));
    const remove = await api.delete(`${path}/ownership/${id}?propagate=true`);
    expect([remove.status, remove.json.message])
      .toEqual(refused("DATA_ENTITY_OWNERSHIP_DELETE", foreign));
    await database.db.query("DELETE FROM group_member WHERE member_id = $1", [foreign]);
    const allowed = await api.post(`${path}/ownership`, { owner_name: "Bob", propagate: true });
    expect(allowed.status).toBe(200);
    expect(await ownersOf(own)).toEqual(["Bob", "ada"]);
  });

  it("a status is handed on only where the same may be done by itself", async () => {
    const { foreign, path } = await family();
    const form = { status: { status: "DELETED" }, propagate: true };
    const answer = await api.put(`${path}/statuses`, form);
    expect([answer.status, answer.json.message])
      .toEqual(refused("DATA_ENTITY_STATUS_UPDATE", foreign));
    await database.db.query("DELETE FROM group_member WHERE member_id = $1", [foreign]);
    expect((await api.put(`${path}/statuses`, form)).status).toBe(200);
  });
});
