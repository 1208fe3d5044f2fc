import { describe, expect, it } from "vitest";
import {
  altered,
  forged,
  resigned,
  signedBySecret,
  unsigned,
} from "#services/api/access/oauth2/testing/tampering.ts";
import { twoProviders } from "#services/api/access/oauth2/testing/two-providers.ts";
import { clientSecret } from "#test/support/sign-in/openid-provider.ts";

const { app, one, other, lastAudited } = twoProviders();
const rejected = "/login?error=rejected";

describe("OAUTH2: ID tokens that are not taken", () => {
  const hour = 3_600;
  const now = () => Math.floor(Date.now() / 1_000);
  const boss = { preferred_username: "boss", sub: "9" };
  const second = { kid: "second" };
  it.each<[string, () => (token: string) => string]>([
    ["alg:none", () => unsigned(boss)],
    ["forged with another key", () => forged(boss)],
    ["forged with an unknown key", () => resigned(one().key, boss, second)],
    ["signed by the client's secret", () => signedBySecret(clientSecret, boss)],
    ["signed by the public key as a secret", () => signedBySecret(publicKey(), boss)],
    ["altered under its signature", () => altered(boss)],
    ["expired", () => resigned(other().key, { exp: now() - hour, iat: now() - 2 * hour })],
    ["of another audience", () => resigned(other().key, { aud: "another" })],
    [
      "of another party among its audience",
      () => resigned(other().key, { aud: ["catalogue", "another"], azp: "another" }),
    ],
    ["of another issuer", () => resigned(other().key, { iss: one().issuer })],
    ["of another sign-in (nonce)", () => resigned(other().key, { nonce: "n" })],
    ["without a nonce", () => resigned(other().key, { nonce: undefined })],
    ["without a subject", () => resigned(other().key, { sub: undefined })],
    ["that is none", () => () => "hunter2"],
    ["that is missing", () => () => ""],
  ])("%s", async (_, tamper) => {
    const service = app();
    const browser = service.browser();
    const answer = await browser.answerOf("other");
    other().tamper = tamper();
    expect(await browser.sentTo(answer)).toBe(rejected);
    expect(await browser.whoami()).toBeUndefined();
    expect((await lastAudited()).subject).toMatch(/^its answer is not taken: OAUTH_/);
    expect(service.lines.join()).not.toMatch(/hunter2|eyJ/);
  });

  it("control: an ID token as the provider itself signs it is taken", async () => {
    const browser = app().browser();
    const answer = await browser.answerOf("other");
    other().tamper = resigned(other().key, { preferred_username: "grace" });
    expect(await browser.sentTo(answer)).toBe("/");
    expect(await browser.whoami()).toBe("grace");
  });

  const publicKey = () => JSON.stringify(other().key.export({ format: "jwk" }).n);
});
