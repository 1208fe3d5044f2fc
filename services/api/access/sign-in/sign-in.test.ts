import { describe, expect, it } from "vitest";
import type { Browser } from "#test/support/sign-in/browser.ts";
import { ldapAuth, oauth2Auth } from "#services/api/access/testing/modes.ts";
import {
  ada,
  bob,
  newCache,
  replicas as newReplicas,
  whoami,
} from "#services/api/access/testing/replicas.ts";

const replicas = newReplicas();

describe("LOGIN_FORM", () => {
  it("signs in with the form, rotates the session, and signs out", async () => {
    const browser = replicas.open().browser();
    const page = await browser.get("/login");
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('<form method="post" action="/login">');
    const answer = await browser.post("/login", ada);
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "/"]);
    expect(answer.headers.get("set-cookie")).toMatch(
      /^SESSION=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=604800$/,
    );
    const first = browser.cookies.get("SESSION");
    const me = await (await browser.get(whoami)).json();
    expect(me.identity.username).toBe("ada");
    await browser.post("/login", ada);
    expect(browser.cookies.get("SESSION")).not.toBe(first);
    const old = replicas.open().browser();
    old.cookies.set("SESSION", first!);
    expect((await old.get(whoami, { accept: "application/json" })).status).toBe(401);
    const out = await browser.post("/logout", {});
    expect([out.status, out.headers.get("location")]).toEqual([302, "/login?logout"]);
    expect(browser.cookies.has("SESSION")).toBe(false);
    expect(await replicas.audited("SIGNED_IN")).toContainEqual({
      actor: "ada",
      address: "192.0.2.1",
    });
    expect(await replicas.audited("SIGNED_OUT")).toContainEqual({
      actor: "ada",
      address: "192.0.2.1",
    });
  });

  it("ends a session on every replica when its browser signs out", async () => {
    const cache = newCache();
    const [one, other] = [replicas.open({ cache }), replicas.open({ cache })];
    const browser = one.browser();
    await browser.post("/login", ada);
    const elsewhere = other.browser();
    elsewhere.cookies.set("SESSION", browser.cookies.get("SESSION")!);
    expect((await elsewhere.get(whoami)).status).toBe(200);
    await browser.post("/logout", {});
    expect((await elsewhere.get(whoami, { accept: "application/json" })).status).toBe(401);
  });

  it("session fixation: an id that came before signing in is worth nothing after it", async () => {
    const { browser } = replicas.open();
    const victim = browser();
    const planted = "A".repeat(43);
    victim.cookies.set("SESSION", planted);
    await victim.post("/login", ada);
    expect(victim.cookies.get("SESSION")).not.toBe(planted);
    const attacker = browser();
    attacker.cookies.set("SESSION", planted);
    expect((await attacker.get(whoami, { accept: "application/json" })).status).toBe(401);
  });

  it("sends the cookie over TLS only where people reach the service over TLS", async () => {
    const browser = replicas.open({ base: "https://catalogue.example" }).browser();
    const answer = await browser.post("/login", ada);
    expect(answer.headers.get("set-cookie")).toMatch(/; Secure$/);
  });

  it.each([
    ["wrong", { ...ada, password: "wrong" }],
    ["unknown user", { ...ada, username: "eve" }],
    [
      "empty",
      { username: "ada", password: "" },
    ],
    ["no name", { password: "x" }],
    ["a hash as the password", {
      username: "bob",
      password: bob.hash,
    }],
  ])("refuses a password: %s", async (_, fields) => {
    const browser = replicas.open().browser();
    const answer = await browser.post("/login", fields as Record<string, string>);
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "/login?error"]);
    expect(browser.cookies.size).toBe(0);
    expect(await (await browser.get("/login?error")).text()).toContain("password is wrong");
  });

  it("takes a password whose hash is configured", async () => {
    const browser = replicas.open().browser();
    const answer = await browser.post("/login", { username: bob.username, password: bob.password });
    expect(answer.headers.get("location")).toBe("/");
  });

  it("keeps names of failed attempts for auditors, but no text that could be no name", async () => {
    const browser = replicas.open().browser();
    await browser.post("/login", { username: "mallory", password: "x" });
    await browser.post("/login", { username: "<b>\u0000;DROP", password: "x" });
    const failed = await replicas.audited("SIGN_IN_FAILED");
    expect(failed.slice(-2).map(({ actor }) => actor)).toEqual(["mallory", null]);
  });

  it("a user who is removed from the configuration has no session and no token any more", async () => {
    const cache = newCache();
    const before = replicas.open({ cache });
    const [browser, token] = [before.browser(), await before.mint("ada")];
    await browser.post("/login", ada);
    const onlyBob = { "login-form-credentials": `${bob.username}:${bob.hash}` };
    for (const auth of [onlyBob, oauth2Auth, ldapAuth]) {
      const later = replicas.open({ cache, auth });
      const same = later.browser();
      same.cookies.set("SESSION", browser.cookies.get("SESSION")!);
      const json = { accept: "application/json" };
      expect((await same.get(whoami, json)).status).toBe(401);
      const bearer = { ...json, authorization: `Bearer ${token}` };
      expect((await later.browser().get(whoami, bearer)).status).toBe(401);
      expect((await before.browser().get(whoami, bearer)).status).toBe(200);
    }
  });

  it("tokens of people of a provider end with its configuration", async () => {
    const one = replicas.open({ auth: oauth2Auth });
    const [known, unknown] = [await one.mint("eve", "company"), await one.mint("eve", "former")];
    const status = async (token: string) =>
      (await one.browser().get(whoami, {
        accept: "application/json",
        authorization: `Bearer ${token}`,
      })).status;
    expect([await status(known), await status(unknown)]).toEqual([200, 401]);
  });

  it("a session ends when it is not used, and when it is too old", async () => {
    const { browser } = replicas.open({
      session: { "idle-timeout": "1 h", "absolute-timeout": "3 h" },
    });
    const idle = browser();
    await idle.post("/login", ada);
    const used = browser();
    await used.post("/login", ada);
    const status = async (one: Browser) =>
      (await one.get(whoami, { accept: "application/json" })).status;
    for (const minutes of [50, 50, 50]) {
      replicas.pass(minutes);
      expect(await status(used)).toBe(200);
    }
    expect(await status(idle)).toBe(401);
    replicas.pass(31);
    expect(await status(used)).toBe(401);
  });

  it("goes back to where somebody came from", async () => {
    const browser = replicas.open().browser();
    const response = await browser.get(`${whoami}?a=1`);
    const login = `/login?return=${encodeURIComponent(`${whoami}?a=1`)}`;
    expect([response.status, response.headers.get("location")]).toEqual([302, login]);
    expect(await (await browser.get(login)).text()).toContain(
      `<input type="hidden" name="return" value="${whoami}?a=1">`,
    );
    const answer = await browser.post("/login", { ...ada, return: `${whoami}?a=1` });
    expect(answer.headers.get("location")).toBe(`${whoami}?a=1`);
  });

  it.each([
    "//evil.example",
    "/\\evil.example",
    "https://evil.example",
    "javascript:alert(1)",
    "/\t/evil",
    "/a/..//evil.example",
    "/.//evil.example",
    "/%2e%2e//evil.example",
  ])(
    "open redirect: does not go to %j after signing in",
    async (target) => {
      const browser = replicas.open().browser();
      const answer = await browser.post("/login", { ...ada, return: target });
      expect(answer.headers.get("location")).toBe("/");
      const page = await (await browser.get(`/login?return=${encodeURIComponent(target)}`)).text();
      expect(page).not.toContain("evil");
    },
  );

  it("header injection: no line break of a client reaches a header", async () => {
    const browser = replicas.open().browser();
    const answer = await browser.post("/login", { ...ada, return: "/a\r\nset-cookie: x=y" });
    expect([answer.headers.get("location"), browser.cookies.has("x")]).toEqual(["/", false]);
  });

  it("CSRF: a page of another site signs nobody in or out", async () => {
    const browser = replicas.open().browser();
    const foreign = { origin: "https://evil.example" };
    expect((await browser.post("/login", ada, foreign)).status).toBe(403);
    await browser.post("/login", ada);
    expect((await browser.post("/logout", {}, foreign)).status).toBe(403);
    expect((await browser.get(whoami)).status).toBe(200);
  });

  it("answers programs with 401 JSON, and sends only browsers that ask for HTML to sign in", async () => {
    const browser = replicas.open().browser();
    const program = await browser.get(whoami, { accept: "application/json" });
    expect(program.status).toBe(401);
    expect(program.headers.get("www-authenticate")).toBe('Bearer realm="Tributary"');
    expect(await program.json()).toMatchObject({ code: "USR001", retryable: false });
    expect((await browser.get(whoami)).headers.get("location")).toMatch(/^\/login\?return=/);
  });

  it("the page needs no script, and escapes what it was given", async () => {
    const page = await replicas.open().browser().get(
      `/login?return=${encodeURIComponent('/"><script>')}`,
    );
    expect(page.headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; style-src 'sha256-/,
    );
    expect(await page.text()).not.toContain("<script");
  });

  it("refuses a form that is too large or none", async () => {
    const browser = replicas.open().browser();
    expect((await browser.post("/login", { username: "x".repeat(20_000), password: "" })).status)
      .toBe(400);
    const json = await browser.send("POST", "/login", "{}", { "content-type": "application/json" });
    expect(json.status).toBe(415);
  });
});
