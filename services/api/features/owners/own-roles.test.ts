import { describe, expect, it } from "vitest";
import type { Permission } from "#contract/permissions.ts";
import { Config } from "#platform/config/schema.ts";
import { policyAuthorizer } from "#services/api/access/permissions/authorize.ts";
import { oauth2Auth } from "#services/api/access/testing/modes.ts";
import { ownerRoutes } from "#services/api/features/owners/routes.ts";
import { calledBy } from "#test/support/http/caller.ts";
import { featureUnderTest } from "#test/support/http/feature.ts";
import { policyOf, seedRole, seedUser } from "#test/support/seed/seed-access.ts";

let who = "";
const { api, database } = featureUnderTest((context) => {
  const config = Config.parse({ auth: oauth2Auth });
  const authorizer = policyAuthorizer({ ...context, config }, { lifetimeMs: 0 });
  return ownerRoutes(context, { authorizer }).map((route) => ({
    ...route,
    handler: (input) => calledBy(who, [route])[0]!.handler(input),
  }));
});

/** A user whose only role has these permissions: the owner, and the role. */
async function userWith(name: string, ...permissions: Permission[]) {
  const { role } = await seedRole(database.db, name, policyOf("MANAGEMENT", permissions));
  who = name;
  return { owner: await seedUser(database.db, name, [role]), role };
}
const roles = (...ids: number[]) => ids.map((id) => ({ id }));
async function administrator(): Promise<number> {
  const [row] = await database.db.query<{ id: number }>(
    "SELECT id FROM role WHERE name = 'Administrator'",
  );
  return row!.id;
}

describe("roles of one's own owner", () => {
  it("are changed only by whoever may bind users to owners: nobody gives himself a role", async () => {
    const { owner, role } = await userWith("editor", "OWNER_UPDATE", "OWNER_CREATE");
    const admin = await administrator();
    for (const wanted of [roles(role, admin), roles(admin), []]) {
      const answer = await api.put(`/api/owners/${owner}`, { name: "editor", roles: wanted });
      expect([answer.status, answer.json.message]).toEqual([
        403,
        "Owner editor is yours: OWNER_RELATION_MANAGE is needed to change its roles",
      ]);
    }
    const same = await api.put(`/api/owners/${owner}`, { name: "renamed", roles: roles(role) });
    expect([same.status, same.json.name]).toEqual([200, "renamed"]);
    const other = await api.post("/api/owners", { name: "other", roles: roles(admin) });
    expect(other.status).toBe(200);
  });

  it("are changed by whoever may", async () => {
    const { owner } = await userWith("manager", "OWNER_UPDATE", "OWNER_RELATION_MANAGE");
    const wanted = roles(await administrator());
    const answer = await api.put(`/api/owners/${owner}`, { name: "manager", roles: wanted });
    expect(answer.status).toBe(200);
  });
});
