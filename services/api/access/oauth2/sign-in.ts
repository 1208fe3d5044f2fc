import * as openid from "openid-client";
import type { Counters } from "#cache/port.ts";
import { AppError, messageOf, tooManyRequests, unavailable } from "#kit/errors.ts";
import type { Counter } from "#kit/metrics.ts";
import { networkOf } from "#kit/network.ts";
import { type CompleteClient, redirectOf, redirectTemplate } from "#platform/config/oauth2.ts";
import type { Context } from "#platform/context.ts";
import { isBrowser, type PageRequest, redirect } from "#platform/http/pages.ts";
import type { AccessAudit } from "#services/api/access/audit.ts";
import type { AttemptThrottle } from "#services/api/access/callers/throttle.ts";
import { type Flow, Flows, isBegunBy, userFrom } from "#services/api/access/oauth2/exchange.ts";
import {
  flowMs,
  longestAnswer,
  notices,
  Provider,
  ProviderDown,
  SignInFailure,
  startsPerAddress,
} from "#services/api/access/oauth2/provider.ts";
import { cookiesOf, setCookie } from "#services/api/access/sessions/sessions.ts";
import { refusalPage } from "#services/api/access/sign-in/page.ts";
import type { ProviderLink, SessionStarter, SignedIn } from "#services/api/access/sign-in/port.ts";
import { returnPath } from "#services/api/access/sign-in/start.ts";

export interface ProviderSignInDeps {
  clients: readonly CompleteClient[];
  links: readonly ProviderLink[];
  start: SessionStarter;
  throttle: AttemptThrottle;
  audit: AccessAudit;
  /** Sign-ins that failed, by reason. */
  failures: Counter;
}

/** Sends people to their provider and takes them back. */
export class ProviderSignIn {
  readonly #flows: Flows;
  readonly #providers: ReadonlyMap<string, Provider>;

  constructor(private readonly context: Context, private readonly deps: ProviderSignInDeps) {
    const { cache, clock } = context;
    this.#flows = new Flows(cache.owned);
    this.#providers = new Map(deps.clients.map((one) => [one.id, new Provider(one, clock)]));
  }

  /** `GET /oauth2/authorization/{id}`: sends a browser to the provider, bound to it by a cookie. */
  async begin(pageRequest: PageRequest): Promise<Response> {
    const { request, caller } = pageRequest;
    const url = new URL(request.url);
    const returnTo = returnPath(url.searchParams.get("return"));
    const provider = this.#providers.get(lastStep(url));
    if (!provider) return toSignIn("unknown_provider", returnTo);
    try {
      await countStart(this.context.cache.counters, caller.address);
      const configuration = await provider.configuration();
      const { secret: browser, cookie } = storedSecret(request.headers, this.#secure);
      const given = { provider: provider.client.id, returnTo, browser };
      const begun = await this.#flows.begin(networkOf(caller.address ?? ""), given);
      const redirectUri = redirectUriOf(provider.client, this.context.baseUrl());
      const sent = { ...begun, redirectUri };
      const location = await authorizationUrl(configuration, provider.client, sent);
      return sentOn(location, { "set-cookie": cookie });
    } catch (error) {
      return await this.#notNow(error, pageRequest, returnTo);
    }
  }

  /** `GET /login/oauth2/code/{id}`: takes a browser back, and signs its user in. */
  async back(pageRequest: PageRequest): Promise<Response> {
    const { request, caller } = pageRequest;
    const url = new URL(request.url);
    let flow: Flow | undefined;
    try {
      flow = await this.#flowOf(url);
      const user = await this.#userOf(flow, url, request.headers);
      return await this.deps.start.begin(request, user, flow?.returnTo, caller.address);
    } catch (error) {
      try {
        if (!(error instanceof SignInFailure)) throw error;
        await this.#failed(error, lastStep(url), caller.address);
        return toSignIn(error.reason, flow?.returnTo);
      } catch (other) {
        return await this.#notNow(other, pageRequest, flow?.returnTo);
      }
    }
  }

  /** The page on which a user signs out of the provider too; undefined when there is none, or it cannot be known now. */
  async signOutUrl(user: SignedIn): Promise<string | undefined> {
    const provider = this.#providers.get(user.provider);
    if (!provider) return undefined;
    return await signOutPage(provider, user, this.context.baseUrl()).catch((error) => {
      this.context.log.warn("sign-out from the provider is unavailable", {
        provider: user.provider,
        why: messageOf(error),
      });
      return undefined;
    });
  }

  /** The flow that `state` names, which has ended with this. */
  async #flowOf({ search, searchParams }: URL): Promise<Flow | undefined> {
    if (search.length > longestAnswer) return undefined;
    const [state, ...others] = searchParams.getAll("state");
    return others.length === 0 ? await this.#flows.end(state ?? null) : undefined;
  }

  /** Throws a `SignInFailure` for whatever does not fit together. */
  async #userOf(flow: Flow | undefined, url: URL, headers: Headers) {
    if (!flow) throw new SignInFailure("expired", "the state is unknown, used, or too old");
    const provider = this.#providers.get(flow.provider);
    if (!provider || flow.provider !== lastStep(url)) {
      throw new SignInFailure("mixed_up", "the response belongs to a request to another provider");
    }
    if (!isBegunBy(flow, browserSecret(headers, this.#secure))) {
      throw new SignInFailure("other_browser", "another browser began to sign in");
    }
    return await userFrom(provider, flow, {
      redirectUri: redirectUriOf(provider.client, this.context.baseUrl()),
      parameters: url.searchParams,
      state: url.searchParams.get("state")!,
    });
  }

  /**
   * Writes a failed sign-in to the log and the audit log; throws 429 when there are too many. A response that is in
   * order is never counted nor refused: pages of other sites can send a browser here with others.
   */
  async #failed({ reason, message, cause }: SignInFailure, id: string, address?: string) {
    const { throttle, audit, failures } = this.deps;
    await throttle.failedAtProvider(address);
    const provider = this.#providers.has(id) ? id : "";
    failures.inc({ reason });
    const detail = cause === undefined ? {} : { detail: messageOf(cause) };
    this.context.log.warn("sign-in at the identity provider failed", {
      provider,
      reason,
      why: message,
      ...detail,
    });
    await audit.failed({ name: null, provider, address }, message);
  }

  /** 503 or 429: a page for people, an error for programs. Rethrows everything else. */
  async #notNow(error: unknown, { request }: PageRequest, returnTo: string | undefined) {
    const down = error instanceof ProviderDown;
    const reported = down ? unavailable("The identity provider does not answer", 5, error) : error;
    const known = reported instanceof AppError &&
      (reported.status === 429 || reported.status === 503);
    if (!known || !isBrowser(request)) throw reported;
    if (reported.status === 503) this.deps.audit.unavailable(reported);
    const { context: { config }, deps: { links } } = this;
    return await refusalPage(reported, { config, request, mode: { links }, returnTo });
  }

  /** Whether browsers reach this service over TLS. */
  get #secure(): boolean {
    return this.context.baseUrl().startsWith("https:");
  }
}

/** The provider's page on which a user signs out of it, with the way back; undefined when it has none. */
async function signOutPage(
  provider: Provider,
  user: SignedIn,
  baseUrl: string,
): Promise<string | undefined> {
  const { client } = provider;
  const back = `${baseUrl.replace(/\/$/, "")}/login`;
  const given = client["logout-uri"];
  if (!given && !client.openid) return undefined;
  const page = given ?? (await provider.configuration()).serverMetadata().end_session_endpoint;
  if (!page) return undefined;
  const url = new URL(page);
  url.searchParams.set("client_id", client["client-id"]!);
  if (client.logout === "cognito") url.searchParams.set("logout_uri", back);
  else {
    url.searchParams.set("post_logout_redirect_uri", back);
    if (user.idToken) url.searchParams.set("id_token_hint", user.idToken);
  }
  return url.href;
}

const lastStep = ({ pathname }: URL) => pathname.slice(pathname.lastIndexOf("/") + 1);

/** The address of this answer may hold a code. */
const sentOn = (location: string, headers: Record<string, string> = {}) =>
  redirect(location, { "referrer-policy": "no-referrer", ...headers });

function toSignIn(reason: SignInFailure["reason"], returnTo: string | undefined): Response {
  const query = new URLSearchParams({ error: notices[reason] });
  if (returnTo !== undefined) query.set("return", returnTo);
  return sentOn(`/login?${query}`);
}

/** The redirect address given to the provider. */
function redirectUriOf(client: CompleteClient, baseUrl: string): string {
  return redirectOf(client["redirect-uri"] ?? redirectTemplate, baseUrl, client.id);
}

/** The provider's page on which people sign in, with what binds its answer to this flow. */
async function authorizationUrl(
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
async function countStart(counters: Counters, address = "unknown"): Promise<void> {
  const key = `oauth2:starts:${networkOf(address)}`;
  const isOver = await counters.read(key) >= startsPerAddress;
  if (!isOver && await counters.increment(key, flowMs) <= startsPerAddress) return;
  throw tooManyRequests(
    "Too many people of this address begin to sign in; wait some minutes",
    flowMs / 1_000,
  );
}

const secretForm = /^[A-Za-z0-9_-]{43}$/;

/** Over TLS the prefix keeps other hosts of the domain, and connections without TLS, from planting one. */
const cookieName = (secure: boolean) => `${secure ? "__Host-" : ""}tributary_oauth2`;

/** A secret of this browser; undefined when it has none, or several, since one may be planted. */
function browserSecret(headers: Headers, secure: boolean): string | undefined {
  const given = cookiesOf(headers, cookieName(secure));
  return given.length === 1 && secretForm.test(given[0]!) ? given[0] : undefined;
}

/**
 * The secret of a browser, made when it has none, with its `Set-Cookie`. One serves all flows of a browser, so that two
 * of its windows may sign in at once. It comes with links from the provider, hence Lax.
 */
function storedSecret(
  headers: Headers,
  secure: boolean,
): { secret: string; cookie: string } {
  const secret = browserSecret(headers, secure) ?? openid.randomState();
  const options = { secure, maxAgeSeconds: flowMs / 1_000 };
  return { secret, cookie: setCookie(cookieName(secure), secret, options) };
}
