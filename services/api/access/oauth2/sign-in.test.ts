import { describe, expect, it, onTestFinished } from "vitest";
import type { Cache } from "#cache/port.ts";
import { redisCache } from "#cache/redis.ts";
import { silentLogger } from "#kit/log.ts";
import { noMetrics } from "#kit/metrics.ts";
import { base, clientOf } from "#services/api/access/oauth2/testing/sign-in-app.ts";
import { twoProviders } from "#services/api/access/oauth2/testing/two-providers.ts";
import { distributed, redisUrl } from "#test/support/engines/engines.ts";
import { eventually } from "#test/support/eventually.ts";

const { app, one, database } = twoProviders();

const caches: [string, () => Promise<Cache | undefined>][] = [
  ["memory", () => Promise.resolve(undefined)],
  ...(distributed() ? [["Redis", redis] as [string, () => Promise<Cache>]] : []),
];

async function redis(): Promise<Cache> {
  const prefix = `t_${crypto.randomUUID()}:`;
  const cache = redisCache({ url: redisUrl(), prefix, log: silentLogger, metrics: noMetrics });
  await eventually(() => cache.ping(1_000));
  onTestFinished(() => cache.close());
  return cache;
}

async function audited(type: string) {
  return await database().db.query<
    { actor: string | null; actor_provider: string; subject: string }
  >(
    "SELECT actor, actor_provider, subject FROM audit_event WHERE type = $1 ORDER BY id",
    [type],
  );
}

describe("OAUTH2", () => {
  it("discovers a provider when somebody first signs in, once", async () => {
    one().requests.length = 0;
    const service = app();
    expect(one().requests).toEqual([]);
    for (let i = 0; i < 2; i++) expect(await service.browser().signIn("one")).toBe("/");
    const discovered = one().requests.filter((path) => path.startsWith("/.well-known"));
    expect(discovered).toEqual(["/.well-known/openid-configuration"]);
  });

  it("discovers nothing where all addresses are configured", async () => {
    one().requests.length = 0;
    const addresses = {
      "authorization-uri": `${one().issuer}/auth`,
      "token-uri": `${one().issuer}/token`,
      "jwk-set-uri": `${one().issuer}/jwks`,
      "user-info-uri": `${one().issuer}/me`,
    };
    const browser = app({}, { one: clientOf(one(), addresses) }).browser();
    expect(await browser.signIn("one")).toBe("/");
    expect(await browser.whoami()).toBe("ada");
    expect(one().requests.filter((path) => path.startsWith("/.well-known"))).toEqual([]);
  });

  it("several providers at once: each names its own users", async () => {
    const service = app();
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

  it("PKCE: binds the code to the sign-in that asked for it, by S256", async () => {
    const browser = app().browser();
    const url = new URL(await browser.begin("one"));
    expect(url.searchParams.get("code_challenge_method")).toBe("S256");
    expect(url.searchParams.get("code_challenge")).toMatch(/^[\w-]{43}$/);
    expect(url.searchParams.get("nonce")).toMatch(/^[\w-]{43}$/);
    const without = app({}, { one: clientOf(one(), { pkce: false }) }).browser();
    expect(new URL(await without.begin("one")).searchParams.has("code_challenge")).toBe(false);
  });

  it("goes back to where somebody came from", async () => {
    const browser = app().browser();
    expect(await browser.signIn("one", "/api/search?a=1")).toBe("/api/search?a=1");
  });

  it.each(["//evil.example", "/\\evil.example", "https://evil.example", "/\t/evil", "/\r\nx: y"])(
    "open redirect: does not go to %j",
    async (target) => expect(await app().browser().signIn("one", target)).toBe("/"),
  );

  it.each(caches)(
    "a sign-in begun at one replica can be completed at another, by %s",
    async (_, made) => {
      const cache = await made();
      const first = app(cache ? { cache } : {});
      const second = app({ cache: first.cache });
      const browser = first.browser();
      const answer = await browser.answerOf("one");
      const elsewhere = second.browser();
      for (const [name, value] of browser.cookies) elsewhere.cookies.set(name, value);
      expect(await elsewhere.sentTo(answer)).toBe("/");
      expect(await elsewhere.whoami()).toBe("ada");
    },
  );

  it("binds a sign-in to its browser by a cookie that no script and no other host can touch", async () => {
    const set = async (given: object) =>
      (await app(given).browser().get("/oauth2/authorization/one")).headers.get(
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
    const browser = app().browser();
    const [first, second] = [await browser.answerOf("one"), await browser.answerOf("other")];
    expect(await browser.sentTo(first)).toBe("/");
    expect(await browser.sentTo(second)).toBe("/");
  });

  it("sign-out goes on to the provider, with the ID token, and comes back", async () => {
    const browser = app().browser();
    await browser.signIn("one");
    const out = new URL((await browser.post("/logout", {})).headers.get("location")!);
    expect(out.origin + out.pathname).toBe(`${one().issuer}/session/end`);
    expect(out.searchParams.get("post_logout_redirect_uri")).toBe(`${base}/login`);
    expect(out.searchParams.get("id_token_hint")).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
    const page = await browser.atProvider(out.href);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("<form")]);
    expect(await browser.whoami()).toBeUndefined();
  });

  it("a script that signs out is told where to go on, and where there is nothing to go on to", async () => {
    const browser = app().browser();
    await browser.signIn("one");
    const sent = await browser.call("POST", "/logout");
    expect(sent.status).toBe(200);
    expect(sent.json.location).toMatch(new RegExp(`^${one().issuer}/session/end\\?`));
    expect(browser.cookies.has("SESSION")).toBe(false);
    expect((await browser.call("POST", "/logout")).json).toEqual({ location: null });
  });

  it("sign-out asks Cognito, and a page of the configuration, in their own ways", async () => {
    const page = "https://login.example/out";
    const browser = app({}, { one: clientOf(one(), { "logout-uri": page }) }).browser();
    await browser.signIn("one");
    const out = (await browser.post("/logout", {})).headers.get("location");
    expect(out).toMatch(/^https:\/\/login\.example\/out\?client_id=catalogue&post_logout/);
    const known = { provider: "cognito", "logout-uri": page, "user-name-attribute": "sub" };
    const cognito = app({}, { one: clientOf(one(), known) }).browser();
    await cognito.signIn("one");
    expect((await cognito.post("/logout", {})).headers.get("location"))
      .toBe(`${page}?client_id=catalogue&logout_uri=${encodeURIComponent(`${base}/login`)}`);
  });
});
