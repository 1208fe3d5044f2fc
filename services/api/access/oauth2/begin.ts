import * as openid from "openid-client";
import type { Counters } from "#cache/port.ts";
import { AppError } from "#kit/errors.ts";
import { redirectOf, redirectTemplate } from "#platform/config/oauth2-client.ts";
import type { CompleteClient } from "#platform/config/oauth2-providers.ts";
import type { Flow } from "#services/api/access/oauth2/flows.ts";
import { networkOf } from "#kit/network.ts";
import { flowMs, startsPerAddress } from "#services/api/access/oauth2/limits.ts";

/** The redirect address given to the provider. */
export function redirectUriOf(client: CompleteClient, baseUrl: string): string {
  return redirectOf(client["redirect-uri"] ?? redirectTemplate, baseUrl, client.id);
}

/** The provider's page on which people sign in, with what binds its answer to this flow. */
export async function authorizationUrl(
  configuration: openid.Configuration,
  client: CompleteClient,
  given: { redirectUri: string; state: string; flow: Flow },
): Promise<string> {
  const { redirectUri, state, flow } = given;
  const parameters = new URLSearchParams({
    redirect_uri: redirectUri,
    scope: client.scopes.join(" "),
    state,
  });
  if (client.openid) parameters.set("nonce", flow.nonce);
  if (client.pkce) {
    parameters.set("code_challenge", await openid.calculatePKCECodeChallenge(flow.verifier));
    parameters.set("code_challenge_method", "S256");
  }
  // Google then offers the accounts of that domain; whether it is one is seen when somebody is back.
  const domain = client["allowed-domain"];
  if (client.provider === "google" && domain) parameters.set("hd", domain);
  return openid.buildAuthorizationUrl(configuration, parameters).href;
}

/** Counts the starts of an address, since each is retained for a while. Throws 429 after too many, 503. */
export async function countStart(counters: Counters, address = "unknown"): Promise<void> {
  const key = `oauth2:starts:${networkOf(address)}`;
  const isOver = await counters.read(key) >= startsPerAddress;
  if (!isOver && await counters.increment(key, flowMs) <= startsPerAddress) return;
  throw new AppError("Too many people of this address begin to sign in; wait some minutes", {
    status: 429,
    code: "SYS002",
    retryable: true,
    retryAfter: flowMs / 1_000,
  });
}
