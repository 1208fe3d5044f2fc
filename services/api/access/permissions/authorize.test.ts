import { describe, expect, it } from "vitest";
import { anonymous } from "#contract/actor.ts";
import { permissionsByResource } from "#contract/permissions.ts";
import type { AccessRequirement } from "#platform/operations/access.ts";
import type { Caller } from "#platform/operations/caller.ts";
import {
  accessUnderTest,
  collector,
  makePolicies,
  outcome,
  serviceKey,
  user,
} from "../testing/authorizers.ts";
import { policyOf, seedRole, seedUser } from "#test/support/seed/seed-access.ts";
import { seedEntity } from "#test/support/seed/seed.ts";

const access = accessUnderTest();

describe("who calls", () => {
  it.each<[string, Caller, AccessRequirement, unknown]>([
    ["anyone may do what is for anyone", anonymous, "anonymous", 200],
    ["not signed in", anonymous, "signed-in", "401 Sign in, or send a token"],
    [
      "not signed in, with a permission needed",
      anonymous,
      makePolicies,
      "401 Sign in, or send a token",
    ],
    ["signed in", user("ada"), "signed-in", 200],
    ["a personal token", user("ada", { credential: "personal-token" }), "signed-in", 200],
    ["a service key", serviceKey, makePolicies, 200],
    ["an administrator", user("ada", { admin: true }), makePolicies, 200],
    ["somebody else", user("ada"), makePolicies, "403 POLICY_CREATE is required"],
    [
      "a collector is no user",
      collector,
      "signed-in",
      "403 The token of a collector or data source is for ingestion only",
    ],
    [
      "a collector has no permission",
      collector,
      makePolicies,
      "403 The token of a collector or data source is for ingestion only",
    ],
  ])("%s", async (_, caller, needed, expected) => {
    expect(await outcome(access.authorizerOf().authorize(caller, needed))).toBe(expected);
  });

  it("without the filter anyone may ingest, with it only whoever has the token of a collector", async () => {
    const filtered = access.authorizerOf({ ingestion: { filter: { enabled: true } } });
    for (const caller of [anonymous, user("ada"), serviceKey, collector]) {
      expect(await outcome(access.authorizerOf().authorize(caller, "collector"))).toBe(200);
      const expected = caller === collector
        ? 200
        : "401 The token of a collector or data source is required";
      expect(await outcome(filtered.authorize(caller, "collector"))).toBe(expected);
    }
  });
});

describe("modes", () => {
  const dormant: AccessRequirement = {
    permission: "DATA_ENTITY_ADD_TERM",
    resource: null,
    dormant: true,
  };

  it("LOGIN_FORM applies no rule", async () => {
    const authorizer = access.authorizerOf({ type: "LOGIN_FORM" });
    expect(await outcome(authorizer.authorize(user("ada"), makePolicies))).toBe(200);
    expect(await authorizer.permissionsOf(user("ada"))).toEqual(permissionsByResource.MANAGEMENT);
    const entity = { kind: "data_entity", id: await seedEntity(access.db) } as const;
    expect(await authorizer.permissionsOn(user("ada"), entity))
      .toEqual(permissionsByResource.DATA_ENTITY);
    expect(await outcome(authorizer.authorize(anonymous, makePolicies))).toMatch(/^401/);
  });

  it("LOGIN_FORM applies all rules where all gates are enforced", async () => {
    const authorizer = access.authorizerOf({ type: "LOGIN_FORM", "enforce-all-gates": true });
    expect(await outcome(authorizer.authorize(user("ada"), makePolicies))).toMatch(/^403/);
    expect(await authorizer.permissionsOf(user("ada"))).toEqual([]);
  });

  it.each(["OAUTH2", "LDAP", "LOGIN_FORM"])(
    "%s: permissions that are dormant are not required until the setting enforces them",
    async (type) => {
      const enforced = access.authorizerOf({ type, "enforce-all-gates": true });
      expect(await outcome(access.authorizerOf({ type }).authorize(user("ada"), dormant))).toBe(
        200,
      );
      expect(await outcome(enforced.authorize(user("ada"), dormant))).toMatch(/^403/);
      expect(await outcome(access.authorizerOf({ type }).authorize(anonymous, dormant))).toMatch(
        /^401/,
      );
    },
  );
});

describe("roles", () => {
  it("of the owner hold instead of the provider's, an administrator's too", async () => {
    const { name } = await access.userWith("MANAGEMENT", ["TAG_CREATE"]);
    for (const admin of [true, false]) {
      expect(await access.authorizerOf().permissionsOf(user(name!, { admin }))).toEqual([
        "TAG_CREATE",
      ]);
    }
  });

  it("of an owner who has none are the provider's", async () => {
    await seedUser(access.db, "without", []);
    const authorizer = access.authorizerOf();
    expect(await authorizer.permissionsOf(user("without"))).toEqual([]);
    expect(await authorizer.permissionsOf(user("without", { admin: true })))
      .toEqual(permissionsByResource.MANAGEMENT);
  });

  it("are of the user of that provider only", async () => {
    const { name } = await access.userWith("MANAGEMENT", ["TAG_CREATE"]);
    expect(await access.authorizerOf().permissionsOf(user(name!, { provider: "github" }))).toEqual(
      [],
    );
  });

  it("add up, in the order of the contract", async () => {
    const roles = await Promise.all([
      seedRole(access.db, "tags", policyOf("MANAGEMENT", ["TAG_DELETE", "TAG_CREATE"])),
      seedRole(access.db, "owners", policyOf("MANAGEMENT", ["OWNER_CREATE", "TAG_CREATE"])),
    ]);
    await seedUser(access.db, "both", roles.map(({ role }) => role));
    expect(await access.authorizerOf().permissionsOf(user("both")))
      .toEqual(["TAG_CREATE", "TAG_DELETE", "OWNER_CREATE"]);
  });

  it("take nothing from others when a policy of theirs cannot be read", async () => {
    const broken = await seedRole(access.db, "broken", "{}");
    const sound = await seedRole(access.db, "sound", policyOf("MANAGEMENT", ["TAG_CREATE"]));
    await seedUser(access.db, "mixed", [broken.role, sound.role]);
    expect(await access.authorizerOf().permissionsOf(user("mixed"))).toEqual(["TAG_CREATE"]);
  });
});

it("tells of every refusal, in words", async () => {
  const logged: unknown[] = [];
  const authorizer = access.authorizerOf({}, {
    refused: ({ name }, _, what) => void logged.push([name, what]),
  });
  await outcome(authorizer.authorize(user("eve"), makePolicies));
  await outcome(authorizer.authorize(serviceKey, makePolicies));
  expect(logged).toEqual([["eve", "POLICY_CREATE is required"]]);
});
