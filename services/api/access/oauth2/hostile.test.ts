import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { unavailable } from "#kit/errors.ts";
import { flowMs, startsPerAddress } from "#services/api/access/oauth2/limits.ts";
import {
  base,
  clientOf,
  type SignInApp,
  signInApp,
} from "#services/api/access/oauth2/testing/sign-in-app.ts";
import {
  altered,
  forged,
  resigned,
  signedBySecret,
  unsigned,
} from "#services/api/access/oauth2/testing/tampering.ts";
import { failedAttempts } from "#services/api/access/throttle.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { answers, startHttpSink } from "#test/support/http/http-sink.ts";
import {
  clientSecret,
  type OpenIdProvider,
  startOpenIdProvider,
} from "#test/support/sign-in/openid-provider.ts";
import { freePort } from "../../../../tools/engines/process.mjs";

let database: TestDatabase;
let one: OpenIdProvider;
let other: OpenIdProvider;
const opened: SignInApp[] = [];

beforeAll(async () => {
  database = await testDatabase();
  one = await startOpenIdProvider({ base, id: "one", inIdToken: true });
  other = await startOpenIdProvider({ base, id: "other", inIdToken: true });
}, 60_000);
beforeEach(() => {
  one.user = { sub: "1", preferred_username: "ada" };
  one.tamper = undefined;
});
afterEach(async () => {
  for (const app of opened.splice(0)) await app.close();
});
afterAll(async () => {
  await Promise.all([one.close(), other.close()]);
  await database.drop();
});

function app(given: Parameters<typeof signInApp>[2] = {}, client?: object): SignInApp {
  const known = { one: clientOf(one), other: clientOf(other) };
  const made = signInApp(database, client ?? known, given);
  opened.push(made);
  return made;
}

const expired = "/login?error=expired";
const rejected = "/login?error=rejected";
const denied = "/login?error=denied";

async function lastAudited() {
  const [event] = await database.db.query<Record<string, string>>(
    "SELECT type, actor_provider, address, subject FROM audit_event ORDER BY id DESC LIMIT 1",
  );
  return event!;
}

describe("OAUTH2: answers that are not taken", () => {
  it("replayed code and state: an answer is good once, and auditors hear of the second", async () => {
    const service = app();
    const browser = service.browser();
    const answer = await browser.answerOf("one");
    expect(await browser.sentTo(answer)).toBe("/");
    expect(await browser.sentTo(answer)).toBe(expired);
    expect(await lastAudited()).toEqual({
      type: "SIGN_IN_FAILED",
      actor_provider: "one",
      address: "192.0.2.1",
      subject: "the state is unknown, used, or too old",
    });
  });

  it("replayed at once: of many tries one is signed in", async () => {
    const service = app();
    const browser = service.browser();
    const answer = await browser.answerOf("one");
    const sent = await Promise.all(Array.from({ length: 8 }, () => browser.sentTo(answer)));
    expect(sent.filter((to) => to === "/")).toHaveLength(1);
    expect(sent.filter((to) => to === expired)).toHaveLength(7);
  });

  it("expired state: a way that took too long leads nowhere", async () => {
    const service = app();
    const browser = service.browser();
    const answer = await browser.answerOf("one");
    service.pass(flowMs);
    expect(await browser.sentTo(answer)).toBe(expired);
    expect(await browser.whoami()).toBeUndefined();
  });

  it("replayed or expired code: one that the provider does not know any more", async () => {
    const service = app();
    const browser = service.browser();
    const used = await browser.answerOf("one");
    const code = new URL(used, base).searchParams.get("code")!;
    await browser.sentTo(used);
    for (const old of [code, "x", ""]) {
      const fresh = new URL(await browser.answerOf("one"), base);
      fresh.searchParams.set("code", old);
      expect(await browser.sentTo(fresh.pathname + fresh.search), old).toBe(rejected);
    }
    const late = await browser.answerOf("one");
    await one.expire(new URL(late, base).searchParams.get("code")!);
    expect(await browser.sentTo(late)).toBe(rejected);
  });

  it.each(["", "state=", "state=x", `state=${"a".repeat(43)}`, `state=${"x".repeat(9_000)}`])(
    "forged state: %j",
    async (query) => {
      const to = await app().browser().sentTo(`/login/oauth2/code/one?code=x&${query}`);
      expect(to).toBe(expired);
    },
  );

  it("forged state: two of them are none", async () => {
    const browser = app().browser();
    const answer = await browser.answerOf("one");
    const state = new URL(answer, base).searchParams.get("state")!;
    expect(await browser.sentTo(`${answer}&state=${state}`)).toBe(expired);
  });

  it("sign-in of somebody else: an answer to what another browser began is nobody's", async () => {
    const service = app();
    const [attacker, victim] = [service.browser(), service.browser()];
    const answer = await attacker.answerOf("one");
    await victim.begin("one");
    expect(await victim.sentTo(answer)).toBe(expired);
    expect(await service.browser().sentTo(await attacker.answerOf("one"))).toBe(expired);
    expect(await victim.whoami()).toBeUndefined();
  });

  it("planted cookie: of two secrets of a browser none counts", async () => {
    const service = app();
    const browser = service.browser();
    const answer = await browser.answerOf("one");
    const [name, secret] = [...browser.cookies].find(([key]) => key.includes("oauth2"))!;
    const cookie = `${name}=${"A".repeat(43)}; ${name}=${secret}`;
    browser.cookies.clear();
    const { headers } = await browser.get(answer, { cookie });
    expect(headers.get("location")).toBe(expired);
  });

  it("mix-up: an answer of one provider is not taken for one of the other", async () => {
    const service = app();
    const browser = service.browser();
    const answer = await browser.answerOf("one");
    expect(await browser.sentTo(answer.replace("/code/one", "/code/other"))).toBe(rejected);
    expect(await browser.sentTo(answer)).toBe(expired);
  });

  it("mix-up: the issuer of the answer must be the provider that was asked (RFC 9207)", async () => {
    const browser = app().browser();
    const wrong = new URL(await browser.answerOf("one"), base);
    wrong.searchParams.set("iss", other.issuer);
    expect(await browser.sentTo(wrong.pathname + wrong.search)).toBe(rejected);
    const none = new URL(await browser.answerOf("one"), base);
    none.searchParams.delete("iss");
    expect(await browser.sentTo(none.pathname + none.search)).toBe(rejected);
  });

  it("PKCE: a code that somebody else was given is not exchanged", async () => {
    const service = app();
    const [attacker, victim] = [service.browser(), service.browser()];
    const stolen = new URL(await victim.answerOf("one"), base).searchParams.get("code")!;
    const own = new URL(await attacker.answerOf("one"), base);
    own.searchParams.set("code", stolen);
    expect(await attacker.sentTo(own.pathname + own.search)).toBe(rejected);
    expect(await attacker.whoami()).toBeUndefined();
  });

  it("a provider's refusal, whose words are not repeated", async () => {
    one.user = null;
    const service = app();
    const browser = service.browser();
    const answer = await browser.answerOf("one");
    expect(answer).toContain("hunter2");
    expect(await browser.sentTo(answer)).toBe(denied);
    expect(service.lines.join()).not.toContain("hunter2");
    expect((await lastAudited()).subject).toBe("the provider answers access_denied");
    const forgedError = new URL(await browser.begin("one")).searchParams.get("state");
    const path = `/login/oauth2/code/one?state=${forgedError}&iss=${one.issuer}&error=<b>hunter2`;
    expect(await browser.sentTo(path)).toBe(denied);
    expect((await lastAudited()).subject).toBe("the provider answers an error");
    expect(await (await browser.get(denied)).text()).toContain("did not sign you in");
  });

  it("a provider that is not configured", async () => {
    const browser = app().browser();
    expect(await browser.begin("constructor")).toBe(denied);
    expect(await browser.sentTo("/login/oauth2/code/nobody?state=x&code=x")).toBe(expired);
  });
});

describe("OAUTH2: ID tokens that are not taken", () => {
  const hour = 3_600;
  const now = () => Math.floor(Date.now() / 1_000);
  const boss = { preferred_username: "boss", sub: "9" };
  const second = { kid: "second" };
  it.each<[string, () => (token: string) => string]>([
    ["alg:none", () => unsigned(boss)],
    ["forged with another key", () => forged(boss)],
    ["forged with an unknown key", () => resigned(other.key, boss, second)],
    ["signed by the client's secret", () => signedBySecret(clientSecret, boss)],
    ["signed by the public key as a secret", () => signedBySecret(publicKey(), boss)],
    ["altered under its signature", () => altered(boss)],
    ["expired", () => resigned(one.key, { exp: now() - hour, iat: now() - 2 * hour })],
    ["of another audience", () => resigned(one.key, { aud: "another" })],
    [
      "of another party among its audience",
      () => resigned(one.key, { aud: ["catalogue", "another"], azp: "another" }),
    ],
    ["of another issuer", () => resigned(one.key, { iss: other.issuer })],
    ["of another sign-in (nonce)", () => resigned(one.key, { nonce: "n" })],
    ["without a nonce", () => resigned(one.key, { nonce: undefined })],
    ["without a subject", () => resigned(one.key, { sub: undefined })],
    ["that is none", () => () => "hunter2"],
    ["that is missing", () => () => ""],
  ])("%s", async (_, tamper) => {
    const service = app();
    const browser = service.browser();
    const answer = await browser.answerOf("one");
    one.tamper = tamper();
    expect(await browser.sentTo(answer)).toBe(rejected);
    expect(await browser.whoami()).toBeUndefined();
    expect((await lastAudited()).subject).toMatch(/^its answer is not taken: OAUTH_/);
    expect(service.lines.join()).not.toMatch(/hunter2|eyJ/);
  });

  it("the means of these tests are good: one that the provider itself would sign is taken", async () => {
    const browser = app().browser();
    const answer = await browser.answerOf("one");
    one.tamper = resigned(one.key, { preferred_username: "grace" });
    expect(await browser.sentTo(answer)).toBe("/");
    expect(await browser.whoami()).toBe("grace");
  });

  const publicKey = () => JSON.stringify(one.key.export({ format: "jwk" }).n);
});

describe("OAUTH2: what does not work", () => {
  it("a provider that is down: 503 with Retry-After, a page for people, and it works when it is up", async () => {
    const port = await freePort();
    const service = app({}, {
      one: clientOf({ issuer: `http://127.0.0.1:${port}` }),
      other: clientOf(other),
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
      const asked = sink.requests.length;
      expect([...new Set(sink.requests.map(({ path }) => path))])
        .toEqual(["/.well-known/openid-configuration"]);
      expect((await browser.get("/oauth2/authorization/one")).status).toBe(503);
      expect(sink.requests, "it is left alone for a moment").toHaveLength(asked);
    } finally {
      await sink.close();
    }
  });

  it("a provider that says that it is another is not taken", async () => {
    const port = new URL(one.issuer).port;
    const issuer = `http://localhost:${port}`;
    const page = await app({}, { one: clientOf({ issuer }) }).browser()
      .get("/oauth2/authorization/one");
    expect(page.status).toBe(503);
  });

  it("the cache is down: 503, and nobody is let in", async () => {
    const { cache } = app();
    const away = () => Promise.reject(unavailable("The cache does not answer"));
    const strict = { ...cache.strict, get: away, set: away, take: away, increment: away };
    const browser = app({ cache: { ...cache, strict } }).browser();
    expect((await browser.get("/oauth2/authorization/one")).status).toBe(503);
    expect((await browser.get(`/login/oauth2/code/one?state=${"a".repeat(43)}`)).status).toBe(503);
  });

  it("too many starts of one address: 429 with Retry-After", async () => {
    const service = app();
    await service.cache.strict.set("oauth2:starts:192.0.2.1", String(startsPerAddress), flowMs);
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
  });
});
