import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Permission } from "#contract/permissions.ts";
import { Config } from "#platform/config/schema.ts";
import type { Context } from "#platform/context.ts";
import type { Caller } from "#platform/operations/caller.ts";
import { policyAuthorizer } from "#services/api/access/permissions/authorize.ts";
import { oauth2Auth } from "#services/api/access/testing/modes.ts";
import { ownerAssociationRoutes } from "#services/api/features/owner-associations/routes.ts";
import { ownerRoutes } from "#services/api/features/owners/routes.ts";
import { testApi } from "#test/support/http/api.ts";
import { bindUser, callerFrom } from "#test/support/http/caller.ts";
import { featureUnderTest } from "#test/support/http/feature.ts";
import { policyOf, seedRole } from "#test/support/seed/seed-access.ts";

const feature = featureUnderTest(ownerAssociationRoutes);
const path = "/api/owner_association_request";

/** What the roles of these tests allow; everybody without a role of an owner has that of User. */
const roles: Record<string, Permission[]> = {
  reader: [],
  binder: ["DIRECT_OWNER_SYNC"],
  answerer: ["OWNER_ASSOCIATION_MANAGE"],
  editor: ["OWNER_UPDATE", "DIRECT_OWNER_SYNC", "OWNER_ASSOCIATION_MANAGE"],
  User: ["TAG_CREATE", "DIRECT_OWNER_SYNC", "OWNER_ASSOCIATION_MANAGE"],
};

const modes = {
  "LOGIN_FORM": {
    type: "LOGIN_FORM",
    "enforce-all-gates": true,
    "login-form-credentials": "ada:x,bob:x,root:y",
    "login-form-administrators": "root",
  },
  "OAUTH2": oauth2Auth,
};

describe.each(Object.entries(modes))("rights after a binding, %s", (mode, auth) => {
  const provider = mode === "OAUTH2" ? "company" : "";
  const context = (): Context => ({
    ...feature.context,
    config: Config.parse({ auth }),
  });
  const caller = (name: string, admin: boolean): Caller => ({
    ...callerFrom(name),
    provider,
    admin,
  });

  /** Everything again: the roles, owners with one of them each, and who is bound. */
  async function given(bound: Record<string, string>, owners: Record<string, string[]>) {
    const { db } = feature.database;
    await db.query(
      `DELETE FROM owner_association_request; DELETE FROM user_owner; DELETE FROM owner_role;
       DELETE FROM owner; DELETE FROM account;
       DELETE FROM role_policy p USING role r WHERE r.id = p.role_id AND r.name <> 'Administrator';
       DELETE FROM role WHERE name NOT IN ('User', 'Administrator');
       DELETE FROM policy WHERE name IN ('reader', 'binder', 'answerer', 'editor', 'of users')`,
    );
    for (const [name, permissions] of Object.entries(roles)) {
      if (name === "User") await seedUserRole(permissions);
      else {await seedRole(
          db,
          name,
          policyOf("MANAGEMENT", permissions.length > 0 ? permissions : ["TAG_DELETE"]),
        );}
    }
    await db.query(
      "INSERT INTO account (username, provider, admin) VALUES ('ada', $1, true), ('bob', $1, false)",
      [provider],
    );
    for (const [owner, of] of Object.entries(owners)) {
      await db.query(
        `WITH o AS (INSERT INTO owner (name) VALUES ($1) RETURNING id)
         INSERT INTO owner_role SELECT o.id, r.id FROM o, role r WHERE r.name = ANY ($2)`,
        [owner, of],
      );
    }
    for (const [user, owner] of Object.entries(bound)) await bindUser(db, user, owner);
    await db.query("UPDATE user_owner SET provider = $1", [provider]);
  }

  async function seedUserRole(permissions: Permission[]) {
    await feature.database.db.query(
      `WITH p AS (INSERT INTO policy (name, document) VALUES ('of users', $1) RETURNING id)
       INSERT INTO role_policy (role_id, policy_id) SELECT r.id, p.id FROM role r, p WHERE r.name = 'User'`,
      [JSON.stringify(policyOf("MANAGEMENT", permissions))],
    );
  }

  const authorizer = () => policyAuthorizer(context(), { lifetimeMs: 0 });
  const people = { ada: caller("ada", true), bob: caller("bob", false) };
  const rightsOf = async (name: keyof typeof people) =>
    new Set(await authorizer().permissionsOf(people[name]));

  const as = (name: keyof typeof people) => {
    const authenticator = { authenticate: () => Promise.resolve(people[name]) };
    const access = { authorizer: authorizer(), authenticator };
    const own = [
      ...ownerAssociationRoutes(context(), { ...access, providers: [] }),
      ...ownerRoutes(context(), access),
    ];
    return testApi(own, undefined, { access });
  };

  const kind = fc.constantFrom<string[]>([], ["reader"], ["binder"], ["answerer"], ["editor"], [
    "User",
  ], ["Administrator"]);
  const step = fc.record({
    by: fc.constantFrom<keyof typeof people>("ada", "bob"),
    what: fc.constantFrom("ask", "approve", "rename", "roles"),
    owner: fc.constantFrom("First", "Second", "Third", "Fresh"),
  });

  it("are a subset of those before, unless somebody else grants what is shown", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(kind, kind, kind),
        fc.constantFrom<Record<string, string>>({}, { ada: "First" }, {
          ada: "First",
          bob: "Second",
        }),
        fc.array(step, { minLength: 1, maxLength: 4 }),
        async ([first, second, third], bound, steps) => {
          await given(bound, { First: first, Second: second, Third: third });
          for (const { by, what, owner } of steps) {
            const before = { ada: await rightsOf("ada"), bob: await rightsOf("bob") };
            const granted = before[by].has("OWNER_RELATION_MANAGE");
            const shown = await act(by, what, owner);
            for (const name of ["ada", "bob"] as const) {
              const gained = [...(await rightsOf(name)).difference(before[name])];
              if (granted || name !== by && shown) continue;
              expect({ name, by, what, owner, gained }).toMatchObject({ gained: [] });
            }
          }
        },
      ),
      { numRuns: 12 },
    );
  }, 120_000);

  /** Does it; whether it shows roles that somebody gets. */
  async function act(by: keyof typeof people, what: string, owner: string): Promise<boolean> {
    const api = as(by);
    if (what === "ask") {
      await api.post(path, { name: owner });
      return false;
    }
    const { json } = await api.get(`${path}?page=1&size=10&status=PENDING`);
    if (what === "approve") {
      const [request] = json?.items ?? [];
      if (!request) return false;
      await api.put(`${path}/${request.id}`, { status: "APPROVED" });
      return request.roles.length > 0;
    }
    const [row] = await feature.database.db.query<{ id: number }>(
      "SELECT id FROM owner WHERE name = $1",
      [owner],
    );
    if (!row) return false;
    const changed = what === "roles" ? { roles: [] } : {};
    await api.put(`/api/owners/${row.id}`, { name: owner, ...changed });
    // Who may set roles of others' owners grants rights by that.
    return what === "roles";
  }
});

describe("LOGIN_FORM with all gates", () => {
  it("a user whose owner has no roles has the role User, and administrators are named", async () => {
    await bindUser(feature.database.db, "eve", "Eve's");
    const config = Config.parse({ auth: modes.LOGIN_FORM });
    const authorizer = policyAuthorizer({ ...feature.context, config });
    const permissionsOf = (name: string, admin: boolean) =>
      authorizer.permissionsOf({ ...callerFrom(name), admin });
    expect(await permissionsOf("eve", true)).not.toContain("OWNER_RELATION_MANAGE");
    expect(await permissionsOf("root", false)).toContain("OWNER_RELATION_MANAGE");
    expect(await authorizer.permissionsOf({ ...callerFrom("root"), provider: "company" }))
      .not.toContain("OWNER_RELATION_MANAGE");
  });
});
