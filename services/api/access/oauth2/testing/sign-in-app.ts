import { memoryCache } from "#cache/memory.ts";
import type { Cache } from "#cache/port.ts";
import { noMetrics } from "#kit/metrics.ts";
import { silentLogger } from "#kit/log.ts";
import { Config } from "#platform/config/schema.ts";
import type { Context } from "#platform/context.ts";
import { openAccess } from "#services/api/access/service.ts";
import { appWith } from "#services/api/access/testing/app.ts";
import { Browser } from "#test/support/sign-in/browser.ts";
import { identityRoutes } from "#services/api/features/identity/routes.ts";
import type { TestDatabase } from "#test/support/engines/database.ts";
import { testContext } from "#test/support/http/api.ts";
import {
  clientId,
  clientSecret,
  type OpenIdProvider,
} from "#test/support/sign-in/openid-provider.ts";
import { ProviderBrowser } from "#test/support/sign-in/provider-browser.ts";

export const base = "http://localhost:8080";

/** The service with these clients, over a clock that tests move. */
export interface SignInApp {
  /** A new browser, with what it holds at the service and at the providers. */
  browser(): Person;
  /** Fields of log lines, as JSON. */
  lines: string[];
  /** Adds to the time, milliseconds. */
  pass(ms: number): void;
  cache: Cache;
  close(): Promise<void>;
}

/** Settings of a client at a provider. */
export function clientOf(provider: Pick<OpenIdProvider, "issuer">, more: object = {}) {
  const known = { "client-id": clientId, "client-secret": clientSecret };
  return { provider: "keycloak", ...known, "issuer-uri": provider.issuer, ...more };
}

/** Starts the service; those with one cache are replicas. */
export function signInApp(
  database: TestDatabase,
  client: object,
  given: { cache?: Cache; base?: string } = {},
): SignInApp {
  let now = Date.now();
  const clock = { now: () => now, sleep: () => Promise.resolve() };
  const lines: string[] = [];
  const keep = (message: string, fields: object = {}) =>
    void lines.push(JSON.stringify({ message, ...fields }));
  const cache = given.cache ?? memoryCache({ metrics: noMetrics, clock });
  const config = Config.parse({
    instance: database.name,
    auth: { type: "OAUTH2", oauth2: { client } },
    cache: { redis: { url: "redis://127.0.0.1:1" } },
  });
  const log: Context["log"] = { ...silentLogger, warn: keep, info: keep, error: keep };
  const baseUrl = () => given.base ?? base;
  const context = testContext(database, { config, cache, clock, baseUrl, log });
  const fetch = appWith(openAccess(context), identityRoutes(context), context);
  return {
    browser: () => new Person(fetch),
    lines,
    pass: (ms) => void (now += ms),
    cache,
    close: () => context.wakeups.close(),
  };
}

/** Somebody with a browser. */
export class Person extends Browser {
  readonly #away = new ProviderBrowser();

  /** Begins at the service; the address of the provider's page. */
  async begin(id: string, returnTo?: string): Promise<string> {
    const query = returnTo === undefined ? "" : `?${new URLSearchParams({ return: returnTo })}`;
    const answer = await this.get(`/oauth2/authorization/${id}${query}`);
    return answer.headers.get("location") ?? `no redirect but ${answer.status}`;
  }

  /** Signs in at the provider; the path with which its answer comes back. */
  async answerOf(id: string, returnTo?: string): Promise<string> {
    const { pathname, search } = await this.#away.leave(await this.begin(id, returnTo));
    return pathname + search;
  }

  /** Signs in; where the service sends the browser then. */
  async signIn(id: string, returnTo?: string): Promise<string | null> {
    return await this.sentTo(await this.answerOf(id, returnTo));
  }

  /** Where the service sends the browser from a path. */
  async sentTo(path: string): Promise<string | null> {
    return (await this.get(path)).headers.get("location");
  }

  /** A page of a provider, with what the browser holds there. */
  atProvider(address: string): Promise<Response> {
    return this.#away.get(new URL(address));
  }

  /** Who the service says that this is; undefined: nobody. */
  async whoami(): Promise<string | undefined> {
    const answer = await this.get("/api/identity/whoami", { accept: "application/json" });
    const text = await answer.text();
    return answer.ok ? JSON.parse(text).identity.username : undefined;
  }
}
