import { describe, expect, it } from "vitest";
import { flowMs } from "#services/api/access/oauth2/provider.ts";
import { base } from "#services/api/access/oauth2/testing/sign-in-app.ts";
import { twoProviders } from "#services/api/access/oauth2/testing/two-providers.ts";

const { app, one, other, lastAudited } = twoProviders();
const expired = "/login?error=expired";
const rejected = "/login?error=rejected";
const denied = "/login?error=denied";

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

  it("expired state: a sign-in that took too long is refused", async () => {
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
    await one().expire(new URL(late, base).searchParams.get("code")!);
    expect(await browser.sentTo(late)).toBe(rejected);
  });

  it.each(["", "state=", "state=x", `state=${"a".repeat(43)}`, `state=${"x".repeat(9_000)}`])(
    "forged state: %j",
    async (query) => {
      const to = await app().browser().sentTo(`/login/oauth2/code/one?code=x&${query}`);
      expect(to).toBe(expired);
    },
  );

  it("forged state: an answer with two of them is refused", async () => {
    const browser = app().browser();
    const answer = await browser.answerOf("one");
    const state = new URL(answer, base).searchParams.get("state")!;
    expect(await browser.sentTo(`${answer}&state=${state}`)).toBe(expired);
  });

  it("sign-in of somebody else: an answer to a sign-in of another browser signs nobody in", async () => {
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
    wrong.searchParams.set("iss", other().issuer);
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
    one().user = null;
    const service = app();
    const browser = service.browser();
    const answer = await browser.answerOf("one");
    expect(answer).toContain("hunter2");
    expect(await browser.sentTo(answer)).toBe(denied);
    expect(service.lines.join()).not.toContain("hunter2");
    expect((await lastAudited()).subject).toBe("the provider answers access_denied");
    const forgedError = new URL(await browser.begin("one")).searchParams.get("state");
    const path = `/login/oauth2/code/one?state=${forgedError}&iss=${one().issuer}&error=<b>hunter2`;
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
