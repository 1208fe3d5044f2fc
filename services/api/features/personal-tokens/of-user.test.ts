import { describe, expect, it } from "vitest";
import { personalTokenRoutes } from "#services/api/features/personal-tokens/routes.ts";
import { auditedBy } from "#test/support/audit.ts";
import { testApi } from "#test/support/http/api.ts";
import { calledBy, callerFrom, type TestCaller } from "#test/support/http/caller.ts";
import { featureUnderTest } from "#test/support/http/feature.ts";

const feature = featureUnderTest(personalTokenRoutes);
const path = "/api/identity/tokens";
const manager = "manager";
const as = (who: TestCaller) => testApi(calledBy(who, personalTokenRoutes(feature.context)));
const mint = async (who: TestCaller, name: string) =>
  (await as(who).post(path, { name })).json.id as number;
const namesOf = async (who: TestCaller) =>
  (await as(who).get(path)).json.items.map(({ name }: { name: string }) => name);

describe("deletePersonalTokensOfUser", () => {
  it("204: revokes all tokens of a user of that provider, and tells auditors of each", async () => {
    const elsewhere = { ...callerFrom("leaver"), provider: "keycloak" };
    const one = await mint("leaver", "one");
    const two = await mint("leaver", "two");
    await mint(elsewhere, "three");
    const audited = await auditedBy(feature.database.db, async () => {
      const answer = await as(manager).delete(`${path}?username=leaver&provider=LOGIN_FORM`);
      expect(answer.status).toBe(204);
    });
    expect(audited).toEqual([
      ["TOKEN_REVOKED", manager, `personal token ${one} one of leaver`],
      ["TOKEN_REVOKED", manager, `personal token ${two} two of leaver`],
    ]);
    expect([await namesOf("leaver"), await namesOf(elsewhere)]).toEqual([[], ["three"]]);
    await as(manager).delete(`${path}?username=leaver&provider=keycloak`);
    expect(await namesOf(elsewhere)).toEqual([]);
  });

  it("404: the user has none, so that a misspelt name is noticed", async () => {
    const answer = await as(manager).delete(`${path}?username=nobody`);
    expect([answer.status, answer.json.message])
      .toEqual([404, "Personal token of user nobody was not found"]);
  });

  it.each(["", "?username=", "?username=%20", `?username=${"x".repeat(256)}`])(
    "400: names no user: %s",
    async (query) => {
      const answer = await as(manager).delete(path + query);
      expect([answer.status, answer.json.details[0].field]).toEqual([400, "username"]);
    },
  );
});
