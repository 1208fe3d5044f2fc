import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  base,
  clientOf,
  type SignInApp,
  signInApp,
} from "#services/api/access/oauth2/testing/sign-in-app.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { type OpenIdProvider, startOpenIdProvider } from "#test/support/sign-in/openid-provider.ts";

let database: TestDatabase;
let one: OpenIdProvider;
let other: OpenIdProvider;
const opened: SignInApp[] = [];

beforeAll(async () => {
  database = await testDatabase();
  one = await startOpenIdProvider({ base, id: "one" });
  other = await startOpenIdProvider({ base, id: "other", inIdToken: true });
}, 60_000);
beforeEach(() => {
  one.user = { sub: "1", preferred_username: "ada" };
  other.user = { sub: "2", preferred_username: "bob" };
});
afterEach(async () => {
  for (const app of opened.splice(0)) await app.close();
});
afterAll(async () => {
  await Promise.all([one.close(), other.close()]);
  await database.drop();
});

function app(client: object, given: Parameters<typeof signInApp>[2] = {}): SignInApp {
  const made = signInApp(database, client, given);
  opened.push(made);
  return made;
}
const both = () => ({ one: clientOf(one), other: clientOf(other) });

async function audited(type: string) {
  return await database.db.query<{ actor: string | null; actor_provider: string; subject: string }>(
    "SELECT actor, actor_provider, subject FROM audit_event WHERE type = $1 ORDER BY id",
    [type],
  );
}

describe("OAUTH2", () => {
  it("discovers a provider when somebody first signs in, once", async () => {
    one.asked.length = 0;
    const service = app(both());
    expect(one.asked).toEqual([]);
    for (let i = 0; i < 2; i++) expect(await service.browser().signIn("one")).toBe("/");
    const discovered = one.asked.filter((path) => path.startsWith("/.well-known"));
    expect(discovered).toEqual(["/.well-known/openid-configuration"]);
  });

  it("asks nothing of the provider but what it was not told", async () => {
    one.asked.length = 0;
    const addresses = {
      "authorization-uri": `${one.issuer}/auth`,
      "token-uri": `${one.issuer}/token`,
      "jwk-set-uri": `${one.issuer}/jwks`,
      "user-info-uri": `${one.issuer}/me`,
    };
    const browser = app({ one: clientOf(one, addresses) }).browser();
    expect(await browser.signIn("one")).toBe("/");
    expect(await browser.whoami()).toBe("ada");
    expect(one.asked.filter((path) => path.startsWith("/.well-known"))).toEqual([]);
  });

  it("several providers at once: each names its own users", async () => {
    const service = app(both());
    const [ada, bob] = [service.browser(), service.browser()];
    const page = await (await ada.get("/login")).text();
    expect(page).toContain('href="/oauth2/authorization/one"');
    expect(page).toContain('href="/oauth2/authorization/other"');
    await ada.signIn("one");
    await bob.signIn("other");
    expect([await ada.whoami(), await bob.whoami()]).toEqual(["ada", "bob"]);
    const signedIn = (await audited("SIGNED_IN")).slice(-2);
    expect(signedIn.map((event) => [event.actor, event.actor_provider]))
      .toEqual([["ada", "one"], ["bob", "other"]]);
  });

  it("PKCE: binds the code to who asked for it, by S256", async () => {
    const browser = app(both()).browser();
    const url = new URL(await browser.begin("one"));
    expect(url.searchParams.get("code_challenge_method")).toBe("S256");
    expect(url.searchParams.get("code_challenge")).toMatch(/^[\w-]{43}$/);
    expect(url.searchParams.get("nonce")).toMatch(/^[\w-]{43}$/);
    const without = app({ one: clientOf(one, { pkce: false }) }).browser();
    expect(new URL(await without.begin("one")).searchParams.has("code_challenge")).toBe(false);
  });

  it("goes back to where somebody came from", async () => {
    const browser = app(both()).browser();
    expect(await browser.signIn("one", "/api/search?a=1")).toBe("/api/search?a=1");
  });

  it.each(["//evil.example", "/\\evil.example", "https://evil.example", "/\t/evil", "/\r\nx: y"])(
    "open redirect: does not go to %j",
    async (target) => expect(await app(both()).browser().signIn("one", target)).toBe("/"),
  );

  it("a way begun at one replica ends at another", async () => {
    const first = app(both());
    const second = app(both(), { cache: first.cache });
    const browser = first.browser();
    const answer = await browser.answerOf("one");
    const elsewhere = second.browser();
    for (const [name, value] of browser.cookies) elsewhere.cookies.set(name, value);
    expect(await elsewhere.sentTo(answer)).toBe("/");
    expect(await elsewhere.whoami()).toBe("ada");
  });

  it("binds a way to its browser by a cookie that no script and no other host can touch", async () => {
    const set = async (given: object) =>
      (await app(both(), given).browser().get("/oauth2/authorization/one")).headers.get(
        "set-cookie",
      );
    expect(await set({})).toMatch(
      /^tributary_oauth2=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/,
    );
    expect(await set({ base: "https://catalogue.example" })).toMatch(
      /^__Host-tributary_oauth2=[\w-]{43}; Path=\/; .*; Secure$/,
    );
  });

  it("two windows of one browser may sign in at once", async () => {
    const browser = app(both()).browser();
    const [first, second] = [await browser.answerOf("one"), await browser.answerOf("other")];
    expect(await browser.sentTo(first)).toBe("/");
    expect(await browser.sentTo(second)).toBe("/");
  });

  it("sign-out goes on to the provider, with the ID token, and comes back", async () => {
    const browser = app(both()).browser();
    await browser.signIn("one");
    const out = new URL((await browser.post("/logout", {})).headers.get("location")!);
    expect(out.origin + out.pathname).toBe(`${one.issuer}/session/end`);
    expect(out.searchParams.get("post_logout_redirect_uri")).toBe(`${base}/login`);
    expect(out.searchParams.get("id_token_hint")).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
    const page = await browser.atProvider(out.href);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("<form")]);
    expect(await browser.whoami()).toBeUndefined();
  });

  it("sign-out asks Cognito, and a page of the configuration, in their own ways", async () => {
    const page = "https://login.example/out";
    const browser = app({ one: clientOf(one, { "logout-uri": page }) }).browser();
    await browser.signIn("one");
    const out = (await browser.post("/logout", {})).headers.get("location");
    expect(out).toMatch(/^https:\/\/login\.example\/out\?client_id=catalogue&post_logout/);
    const known = { provider: "cognito", "logout-uri": page, "user-name-attribute": "sub" };
    const cognito = app({ one: clientOf(one, known) }).browser();
    await cognito.signIn("one");
    expect((await cognito.post("/logout", {})).headers.get("location"))
      .toBe(`${page}?client_id=catalogue&logout_uri=${encodeURIComponent(`${base}/login`)}`);
  });
});

describe("OAUTH2: who signs in", () => {
  /** The user whom the provider describes by these claims: the name, or where the browser is sent. */
  async function signedIn(claims: object, more: object, from = other) {
    from.user = { sub: "7", preferred_username: "ada", ...claims };
    const browser = app({ [from === other ? "other" : "one"]: clientOf(from, more) }).browser();
    const to = await browser.signIn(from === other ? "other" : "one");
    if (to !== "/") return to;
    const username = await browser.whoami();
    const [account] = await database.db.query<{ admin: boolean }>(
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
    other.user = { sub: "8", preferred_username: "ada", padding: "x".repeat(9_000) };
    const browser = app(both()).browser();
    expect(await browser.signIn("other")).toBe("/");
    const out = (await browser.post("/logout", {})).headers.get("location")!;
    expect(out).toContain("/session/end?");
    expect(out).not.toContain("id_token_hint");
  });
});
