import { describe, expect, it } from "vitest";
import { auditedBy } from "#test/support/audit.ts";
import { bindUser } from "#test/support/http/caller.ts";
import {
  associationsUnderTest,
  codeOf,
} from "#services/api/features/owner-associations/testing/associations.ts";

const { ask, bound, database, events, manager } = associationsUnderTest();

describe("createUserOwnerMapping", () => {
  const mapping = "/api/owners/mapping";
  const ownerId = async (name: string) =>
    (await database.db.query<{ id: number }>(
      `INSERT INTO owner (name) VALUES ($1) ON CONFLICT (name) DO UPDATE SET name = $1 RETURNING id`,
      [name],
    ))[0]!.id;

  it("200: binds by name and provider, and ends what either was bound to", async () => {
    await bindUser(database.db, "ada", "Old");
    const owner_id = await bindUser(database.db, "bob", "Wanted");
    const audited = await auditedBy(database.db, async () => {
      const answer = await manager().post(mapping, { owner_id, oidc_username: "ada" });
      expect(answer.status).toBe(200);
      expect(answer.json).toEqual({
        id: owner_id,
        name: "Wanted",
        roles: [],
        associated_user: { oidc_username: "ada", provider: null },
      });
    });
    expect(await bound()).toEqual({ ada: "Wanted" });
    expect(audited.map(([type, , subject]) => [type, subject!.replace(/\d+ /, "")]).sort()).toEqual(
      [
        ["OWNER_BOUND", "owner Wanted: ada"],
        ["OWNER_UNBOUND", "owner Old: ada"],
        ["OWNER_UNBOUND", "owner Wanted: bob"],
      ],
    );
    await manager().post(mapping, { owner_id, oidc_username: "ada", provider: "ldap" });
    expect(await bound()).toEqual({ "ada@ldap": "Wanted" });
  });

  it("200: LOGIN_FORM, null and a blank name the users of the form", async () => {
    const owner_id = await ownerId("Wanted");
    for (const provider of ["LOGIN_FORM", null, " "]) {
      const answer = await manager().post(mapping, { owner_id, oidc_username: "ada", provider });
      expect(answer.json.associated_user).toEqual({ oidc_username: "ada", provider: null });
    }
  });

  it("200: answers the pending requests that it decides, as by hand", async () => {
    const { owner_id } = await ask("ada", "Wanted");
    await ask("bob", "Wanted");
    await ask("eve", "Others");
    const audited = await auditedBy(
      database.db,
      () => manager().post(mapping, { owner_id, oidc_username: "ada" }),
    );
    expect((await events()).slice(3)).toEqual([
      "ada REQUEST_MANUALLY_APPROVED APPROVED manager",
      "bob REQUEST_MANUALLY_DECLINED DECLINED manager",
    ]);
    expect(audited.map(([type]) => type)).toEqual([
      "OWNER_BOUND",
      "OWNER_REQUEST_APPROVED",
      "OWNER_REQUEST_DECLINED",
    ]);
    await manager().post(mapping, { owner_id, oidc_username: "eve" });
    expect((await events()).at(-1)).toBe("eve REQUEST_MANUALLY_DECLINED DECLINED manager");
  });

  it("200: twice changes nothing", async () => {
    const owner_id = await ownerId("Wanted");
    const form = { owner_id, oidc_username: "ada" };
    await manager().post(mapping, form);
    const audited = await auditedBy(database.db, () => manager().post(mapping, form));
    expect([audited, await bound()]).toEqual([[], { ada: "Wanted" }]);
  });

  it("the last of many at once holds, and no user has two owners", async () => {
    const [one, two] = [await ownerId("One"), await ownerId("Two")];
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        manager().post(mapping, {
          owner_id: n % 2 ? one : two,
          oidc_username: n % 3 ? "ada" : "bob",
        })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
    const owners = Object.values(await bound());
    expect(new Set(owners).size).toBe(owners.length);
  });

  it.each([
    [{ oidc_username: "ada" }, "owner_id"],
    [{ owner_id: "1", oidc_username: "ada" }, "owner_id"],
    [{ owner_id: 1 }, "oidc_username"],
    [{ owner_id: 1, oidc_username: " " }, "oidc_username"],
    [{ owner_id: 1, oidc_username: "ada", provider: "a\0" }, "provider"],
  ])("400: %j names %s", async (form, field) => {
    const answer = await manager().post(mapping, form);
    expect(answer.json).toMatchObject({ code: "USR001", details: [{ field }] });
  });

  it("404: unknown owner", async () => {
    const answer = await manager().post(mapping, { owner_id: 999_999, oidc_username: "ada" });
    expect(codeOf(answer)).toEqual([404, "USR002"]);
  });
});

describe("deleteActiveUserOwnerMapping", () => {
  it("204, then 404; auditors are told whose it was", async () => {
    const id = await bindUser(database.db, "ada", "Team");
    const audited = await auditedBy(database.db, async () => {
      expect((await manager().delete(`/api/owners/mapping/${id}`)).status).toBe(204);
      expect(codeOf(await manager().delete(`/api/owners/mapping/${id}`))).toEqual([404, "USR002"]);
    });
    expect(await bound()).toEqual({});
    expect(audited).toEqual([["OWNER_UNBOUND", "manager", `owner ${id} Team: ada`]]);
  });

  it("404: unknown owner", async () => {
    expect((await manager().delete("/api/owners/mapping/999999")).status).toBe(404);
  });
});
