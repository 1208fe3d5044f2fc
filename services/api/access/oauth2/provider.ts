import * as openid from "openid-client";
import { maxOfOwner, maxOwned } from "#cache/owned.ts";
import type { Clock } from "#kit/clock.ts";
import { messageOf } from "#kit/errors.ts";
import { type Limit, limit } from "#kit/limits.ts";
import type { CompleteClient } from "#platform/config/oauth2.ts";
import { readUpTo } from "#platform/http/outbound.ts";
import type { SignInNotice } from "#services/api/access/sign-in/page.ts";

/** Milliseconds after which the addresses of a provider are read again, and after a failure. */
const knownMs = 3_600_000;
const pauseMs = 2_000;

/** One configured provider. Its addresses are discovered when somebody first signs in, and kept. */
export class Provider {
  #known: { configuration: openid.Configuration; until: number } | undefined;
  #failed: { error: unknown; until: number } | undefined;
  #discovery: Promise<openid.Configuration> | undefined;

  constructor(readonly client: CompleteClient, private readonly clock: Clock) {}

  /**
   * What the client library needs to know. Throws `ProviderDown` while it cannot be discovered; what was known before
   * goes on being used.
   */
  async configuration(): Promise<openid.Configuration> {
    const now = this.clock.now();
    if (this.#known && now < this.#known.until) return this.#known.configuration;
    if (this.#failed && now < this.#failed.until) return this.#otherwise(this.#failed.error);
    this.#discovery ??= this.#ask().finally(() => this.#discovery = undefined);
    try {
      return await this.#discovery;
    } catch (error) {
      return this.#otherwise(error);
    }
  }

  #otherwise(error: unknown): openid.Configuration {
    if (this.#known) return this.#known.configuration;
    throw error;
  }

  async #ask(): Promise<openid.Configuration> {
    try {
      const configuration = await configurationOf(this.client);
      this.#known = { configuration, until: this.clock.now() + knownMs };
      return configuration;
    } catch (error) {
      // Whatever is wrong with the document, the provider cannot be used, and may be fixed there.
      const down = downIn(error) ??
        new ProviderDown("its configuration cannot be discovered", error);
      this.#failed = { error: down, until: this.clock.now() + pauseMs };
      throw down;
    }
  }
}

async function configurationOf(client: CompleteClient): Promise<openid.Configuration> {
  const execute = [
    ...(client.openid ? [openid.enableNonRepudiationChecks] : []),
    ...(isPlain(client) ? [openid.allowInsecureRequests] : []),
  ];
  const issuer = client["issuer-uri"];
  const given = addressesOf(client);
  const whole = given.authorization_endpoint && given.token_endpoint &&
    (client.openid ? given.jwks_uri : given.userinfo_endpoint);
  const id = client["client-id"]!;
  if (issuer && !whole) {
    const options = { [openid.customFetch]: askProvider, timeout: providerTimeout, execute };
    const found = await openid.discovery(new URL(issuer), id, {}, authenticated(client), options);
    if (Object.keys(given).length === 0) return found;
    const { supportsPKCE: _, ...server } = found.serverMetadata();
    return built(client, { ...server, ...given }, execute);
  }
  const named = issuer ?? new URL(client["authorization-uri"]!).origin;
  return built(client, { issuer: named, ...given }, execute);
}

function built(
  client: CompleteClient,
  server: openid.ServerMetadata,
  execute: ((configuration: openid.Configuration) => void)[],
): openid.Configuration {
  const made = new openid.Configuration(server, client["client-id"]!, {}, authenticated(client));
  made[openid.customFetch] = askProvider;
  made.timeout = providerTimeout;
  for (const extend of execute) extend(made);
  return made;
}

/** Addresses that the configuration gives, which go before discovered ones. */
function addressesOf(client: CompleteClient) {
  const given = {
    authorization_endpoint: client["authorization-uri"],
    token_endpoint: client["token-uri"],
    userinfo_endpoint: client["user-info-uri"],
    jwks_uri: client["jwk-set-uri"],
    end_session_endpoint: client["logout-uri"],
  };
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => value ? [[name, value]] : []),
  ) as { [Name in keyof typeof given]?: string };
}

/** Whether the provider is configured without TLS. */
function isPlain(client: CompleteClient): boolean {
  const { token_endpoint, userinfo_endpoint, jwks_uri } = addressesOf(client);
  const endpoints = [client["issuer-uri"], token_endpoint, userinfo_endpoint, jwks_uri];
  return endpoints.some((address) => address?.startsWith("http:"));
}

/** How the client shows its secret: in a header, as clients are usually registered, unless the provider takes none. */
function authenticated(client: CompleteClient): openid.ClientAuth {
  const secret = client["client-secret"];
  if (secret === undefined) return openid.None();
  return (server, ...rest) => {
    const usual = client.openid ? "client_secret_basic" : "client_secret_post";
    const taken = server.token_endpoint_auth_methods_supported ?? [usual];
    const show = taken.includes("client_secret_basic") || !taken.includes("client_secret_post")
      ? openid.ClientSecretBasic(secret)
      : openid.ClientSecretPost(secret);
    show(server, ...rest);
  };
}

/** Seconds that a provider may take for one answer. */
const providerTimeout = 10;
/** Bytes of one answer of a provider. */
const providerBytes = 1_048_576;

/**
 * Sends a request to a provider and reads the complete response, up to a limit; redirects are not followed. Throws
 * `ProviderDown` when it does not answer or says that it cannot.
 */
const askProvider: openid.CustomFetch = async (url, options) => {
  const host = URL.parse(url)?.host ?? "the provider";
  let answer: Response;
  let body: Uint8Array;
  try {
    const signal = options.signal ?? AbortSignal.timeout(providerTimeout * 1_000);
    answer = await fetch(url, { ...options, signal, redirect: "manual" } as RequestInit);
    body = await readUpTo(answer, providerBytes);
  } catch (error) {
    throw new ProviderDown(`${host} does not answer: ${messageOf(error)}`, error);
  }
  const { status, headers } = answer;
  if (status >= 500 || status === 429) throw new ProviderDown(`${host} answers ${status}`);
  const empty = body.length === 0 || [204, 205, 304].includes(status);
  return new Response(empty ? null : body as BodyInit, { status, headers });
};

/** Why nobody was signed in by a provider; each is a label of a metric. */
type FailureReason =
  | "denied"
  | "expired"
  | "other_browser"
  | "mixed_up"
  | "rejected"
  | "not_allowed"
  | "no_name"
  | "unknown_provider";

/** What people read of it. */
export const notices: Record<FailureReason, SignInNotice> = {
  denied: "denied",
  expired: "expired",
  other_browser: "expired",
  mixed_up: "rejected",
  rejected: "rejected",
  not_allowed: "forbidden",
  no_name: "forbidden",
  unknown_provider: "denied",
};

/** Nobody is signed in. The message is for the log and for auditors, and holds no secret. */
export class SignInFailure extends Error {
  constructor(readonly reason: FailureReason, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "SignInFailure";
  }
}

/** A provider cannot be reached, is late, or fails itself. */
export class ProviderDown extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "ProviderDown";
  }
}

/** The failure of a provider in the causes of an error, since the client library wraps what it does not know. */
export function downIn(error: unknown): ProviderDown | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 10; at = at.cause, depth++) {
    if (at instanceof ProviderDown) return at;
    if ("code" in at && at.code === "OAUTH_TIMEOUT") return new ProviderDown(messageOf(at), at);
  }
  return undefined;
}

/** How long somebody may take to sign in at the provider, milliseconds. */
export const flowMs = 600_000;
/** Starts of one address within that time. */
export const startsPerAddress = 1_000;
/** UTF-16 units of the parameters with which the provider sends somebody back. */
export const longestAnswer = 8_192;

/** Maximum number of pages of 100 organizations or teams read from GitHub. */
export const maxPages = 10;
/** UTF-16 units of a user's name. */
export const longestName = 255;
/** UTF-16 units of an ID token that is kept to sign out of the provider. */
export const longestIdToken = 8_000;

const starting = "GET /oauth2/authorization/{id}";
const returning = "GET /login/oauth2/code/{id}";
const answers = "answers of identity providers";

/** Limits on signing in at a provider. */
export const oauth2Limits: Limit[] = [
  limit(starting, `starts of one address in ${flowMs / 60_000} minutes`, startsPerAddress, "429"),
  limit(
    starting,
    "sign-ins in progress of one network, in memory",
    maxOfOwner,
    "the oldest is evicted",
  ),
  limit(
    starting,
    "sign-ins in progress, in memory",
    maxOwned,
    "the oldest of the network with the most is evicted",
  ),
  limit(returning, "parameters, UTF-16 units", longestAnswer, "not signed in"),
  limit(returning, "time since the sign-in began, ms", flowMs, "not signed in"),
  limit(answers, "body, bytes", providerBytes, "503"),
  limit(answers, "organizations or teams, pages of 100", maxPages, "503"),
  limit(answers, "name of the user, UTF-16 units", longestName, "not signed in"),
];
