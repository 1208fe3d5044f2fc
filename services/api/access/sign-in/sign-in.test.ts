import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { memoryCache } from "#cache/memory.ts";
import type { Cache } from "#cache/port.ts";
import { unavailable } from "#kit/errors.ts";
import { noMetrics } from "#kit/metrics.ts";
import { Config } from "#platform/config/schema.ts";
import type { Context } from "#platform/context.ts";
import { accessOf } from "#services/api/access/service.ts";
import { failedAttempts } from "#services/api/access/throttle.ts";
import { appWith, Browser } from "#services/api/access/testing/browser.ts";
import { identityRoutes } from "#services/api/features/identity/routes.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { testContext } from "#test/support/http/api.ts";

const newCache = () => memoryCache({ metrics: noMetrics });
const whoami = "/api/identity/whoami";
const ada = { username: "ada", password: "correct horse" };
const credentials =
  "ada:correct horse,bob:$2b$04$ThvG2P9WrafU/xQZelACiejKiZE/PD5EN7EKATRmmbbW6Yu9Wigpi";

describe("LOGIN_FORM", () => {
  let database: TestDatabase;
  const opened: Context[] = [];
  let now = Date.parse("2026-01-01T00:00:00Z");
  const clock = { now: () => now, sleep: () => Promise.resolve() };

  beforeAll(async () => void (database = await testDatabase()));
  afterAll(async () => {
    for (const { wakeups } of opened) await wakeups.close();
    await database.drop();
  });

  /** One replica of the service; those with one cache share sessions in it. */
  function replica(given: { cache?: Cache; auth?: object; session?: object; base?: string } = {}) {
    const { cache = newCache(), auth = {}, session = {}, base } = given;
    const config = Config.parse({
      instance: database.name,
      auth: { type: "LOGIN_FORM", "login-form-credentials": credentials, ...auth },
      session,
      cache: { redis: { url: "redis://127.0.0.1:1" } },
    });
    const baseUrl = () => base ?? "http://localhost:8080";
    const context = testContext(database, { config, cache, clock, baseUrl });
    opened.push(context);
    const fetch = appWith(accessOf(context), identityRoutes(context), context);
    return { fetch, browser: (address?: string) => new Browser(fetch, address) };
  }

  const audited = async (
    type: string,
  ) => (await database.db.query<{ actor: string; address: string }>(
    "SELECT actor, address FROM audit_event WHERE type = $1 ORDER BY id",
    [type],
  ));

  it("signs in with the form, rotates the session, and signs out", async () => {
    const browser = replica().browser();
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
    const old = replica().browser();
    old.cookies.set("SESSION", first!);
    expect((await old.get(whoami, { accept: "application/json" })).status).toBe(401);
    const out = await browser.post("/logout", {});
    expect([out.status, out.headers.get("location")]).toEqual([302, "/login?logout"]);
    expect(browser.cookies.has("SESSION")).toBe(false);
    expect(await audited("SIGNED_IN")).toContainEqual({ actor: "ada", address: "192.0.2.1" });
    expect(await audited("SIGNED_OUT")).toContainEqual({ actor: "ada", address: "192.0.2.1" });
  });

  it("ends a session on every replica when its browser signs out", async () => {
    const cache = newCache();
    const [one, other] = [replica({ cache }), replica({ cache })];
    const browser = one.browser();
    await browser.post("/login", ada);
    const elsewhere = other.browser();
    elsewhere.cookies.set("SESSION", browser.cookies.get("SESSION")!);
    expect((await elsewhere.get(whoami)).status).toBe(200);
    await browser.post("/logout", {});
    expect((await elsewhere.get(whoami, { accept: "application/json" })).status).toBe(401);
  });

  it("session fixation: an id that came before signing in is worth nothing after it", async () => {
    const { browser } = replica();
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
    const browser = replica({ base: "https://catalogue.example" }).browser();
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
      password: credentials.split("bob:")[1]!,
    }],
  ])("refuses a password: %s", async (_, fields) => {
    const browser = replica().browser();
    const answer = await browser.post("/login", fields as Record<string, string>);
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "/login?error"]);
    expect(browser.cookies.size).toBe(0);
    expect(await (await browser.get("/login?error")).text()).toContain("password is wrong");
  });

  it("takes a password whose hash is configured", async () => {
    const browser = replica().browser();
    const answer = await browser.post("/login", { username: "bob", password: "tr0ub4dor&3" });
    expect(answer.headers.get("location")).toBe("/");
  });

  it("keeps names of failed attempts for auditors, but no text that could be no name", async () => {
    const browser = replica().browser();
    await browser.post("/login", { username: "mallory", password: "x" });
    await browser.post("/login", { username: "<b>\u0000;DROP", password: "x" });
    const failed = await audited("SIGN_IN_FAILED");
    expect(failed.slice(-2).map(({ actor }) => actor)).toEqual(["mallory", null]);
  });

  it("a session ends when it is not used, and when it is too old", async () => {
    const { browser } = replica({ session: { "idle-timeout": "1 h", "absolute-timeout": "3 h" } });
    const idle = browser();
    await idle.post("/login", ada);
    const used = browser();
    await used.post("/login", ada);
    const status = async (one: Browser) =>
      (await one.get(whoami, { accept: "application/json" })).status;
    for (const minutes of [50, 50, 50]) {
      now += minutes * 60_000;
      expect(await status(used)).toBe(200);
    }
    expect(await status(idle)).toBe(401);
    now += 31 * 60_000;
    expect(await status(used)).toBe(401);
  });

  it("brute force: slows down whoever guesses for one user, on all replicas together", async () => {
    const cache = newCache();
    const replicas = [replica({ cache }), replica({ cache })];
    const guess = (i: number) =>
      replicas[i % 2]!.browser(`192.0.2.${i}`).post("/login", { username: "ada", password: "no" });
    for (let i = 0; i < failedAttempts.perUser; i++) expect((await guess(i)).status).toBe(302);
    const throttled = await replicas[0]!.browser("192.0.2.99").post("/login", ada);
    expect([throttled.status, throttled.headers.get("retry-after")]).toEqual([429, "300"]);
    expect(await throttled.text()).toContain("Too many failed attempts");
    expect((await audited("SIGN_IN_THROTTLED")).length).toBeGreaterThan(0);
  });

  it("brute force: slows down an address that tries many users", async () => {
    const { browser } = replica({ auth: { "login-form-credentials": "ada:correct horse" } });
    const attacker = browser("192.0.2.7");
    for (let i = 0; i < failedAttempts.perAddress; i++) {
      await attacker.post("/login", { username: `user${i}`, password: "no" });
    }
    expect((await attacker.post("/login", ada)).status).toBe(429);
    expect((await browser("192.0.2.8").post("/login", ada)).headers.get("location")).toBe("/");
  });

  it("goes back to where somebody came from", async () => {
    const browser = replica().browser();
    const asked = await browser.get(`${whoami}?a=1`);
    const login = `/login?return=${encodeURIComponent(`${whoami}?a=1`)}`;
    expect([asked.status, asked.headers.get("location")]).toEqual([302, login]);
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
  ])(
    "open redirect: does not go to %j after signing in",
    async (target) => {
      const browser = replica().browser();
      const answer = await browser.post("/login", { ...ada, return: target });
      expect(answer.headers.get("location")).toBe("/");
      const page = await (await browser.get(`/login?return=${encodeURIComponent(target)}`)).text();
      expect(page).not.toContain("evil");
    },
  );

  it("header injection: no line break of a client reaches a header", async () => {
    const browser = replica().browser();
    const answer = await browser.post("/login", { ...ada, return: "/a\r\nset-cookie: x=y" });
    expect([answer.headers.get("location"), browser.cookies.has("x")]).toEqual(["/", false]);
  });

  it("CSRF: a page of another site signs nobody in or out", async () => {
    const browser = replica().browser();
    const foreign = { origin: "https://evil.example" };
    expect((await browser.post("/login", ada, foreign)).status).toBe(403);
    await browser.post("/login", ada);
    expect((await browser.post("/logout", {}, foreign)).status).toBe(403);
    expect((await browser.get(whoami)).status).toBe(200);
  });

  it("answers programs with 401 JSON, and sends only browsers that ask for HTML to sign in", async () => {
    const browser = replica().browser();
    const program = await browser.get(whoami, { accept: "application/json" });
    expect(program.status).toBe(401);
    expect(program.headers.get("www-authenticate")).toBe('Bearer realm="Tributary"');
    expect(await program.json()).toMatchObject({ code: "USR001", retryable: false });
    expect((await browser.get(whoami)).headers.get("location")).toMatch(/^\/login\?return=/);
  });

  it("the page needs no script, and escapes what it was given", async () => {
    const page = await replica().browser().get(
      `/login?return=${encodeURIComponent('/"><script>')}`,
    );
    expect(page.headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; style-src 'sha256-/,
    );
    expect(await page.text()).not.toContain("<script");
  });

  it("refuses a form that is too large or none", async () => {
    const browser = replica().browser();
    expect((await browser.post("/login", { username: "x".repeat(20_000), password: "" })).status)
      .toBe(400);
    const json = await browser.send("POST", "/login", "{}", { "content-type": "application/json" });
    expect(json.status).toBe(415);
  });

  it("service key: is somebody, and a wrong one is nobody", async () => {
    const { browser } = replica({ auth: { s2s: { enabled: true, token: "service secret" } } });
    const call = (key: string) =>
      browser().get(whoami, { accept: "application/json", "x-api-key": key });
    expect((await (await call("service secret")).json()).identity.username).toBe("ADMIN");
    for (const wrong of ["service secret ", "x", ""]) {
      expect((await call(wrong === "service secret " ? "service secreT" : wrong)).status).toBe(401);
    }
  });

  it("token guessing: answers 401, then 429, to an address with too many wrong tokens", async () => {
    const { browser } = replica();
    const call = () =>
      browser("192.0.2.9").get(whoami, {
        accept: "application/json",
        authorization: "Bearer nope",
      });
    for (let i = 0; i < failedAttempts.perAddress; i++) expect((await call()).status).toBe(401);
    expect((await call()).status).toBe(429);
  });

  it("store of sessions down: 503 with Retry-After for whoever is signed in, the service key goes on", async () => {
    const cache = newCache();
    const down = { on: false };
    const failing = new Proxy(cache.strict, {
      get: (target, name) => (...given: unknown[]) => {
        if (down.on) return Promise.reject(unavailable("The cache does not answer"));
        return (Reflect.get(target, name) as (...g: unknown[]) => unknown)(...given);
      },
    });
    const auth = { s2s: { enabled: true, token: "service secret" } };
    const browser = replica({ cache: { ...cache, strict: failing }, auth }).browser();
    await browser.post("/login", ada);
    down.on = true;
    const answer = await browser.get(whoami, { accept: "application/json" });
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
    const login = await browser.post("/login", ada);
    expect([login.status, login.headers.get("retry-after")]).toEqual([503, "5"]);
    expect(await login.text()).toContain("not possible right now");
    const key = { accept: "application/json", "x-api-key": "service secret" };
    expect((await browser.get(whoami, key)).status).toBe(200);
  });
});
