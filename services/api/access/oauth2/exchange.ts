import { Buffer } from "node:buffer";
import * as openid from "openid-client";
import { z } from "zod";
import type { OwnedValues } from "#cache/port.ts";
import { digestOf, sameDigest } from "#kit/secret.ts";
import type { CompleteClient } from "#platform/config/oauth2.ts";
import {
  claimAt,
  claimsOf,
  gitHubUser,
  joinedClaims,
  readerWith,
  requestedClaims,
  userOf,
} from "#services/api/access/oauth2/claims.ts";
import {
  downIn,
  flowMs,
  longestIdToken,
  type Provider,
  SignInFailure,
} from "#services/api/access/oauth2/provider.ts";
import { parseStored } from "#services/api/access/sessions/sessions.ts";
import type { SignedIn } from "#services/api/access/sign-in/port.ts";

const Flow = z.object({
  provider: z.string(),
  /** Bound to the ID token. */
  nonce: z.string(),
  /** Bound to the code (PKCE). */
  verifier: z.string(),
  returnTo: z.string().optional(),
  /** SHA-256 of what only the browser that began knows. */
  browser: z.string(),
});
/** Somebody's way to a provider and back. */
export type Flow = z.output<typeof Flow>;

/** What came back from the provider, and where. */
interface AuthorizationResponse {
  /** The redirect address that was given to the provider. */
  redirectUri: string;
  parameters: URLSearchParams;
  state: string;
}

/**
 * Exchanges the code for tokens, verifies them, and returns their user. Throws a `SignInFailure`, or `ProviderDown`.
 */
export async function userFrom(
  provider: Provider,
  flow: Flow,
  returned: AuthorizationResponse,
): Promise<SignedIn> {
  const { client } = provider;
  try {
    const configuration = await provider.configuration();
    const tokens = await tokensFor(configuration, client, flow, returned);
    const { username, admin } = await userBy(configuration, client, tokens);
    const { id_token: idToken = "" } = tokens;
    const tokenFields = idToken !== "" && idToken.length <= longestIdToken ? { idToken } : {};
    return { username, admin, provider: client.id, ...tokenFields };
  } catch (error) {
    throw failureOf(error);
  }
}

type Tokens = Awaited<ReturnType<typeof openid.authorizationCodeGrant>>;

function tokensFor(
  configuration: openid.Configuration,
  client: CompleteClient,
  { nonce, verifier }: Flow,
  { redirectUri, parameters, state }: AuthorizationResponse,
): Promise<Tokens> {
  const url = new URL(redirectUri);
  url.search = parameters.toString();
  // The issuer of a provider of plain OAuth 2 is known only if it is configured; it has a redirect URI of its own.
  if (!client.openid && !client["issuer-uri"]) url.searchParams.delete("iss");
  return openid.authorizationCodeGrant(configuration, url, {
    expectedState: state,
    ...(client.openid ? { expectedNonce: nonce, idTokenExpected: true } : {}),
    ...(client.pkce ? { pkceCodeVerifier: verifier } : {}),
  });
}

async function userBy(configuration: openid.Configuration, client: CompleteClient, tokens: Tokens) {
  const read = readerWith(configuration, tokens.access_token);
  if (client.provider === "github") return await gitHubUser(client, read);
  const { userinfo_endpoint: userinfoEndpoint } = configuration.serverMetadata();
  const idToken = client.openid ? tokens.claims() : undefined;
  if (!idToken) {
    if (!userinfoEndpoint) {
      throw new SignInFailure("rejected", "the provider has no address of user information");
    }
    return userOf(client, claimsOf(await read(new URL(userinfoEndpoint))));
  }
  const lacks = requestedClaims(client).some((name) => claimAt(idToken, name) === undefined);
  const more = lacks && userinfoEndpoint
    ? await openid.fetchUserInfo(configuration, tokens.access_token, idToken.sub)
    : {};
  return userOf(client, joinedClaims(idToken, claimsOf(more)));
}

/** The library's error as a fixed text: the provider's text might be a page, or a secret. */
function failureOf(error: unknown): Error {
  if (error instanceof SignInFailure) return error;
  const down = downIn(error);
  if (down) return down;
  if (error instanceof openid.AuthorizationResponseError) {
    return new SignInFailure("denied", `the provider answers ${worded(error.error)}`);
  }
  const code = error instanceof openid.ResponseBodyError
    ? worded(error.error)
    : error instanceof openid.ClientError
    ? error.code
    : undefined;
  return new SignInFailure("rejected", `its answer is not taken: ${code ?? "no reason"}`, error);
}

/** Codes of OAuth are words; whatever else is there is not repeated. */
const worded = (code: string) => /^[a-z_]{1,60}$/.test(code) ? code : "an error";

/**
 * Ways that have begun, kept where they may end at another replica, and where each network has its share: strangers begin
 * them. Each ends once.
 */
export class Flows {
  constructor(private readonly store: OwnedValues) {}

  /** Begins one for a browser of a network; `state` comes back with it. Throws 503 when it cannot be stored. */
  async begin(
    network: string,
    given: { provider: string; returnTo?: string; browser: string },
  ): Promise<{ state: string; flow: Flow }> {
    const state = openid.randomState();
    const secrets = { nonce: openid.randomState(), verifier: openid.randomPKCECodeVerifier() };
    const flow = { ...given, ...secrets, browser: digest(given.browser) };
    await this.store.put(network, keyOf(state), JSON.stringify(flow), flowMs);
    return { state, flow };
  }

  /** Ends one; undefined when it never began, has ended already, or took too long. Throws 503. */
  async end(state: string | null): Promise<Flow | undefined> {
    if (state === null || !stateForm.test(state)) return undefined;
    const text = await this.store.take(keyOf(state));
    return text === null ? undefined : parseStored(Flow, text);
  }
}

/** What a `state` looks like; anything else is not looked up. */
const stateForm = /^[A-Za-z0-9_-]{43}$/;

const keyOf = (state: string) => `oauth2:flow:${digest(state)}`;

const digest = (text: string) => Buffer.from(digestOf(text)).toString("hex");

/** Whether a flow was begun by the browser that knows `secret`. */
export function isBegunBy(flow: Flow, secret: string | undefined): boolean {
  if (secret === undefined) return false;
  return sameDigest(Buffer.from(flow.browser, "hex"), digestOf(secret));
}
