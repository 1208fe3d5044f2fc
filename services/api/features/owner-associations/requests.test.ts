import { describe, expect, it } from "vitest";
import { auditedBy } from "#test/support/audit.ts";
import { somebodyWaits } from "#test/support/engines/database.ts";
import type { Answer } from "#test/support/http/api.ts";
import { permissions } from "#contract/permissions.ts";
import type { Caller } from "#platform/operations/caller.ts";
import { bindUser, callerFrom } from "#test/support/http/caller.ts";
import {
  associationsUnderTest,
  codeOf,
  path,
} from "#services/api/features/owner-associations/testing/associations.ts";

const { anonymous, answer, as, ask, bound, database, events, giveRole } = associationsUnderTest();

describe("createOwnerAssociationRequest", () => {
  it("200: waits for an answer, and makes the owner", async () => {
    const answer = await as("ada").post(path, { name: " Data Team ", roles: [] });
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({
      id: expect.any(Number),
      username: "ada",
      provider: null,
      owner_id: expect.any(Number),
      owner_name: "Data Team",
      roles: [],
      status: "PENDING",
      status_updated_by: null,
      status_updated_at: null,
    });
    expect(await bound()).toEqual({});
    expect(await events()).toEqual(["ada REQUEST_CREATED PENDING ada"]);
    const other = await ask({ ...callerFrom("ada"), provider: "ldap" }, "Data Team");
    expect(other).toMatchObject({ owner_id: answer.json.owner_id, provider: "ldap" });
  });

  it.each([
    [{}, "name"],
    [{ name: " " }, "name"],
    [{ name: "x".repeat(256) }, "name"],
    [{ name: "x", roles: [{ id: 1, name: "Administrator", policies: [] }] }, "roles"],
    [{ name: "x", roles: "Administrator" }, "roles"],
  ])("400: %j names %s", async (form, field) => {
    const answer = await as("ada", "DIRECT_OWNER_SYNC", "OWNER_RELATION_MANAGE").post(path, form);
    expect(answer.json.details[0]).toMatchObject({ field });
    expect([codeOf(answer), await bound()]).toEqual([[400, "USR001"], {}]);
  });

  it("400 USR003: another request of the caller waits, by however many calls at once", async () => {
    const answers = await Promise.all(
      ["a", "b", "c", "d"].map((name) => as("ada").post(path, { name })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
    const refused = answers.find(({ status }) => status === 400)!;
    expect(refused.json).toMatchObject({
      code: "USR003",
      message: "Your last request still waits for an answer",
    });
  });

  it("400: the owner is bound to another, or to the caller already", async () => {
    await bindUser(database.db, "ada", "Ada's");
    for (const granted of [[], ["DIRECT_OWNER_SYNC", "OWNER_RELATION_MANAGE"] as const]) {
      const others = await as("bob", ...granted).post(path, { name: "Ada's" });
      expect([...codeOf(others), others.json.message])
        .toEqual([400, "USR001", "Owner Ada's is bound to another user"]);
      const own = await as("ada", ...granted).post(path, { name: "Ada's" });
      expect(own.json.message).toBe("Owner Ada's is bound to ada already");
      const namesake = { ...callerFrom("ada"), provider: "ldap" };
      expect((await as(namesake, ...granted).post(path, { name: "Ada's" })).status).toBe(400);
    }
    expect(await bound()).toEqual({ ada: "Ada's" });
  });

  it("400: nobody is signed in, or a program calls", async () => {
    const nobody = await anonymous.post(path, { name: "x" });
    expect([nobody.status, nobody.json.message]).toEqual([
      400,
      "Nobody is signed in: owners are bound to people who sign in (auth.type)",
    ]);
    const key: Caller = { ...callerFrom("ADMIN"), kind: "service-key", credential: "service-key" };
    expect((await as(key, ...permissions).post(path, { name: "x" })).json.message)
      .toContain("a program cannot ask");
  });
});

describe("DIRECT_OWNER_SYNC", () => {
  it("binds at once, and moves whoever was bound to another owner", async () => {
    await bindUser(database.db, "ada", "Old");
    const audited = await auditedBy(database.db, async () => {
      const answer = await as("ada", "DIRECT_OWNER_SYNC").post(path, { name: "New" });
      expect(answer.json).toMatchObject({
        status: "APPROVED",
        status_updated_by: { identity: { username: "ada" }, owner: { name: "New" } },
      });
    });
    expect(await bound()).toEqual({ ada: "New" });
    expect(await events()).toEqual([
      "ada REQUEST_CREATED PENDING ada",
      "ada REQUEST_APPROVED APPROVED ada",
    ]);
    expect(audited.map(([type]) => type)).toEqual([
      "OWNER_REQUESTED",
      "OWNER_UNBOUND",
      "OWNER_BOUND",
      "OWNER_REQUEST_APPROVED",
    ]);
  });

  it("declines the requests of others for that owner", async () => {
    const { id } = await ask("bob", "New");
    await as("ada", "DIRECT_OWNER_SYNC").post(path, { name: "New" });
    expect(await events()).toContain("bob REQUEST_DECLINED DECLINED ada");
    expect(codeOf(await answer(id, "APPROVED"))).toEqual([400, "USR001"]);
  });

  it("gives nobody a role: the request for an owner with roles waits", async () => {
    await giveRole("Admins");
    const request = await as("ada", "DIRECT_OWNER_SYNC").post(path, { name: "Admins" });
    expect(request.json).toMatchObject({ status: "PENDING", roles: [{ name: "Administrator" }] });
    expect(await bound()).toEqual({});
    const both = as("bob", "DIRECT_OWNER_SYNC", "OWNER_RELATION_MANAGE");
    expect((await both.post(path, { name: "Admins" })).json.status).toBe("APPROVED");
  });

  it("binds to an owner with the role User, which everybody has", async () => {
    await giveRole("Users", "User");
    const request = await as("ada", "DIRECT_OWNER_SYNC").post(path, { name: "Users" });
    expect(request.json.status).toBe("APPROVED");
  });

  it("sees a role that is given at the same time", async () => {
    await database.db.query("INSERT INTO owner (name) VALUES ('Rising')");
    let request!: Promise<Answer>;
    await database.db.transaction(async (tx) => {
      await tx.query("SELECT FROM owner WHERE name = 'Rising' FOR NO KEY UPDATE");
      await tx.query(
        `INSERT INTO owner_role SELECT o.id, r.id FROM owner o, role r
          WHERE o.name = 'Rising' AND r.name = 'Administrator'`,
      );
      request = as("ada", "DIRECT_OWNER_SYNC").post(path, { name: "Rising" });
      await somebodyWaits(tx);
    });
    expect((await request).json.status).toBe("PENDING");
    expect(await bound()).toEqual({});
  });

  it("lets one of many have an owner", async () => {
    const users = ["a", "b", "c", "d", "e"];
    const answers = await Promise.all(
      users.map((user) => as(user, "DIRECT_OWNER_SYNC").post(path, { name: "Wanted" })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400]);
    expect(Object.values(await bound())).toEqual(["Wanted"]);
  });
});
