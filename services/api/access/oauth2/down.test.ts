import { describe, expect, it } from "vitest";
import { unavailable } from "#kit/errors.ts";
import { flowMs, startsPerAddress } from "#services/api/access/oauth2/provider.ts";
import { base, clientOf } from "#services/api/access/oauth2/testing/sign-in-app.ts";
import { twoProviders } from "#services/api/access/oauth2/testing/two-providers.ts";
import { failedAttempts } from "#services/api/access/callers/throttle.ts";
import { answers, startHttpSink } from "#test/support/http/http-sink.ts";
import { startOpenIdProvider } from "#test/support/sign-in/openid-provider.ts";
import { freePort } from "../../../../tools/engines/process.mjs";

const { app, one, other } = twoProviders();

describe("OAUTH2: what does not work", () => {
  it("a provider that is down: 503 with Retry-After, a page for people, and it works when it is up", async () => {
    const port = await freePort();
    const service = app({}, {
      one: clientOf({ issuer: `http://127.0.0.1:${port}` }),
      other: clientOf(other()),
    });
    const browser = service.browser();
    const page = await browser.get("/oauth2/authorization/one?return=/x");
    expect([page.status, page.headers.get("retry-after")]).toEqual([503, "5"]);
    const text = await page.text();
    expect(text).toContain("not possible right now");
    expect(text).toContain('href="/oauth2/authorization/one?return=%2Fx"');
    const program = await browser.get("/oauth2/authorization/one", { accept: "application/json" });
    expect([program.status, program.headers.get("retry-after")]).toEqual([503, "5"]);
    expect(await program.json()).toMatchObject({ code: "SYS002", retryable: true });
    expect(await browser.signIn("other")).toBe("/");
    const late = await startOpenIdProvider({ base, id: "one", port });
    service.pass(5_000);
    try {
      expect(await browser.signIn("one")).toBe("/");
    } finally {
      await late.close();
    }
  });

  it("a provider that went down amid: 503, and where it was discovered it is not asked again", async () => {
    const port = await freePort();
    const short = await startOpenIdProvider({ base, id: "one", port });
    const service = app({}, { one: clientOf(short) });
    const browser = service.browser();
    const answer = await browser.answerOf("one", "/x");
    await browser.signIn("one");
    await short.close();
    const page = await browser.get(answer);
    expect([page.status, page.headers.get("retry-after")]).toEqual([503, "5"]);
    service.pass(2 * 3_600_000);
    expect(await browser.begin("one")).toContain("/auth?");
    const out = (await browser.post("/logout", {})).headers.get("location");
    expect(out).toContain("/session/end");
  });

  it.each([
    ["no JSON", answers.status(200)],
    ["an error", answers.status(500)],
    ["more than it may", answers.hugeBody(200)],
    ["a redirect", answers.status(302, { location: "http://127.0.0.1:1/" })],
    ["nothing whole", answers.reset],
  ])("a provider whose configuration is %s: 503", async (_, answer) => {
    const sink = await startHttpSink(answer);
    try {
      const browser = app({}, { one: clientOf({ issuer: sink.url }) }).browser();
      const page = await browser.get("/oauth2/authorization/one");
      expect(page.status).toBe(503);
      expect(await page.text()).not.toContain("hunter2");
      const requestCount = sink.requests.length;
      expect([...new Set(sink.requests.map(({ path }) => path))])
        .toEqual(["/.well-known/openid-configuration"]);
      expect((await browser.get("/oauth2/authorization/one")).status).toBe(503);
      expect(sink.requests, "it is left alone for a moment").toHaveLength(requestCount);
    } finally {
      await sink.close();
    }
  });

  it("a provider that says that it is another is not taken", async () => {
    const port = new URL(one().issuer).port;
    const issuer = `http://localhost:${port}`;
    const page = await app({}, { one: clientOf({ issuer }) }).browser()
      .get("/oauth2/authorization/one");
    expect(page.status).toBe(503);
  });

  it("the cache is down: 503, and nobody is let in", async () => {
    const { cache } = app();
    const away = () => Promise.reject(unavailable("The cache does not answer"));
    const strict = { ...cache.strict, get: away, set: away, take: away, increment: away };
    const counters = { read: away, increment: away, clear: away, nextTurn: away };
    const owned = { put: away, take: away };
    const browser = app({ cache: { ...cache, strict, counters, owned } }).browser();
    expect((await browser.get("/oauth2/authorization/one")).status).toBe(503);
    expect((await browser.get(`/login/oauth2/code/one?state=${"a".repeat(43)}`)).status).toBe(503);
  });

  it("too many starts of one address: 429 with Retry-After", async () => {
    const service = app();
    for (let i = 0; i < startsPerAddress; i++) {
      await service.cache.counters.increment("oauth2:starts:192.0.2.1", flowMs);
    }
    const page = await service.browser().get("/oauth2/authorization/one");
    expect([page.status, page.headers.get("retry-after")]).toEqual([429, "600"]);
  });

  it("too many failures of one address: 429 with Retry-After", async () => {
    const service = app();
    const browser = service.browser();
    for (let i = 0; i < failedAttempts.perAddress; i++) {
      await browser.sentTo("/login/oauth2/code/one?state=x");
    }
    const page = await browser.get("/login/oauth2/code/one?state=x");
    expect([page.status, page.headers.get("retry-after")]).toEqual([429, "300"]);
    // A page of another site can make such requests: they must keep nobody of that address out.
    expect(await service.browser().signIn("one")).toBe("/");
  });
});
