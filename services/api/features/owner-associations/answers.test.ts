import { describe, expect, it } from "vitest";
import { auditedBy } from "#test/support/audit.ts";
import { bindUser, callerFrom } from "#test/support/http/caller.ts";
import {
  associationsUnderTest,
  codeOf,
  path,
} from "#services/api/features/owner-associations/testing/associations.ts";

const { answer, as, ask, bound, database, events, giveRole, manager } = associationsUnderTest();

describe("updateOwnerAssociationRequest", () => {
  it("200: approval binds, and declines requests for the same owner", async () => {
    const [mine, other, elsewhere] = [
      await ask("ada", "Team"),
      await ask("bob", "Team"),
      await ask("eve", "Others"),
    ];
    const audited = await auditedBy(database.db, async () => {
      const approved = await answer(mine.id, "APPROVED");
      expect(approved.status).toBe(200);
      expect(approved.json).toMatchObject({
        id: mine.id,
        status: "APPROVED",
        status_updated_by: { identity: { username: "manager" }, owner: null },
        status_updated_at: expect.any(String),
      });
    });
    expect(await bound()).toEqual({ ada: "Team" });
    expect((await events()).slice(3)).toEqual([
      "ada REQUEST_APPROVED APPROVED manager",
      "bob REQUEST_DECLINED DECLINED manager",
    ]);
    const { owner_id } = mine;
    expect(audited).toEqual([
      ["OWNER_BOUND", "manager", `owner ${owner_id} Team: ada`],
      ["OWNER_REQUEST_APPROVED", "manager", `request ${mine.id}: ada for owner Team`],
      ["OWNER_REQUEST_DECLINED", "manager", `request ${other.id}: bob for owner Team`],
    ]);
    expect((await answer(elsewhere.id, "APPROVED")).json.status).toBe("APPROVED");
  });

  it("200: refusal binds nobody, and the user may ask again", async () => {
    const { id } = await ask("ada", "Team");
    expect((await answer(id, "DECLINED")).json.status).toBe("DECLINED");
    expect(await bound()).toEqual({});
    expect((await ask("ada", "Team")).status).toBe("PENDING");
  });

  it("200: moves a user who was bound to another owner", async () => {
    await bindUser(database.db, "ada", "Old");
    const { id } = await ask("ada", "New");
    await answer(id, "APPROVED");
    expect(await bound()).toEqual({ ada: "New" });
  });

  it("400: it was answered already, whatever the answer", async () => {
    const { id } = await ask("ada", "Team");
    await answer(id, "APPROVED");
    for (const status of ["APPROVED", "DECLINED"]) {
      const repeated = await answer(id, status);
      expect([...codeOf(repeated), repeated.json.message])
        .toEqual([400, "USR001", `Request ${id} is APPROVED already`]);
    }
  });

  it("400: its owner is bound to another meanwhile, or gone; it can be declined", async () => {
    const [taken, gone] = [await ask("ada", "Taken"), await ask("bob", "Gone")];
    await bindUser(database.db, "eve", "Taken");
    await database.db.query("DELETE FROM owner WHERE name = 'Gone'");
    expect((await answer(taken.id, "APPROVED")).json.message)
      .toBe("Owner Taken is bound to another user");
    expect((await answer(gone.id, "APPROVED")).json.message)
      .toBe("Owner Gone is gone: decline the request");
    for (const { id } of [taken, gone]) expect((await answer(id, "DECLINED")).status).toBe(200);
    expect(await bound()).toEqual({ eve: "Taken" });
  });

  it.each([{}, { status: "PENDING" }, { status: "RESOLVED" }])("400: %j", async (form) => {
    const { id } = await ask("ada", "Team");
    const refused = await manager().put(`${path}/${id}`, form);
    expect(refused.json).toMatchObject({ code: "USR001", details: [{ field: "status" }] });
  });

  it("404: unknown", async () => {
    expect(codeOf(await answer(999_999, "APPROVED"))).toEqual([404, "USR002"]);
  });

  it("403: nobody gives himself the roles of an owner, unless he may bind anybody", async () => {
    await giveRole("Admins");
    const { id } = await ask("ada", "Admins");
    const refused = await answer(id, "APPROVED", as("ada", "OWNER_ASSOCIATION_MANAGE"));
    expect(refused.status).toBe(403);
    expect(refused.json.message).toContain("OWNER_RELATION_MANAGE");
    expect(await bound()).toEqual({});
    const namesake = { ...callerFrom("ada"), provider: "ldap" };
    expect((await answer(id, "APPROVED", as(namesake, "OWNER_ASSOCIATION_MANAGE"))).status)
      .toBe(200);
  });

  it("two managers at once: one answers, the other is told", async () => {
    const { id } = await ask("ada", "Team");
    const answers = await Promise.all(
      ["APPROVED", "DECLINED", "APPROVED"].map((status) => answer(id, status)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    const state = answers.find(({ status }) => status === 200)!.json.status;
    expect(Object.keys(await bound())).toEqual(state === "APPROVED" ? ["ada"] : []);
    expect(await events()).toHaveLength(2);
  });

  it("requests of many for one owner approved at once: one gets it, the others are declined", async () => {
    const users = ["a", "b", "c", "d", "e"];
    const requests = [];
    for (const user of users) requests.push(await ask(user, "Wanted"));
    const answers = await Promise.all(requests.map(({ id }) => answer(id, "APPROVED")));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400]);
    expect(Object.values(await bound())).toEqual(["Wanted"]);
    const pending = await manager().get(`${path}?page=1&size=10&status=PENDING`);
    expect(pending.json.page_info.total).toBe(0);
  });
});
