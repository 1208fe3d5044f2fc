import { describe, expect, it } from "vitest";
import { clientOf } from "#services/api/access/oauth2/testing/sign-in-app.ts";
import { twoProviders } from "#services/api/access/oauth2/testing/two-providers.ts";

const { app, one, other, database } = twoProviders();

describe("OAUTH2: who signs in", () => {
  /** The user whom the provider describes by these claims: the name, or where the browser is sent. */
  async function signedIn(claims: object, more: object, from = other) {
    from().user = { sub: "7", preferred_username: "ada", ...claims };
    const browser = app({}, { [from === other ? "other" : "one"]: clientOf(from(), more) })
      .browser();
    const to = await browser.signIn(from === other ? "other" : "one");
    if (to !== "/") return to;
    const username = await browser.whoami();
    const [account] = await database().db.query<{ admin: boolean }>(
      "SELECT admin FROM account WHERE username = $1 AND provider = $2",
      [username, from === other ? "other" : "one"],
    );
    return { username, ...account };
  }
  const forbidden = "/login?error=forbidden";

  it("is named by the configured claim, also one of user information alone", async () => {
    const named = { "user-name-attribute": "email" };
    const claims = { email: "ada@corp.example", email_verified: true };
    expect(await signedIn(claims, named)).toMatchObject({ username: "ada@corp.example" });
    expect(await signedIn(claims, named, one)).toMatchObject({ username: "ada@corp.example" });
    expect(await signedIn({}, { "user-name-attribute": "sub" })).toMatchObject({ username: "7" });
    expect(await signedIn({}, { "user-name-attribute": "constructor" })).toBe(forbidden);
  });

  it("is not named by an e-mail address that nobody has verified", async () => {
    const named = { "user-name-attribute": "email" };
    expect(await signedIn({ email: "boss@corp.example" }, named)).toBe(forbidden);
    expect(await signedIn({ email: "boss@corp.example", email_verified: false }, named)).toBe(
      forbidden,
    );
  });

  it.each<[string, object, object, boolean]>([
    ["principal", { "admin-principals": "bob, ada" }, {}, true],
    ["another principal", { "admin-principals": "adam" }, {}, false],
    [
      "principal in an attribute",
      { "admin-principals": "ada@corp.example", "admin-attribute": "email" },
      { email: "ada@corp.example", email_verified: true },
      true,
    ],
    [
      "unverified principal in an attribute",
      { "admin-principals": "ada@corp.example", "admin-attribute": "email" },
      { email: "ada@corp.example" },
      false,
    ],
    ["attribute", { "admin-attribute": "steward" }, { steward: true }, true],
    ["attribute that is false", { "admin-attribute": "steward" }, { steward: "no" }, false],
    ["group", { "admin-groups": "data, ops" }, { groups: ["staff", "ops"] }, true],
    ["other groups", { "admin-groups": "ops" }, { groups: ["dev", "ops2"] }, false],
    [
      "group in a path",
      { "admin-groups": "ops", "groups-claim": "realm_access.roles" },
      { realm_access: { roles: ["ops"] } },
      true,
    ],
    ["nothing", {}, { groups: ["admin"], steward: true }, false],
  ])("administrator by %s", async (_, more, claims, admin) => {
    expect(await signedIn(claims, more)).toEqual({ username: "ada", admin });
    expect(await signedIn(claims, more, one)).toEqual({ username: "ada", admin });
  });

  it.each<[string, object, object, boolean]>([
    ["of the domain", {}, { email: "ada@Corp.example", email_verified: true }, true],
    ["unverified", {}, { email: "ada@corp.example", email_verified: false }, false],
    ["not said to be verified", {}, { email: "ada@corp.example" }, false],
    [
      "of a domain that ends so",
      {},
      { email: "ada@evilcorp.example", email_verified: true },
      false,
    ],
    [
      "with the domain before",
      {},
      { email: "corp.example@evil.example", email_verified: true },
      false,
    ],
    ["without an address", {}, {}, false],
    [
      "of an account of the domain at Google",
      { provider: "google" },
      { email: "ada@corp.example", email_verified: true, hd: "corp.example" },
      true,
    ],
    [
      "of a private account at Google",
      { provider: "google" },
      { email: "ada@corp.example", email_verified: true },
      false,
    ],
  ])("allowed domain: %s", async (_, more, claims, allowed) => {
    const outcome = await signedIn(claims, { "allowed-domain": "corp.example", ...more });
    if (allowed) expect(outcome).toMatchObject({ admin: false });
    else expect(outcome).toBe(forbidden);
  });

  it("keeps an ID token that is too large for a session out of it", async () => {
    other().user = { sub: "8", preferred_username: "ada", padding: "x".repeat(9_000) };
    const browser = app().browser();
    expect(await browser.signIn("other")).toBe("/");
    const out = (await browser.post("/logout", {})).headers.get("location")!;
    expect(out).toContain("/session/end?");
    expect(out).not.toContain("id_token_hint");
  });
});
