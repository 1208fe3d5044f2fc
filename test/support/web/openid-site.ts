import { resolve } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, vi } from "vitest";
import { type Instance, startInstance } from "#test/support/engines/instance.ts";
import {
  clientId,
  clientSecret,
  type OpenIdProvider,
  startOpenIdProvider,
} from "#test/support/sign-in/openid-provider.ts";
import {
  closePages,
  sharedBrowser,
  type Visit,
  visit,
  type VisitOptions,
} from "#test/support/web/browser.ts";
import { freePort } from "../../../tools/engines/process.mjs";
import { ensureWebBuilt } from "../../../tools/web/ensure.mjs";

/** People of the provider: `bob` is an administrator. */
export const [ada, bob] = [
  { sub: "1", preferred_username: "ada" },
  { sub: "2", preferred_username: "bob" },
] as const;

/** The menu of whoever is signed in. */
export const person = (page: Page, name: string) =>
  page.getByRole("button", { name: `Signed in as ${name}` });

export async function signOut(page: Page, name: string): Promise<void> {
  await person(page, name).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
}

export interface OpenIdSite {
  site: () => Instance;
  browser: () => Browser;
  /** Where people reach it: to browsers another site than the provider, as it is everywhere. */
  base: () => string;
  provider: () => OpenIdProvider;
  /** A page on which somebody has signed in at the provider, on the way to `path`. */
  asUser: (
    user: typeof ada | typeof bob,
    path: string,
    options?: VisitOptions,
  ) => Promise<Visit>;
}

/** An empty catalogue with sign-in at an OpenID provider, and at another one that is away, for the tests of a `describe`. */
export function useOpenIdSite(): OpenIdSite {
  vi.setConfig({ testTimeout: 120_000 });
  let provider: OpenIdProvider;
  let site: Instance;
  let browser: Browser;
  let base: string;
  beforeAll(async () => {
    if (!ensureWebBuilt(resolve("."))) throw new Error("The web interface could not be built");
    const port: number = await freePort();
    base = `http://localhost:${port}`;
    provider = await startOpenIdProvider({ base, id: "corp" });
    site = await startInstance("embedded", { config: configOf(port, base, provider.issuer) });
    browser = await sharedBrowser();
  });
  afterAll(async () => {
    await closePages(browser);
    await site?.stop();
    await provider?.close();
  });
  return {
    site: () => site,
    browser: () => browser,
    base: () => base,
    provider: () => provider,
    async asUser(user, path, options) {
      provider.user = user;
      const opened = await visit(browser, base, options);
      await opened.go(path);
      await opened.page.getByRole("link", { name: "Continue with Corp account" }).click();
      await person(opened.page, user.preferred_username).waitFor();
      return opened;
    },
  };
}

function configOf(port: number, base: string, issuer: string) {
  const known = { provider: "keycloak", "client-id": clientId, "client-secret": clientSecret };
  const client = {
    corp: {
      ...known,
      "client-name": "Corp account",
      "issuer-uri": issuer,
      "admin-principals": "bob",
    },
    // Nothing listens there.
    partners: { ...known, "client-name": "Partners", "issuer-uri": "http://127.0.0.1:9" },
  };
  return {
    server: { port },
    catalog: { "platform-base-url": base },
    auth: { type: "OAUTH2", "enforce-all-gates": true, oauth2: { client } },
    session: { provider: "INTERNAL_POSTGRESQL" },
  };
}
