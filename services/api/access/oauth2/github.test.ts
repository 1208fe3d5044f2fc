import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type SignInApp, signInApp } from "#services/api/access/oauth2/testing/sign-in-app.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { type FakeGitHub, startGitHub } from "#test/support/sign-in/github.ts";

describe("OAUTH2 at GitHub, by its plain OAuth 2", () => {
  let database: TestDatabase;
  let github: FakeGitHub;
  const opened: SignInApp[] = [];
  beforeAll(async () => {
    database = await testDatabase();
    github = await startGitHub();
  });
  beforeEach(() => {
    github.user = { login: "Ada", id: 1, email: null };
    github.orgs = [];
    github.teams = [];
    github.requests.length = 0;
  });
  afterEach(async () => {
    for (const app of opened.splice(0)) await app.close();
  });
  afterAll(async () => {
    await github.close();
    await database.drop();
  });

  function app(more: object = {}) {
    const made = signInApp(database, {
      github: {
        "client-id": "catalogue",
        "client-secret": "secret",
        "authorization-uri": `${github.url}/login/oauth/authorize`,
        "token-uri": `${github.url}/login/oauth/access_token`,
        "user-info-uri": `${github.url}/user`,
        ...more,
      },
    });
    opened.push(made);
    return made;
  }

  async function signedIn(more: object = {}) {
    const browser = app(more).browser();
    const to = await browser.signIn("github");
    if (to !== "/") return to;
    const username = await browser.whoami();
    const [account] = await database.db.query<{ admin: boolean }>(
      "SELECT admin FROM account WHERE username = $1 AND provider = 'github'",
      [username],
    );
    return { username, ...account };
  }

  it("users are named by their login, and asked for nothing else where nothing else is needed", async () => {
    expect(await signedIn()).toEqual({ username: "Ada", admin: false });
    expect(github.requests)
      .toEqual(["/login/oauth/authorize", "/login/oauth/access_token", "/user"]);
  });

  it("asks for what it reads, with PKCE, and without a nonce", async () => {
    const url = new URL(await app().browser().begin("github"));
    expect(url.searchParams.get("scope")).toBe("read:user read:org");
    expect(url.searchParams.get("code_challenge_method")).toBe("S256");
    expect(url.searchParams.has("nonce")).toBe(false);
  });

  it("members of the organization alone may sign in", async () => {
    github.orgs = Array.from({ length: 150 }, (_, i) => `org${i}`);
    const of = { "organization-name": "ACME" };
    expect(await signedIn(of)).toBe("/login?error=forbidden");
    github.orgs.push("Acme");
    expect(await signedIn(of)).toEqual({ username: "Ada", admin: false });
  });

  it.each<[string, object, boolean]>([
    ["principal", { "admin-principals": "bob,ADA" }, true],
    ["another principal", { "admin-principals": "adam" }, false],
    ["principal in an attribute", { "admin-principals": "1", "admin-attribute": "id" }, true],
    ["organization", { "admin-groups": "acme" }, true],
    ["another organization", { "admin-groups": "acme2" }, false],
    ["team", { "admin-groups": "acme/stewards" }, true],
    ["a team of that name elsewhere", { "admin-groups": "other/stewards" }, false],
  ])("administrator by %s", async (_, more, admin) => {
    github.orgs = ["Acme"];
    github.teams = ["Acme/stewards", "acme/readers"];
    expect(await signedIn(more)).toEqual({ username: "Ada", admin });
  });

  it("a code that is used already, and a wrong secret, sign nobody in", async () => {
    const rejected = "/login?error=rejected";
    expect(await signedIn({ "client-secret": "wrong" })).toBe(rejected);
    const browser = app().browser();
    const answer = await browser.answerOf("github");
    expect(await browser.sentTo(answer.replace(/code=[^&]*/, "code=x"))).toBe(rejected);
  });

  it("an issuer that it names is no reason to refuse it, since none is known", async () => {
    const browser = app().browser();
    const answer = await browser.answerOf("github");
    expect(await browser.sentTo(`${answer}&iss=${github.url}/login/oauth`)).toBe("/");
  });

  it("a user without a login is nobody", async () => {
    github.user = { id: 1 };
    expect(await signedIn()).toBe("/login?error=forbidden");
  });

  it("signing out ends here: GitHub has no page for it", async () => {
    const browser = app().browser();
    await browser.signIn("github");
    expect((await browser.post("/logout", {})).headers.get("location")).toBe("/login?logout");
  });
});
