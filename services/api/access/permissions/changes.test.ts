import { beforeEach, describe, expect, it } from "vitest";
import { accessLifetime } from "./authorize.ts";
import {
  accessUnderTest,
  makePolicies,
  outcome,
  serviceKey,
  user,
} from "../testing/authorizers.ts";
import { policyOf, seedRole, seedUser } from "#test/support/seed/seed-access.ts";

const access = accessUnderTest();
beforeEach(() => void (access.requests = []));

describe("changes", () => {
  it("take effect once the lifetime is over, and are not asked for before", async () => {
    const { role, policy } = await seedRole(
      access.db,
      "changing",
      policyOf("MANAGEMENT", ["TAG_CREATE"]),
    );
    const owner = await seedUser(access.db, "watched", [role]);
    const authorizer = access.authorizerOf();
    const permissions = () => authorizer.permissionsOf(user("watched"));
    const steps: [string, unknown[], unknown][] = [
      [
        "UPDATE policy SET document = $2, revision = revision + 1 WHERE id = $1",
        [policy, JSON.stringify(policyOf("MANAGEMENT", ["TAG_DELETE"]))],
        ["TAG_DELETE"],
      ],
      ["DELETE FROM role_policy WHERE role_id = $1", [role], []],
      ["INSERT INTO role_policy VALUES ($1, $2)", [role, policy], ["TAG_DELETE"]],
      ["DELETE FROM owner_role WHERE owner_id = $1", [owner], []],
      ["INSERT INTO owner_role VALUES ($1, $2)", [owner, role], ["TAG_DELETE"]],
      ["DELETE FROM user_owner WHERE owner_id = $1", [owner], []],
    ];
    let before: unknown = await permissions();
    expect(before).toEqual(["TAG_CREATE"]);
    for (const [sql, values, after] of steps) {
      await access.db.query(sql, values);
      access.now += accessLifetime - 1;
      access.requests = [];
      expect([await permissions(), access.requests]).toEqual([before, []]);
      access.now += 1;
      expect(await permissions()).toEqual(after);
      before = after;
    }
  });

  it("compile a policy again only when it has changed", async () => {
    const { name } = await access.userWith("MANAGEMENT", ["TAG_CREATE"]);
    const authorizer = access.authorizerOf();
    await authorizer.permissionsOf(user(name!));
    expect(access.requests).toContain("access-policy-documents");
    access.now += accessLifetime;
    access.requests = [];
    await authorizer.permissionsOf(user(name!));
    expect(access.requests).toEqual(["access-roles", "access-owner-of-user"]);
  });

  it("are requested once, however many call at a time", async () => {
    const { name } = await access.userWith("MANAGEMENT", ["TAG_CREATE"]);
    const authorizer = access.authorizerOf();
    await Promise.all(Array.from({ length: 50 }, () => authorizer.permissionsOf(user(name!))));
    expect(access.requests.toSorted())
      .toEqual(["access-owner-of-user", "access-policy-documents", "access-roles"]);
  });

  it("cannot be requested: nobody may, and the next call asks again", async () => {
    const authorizer = access.authorizerOf();
    await access.db.query("ALTER TABLE role RENAME TO gone");
    const refused = await outcome(authorizer.authorize(serviceKey, makePolicies));
    await access.db.query("ALTER TABLE gone RENAME TO role");
    expect(refused).not.toBe(200);
    expect(await outcome(authorizer.authorize(serviceKey, makePolicies))).toBe(200);
  });
});
