import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, vi } from "vitest";
import type { EngineSet, Instance, InstanceOptions } from "#test/support/engines/instance.ts";
import {
  closePages,
  sharedBrowser,
  type Visit,
  visitAgain,
  type VisitOptions,
} from "#test/support/web/browser.ts";
import { startSite } from "#test/support/web/site.ts";

export interface Journeys {
  site: () => Instance;
  /** For several pages at once, or a page that is expected to find fault: `visit` opens one. */
  browser: () => Browser;
  /**
   * Opens a page, lets `walk` use it, and expects that nothing went wrong in it: no error in the console, no refusal that
   * was not expected, nothing that axe finds in either theme.
   */
  journey: (walk: (visit: Visit) => Promise<void>, options?: VisitOptions) => Promise<void>;
}

/**
 * A site with the demonstration and a browser for the tests of a file, or of a `describe`; `options` may be a function
 * that starts what the site needs.
 */
export function useSite(
  set: EngineSet = "embedded",
  options: InstanceOptions | (() => Promise<InstanceOptions>) = {},
): Journeys {
  vi.setConfig({ testTimeout: 180_000 });
  let site: Instance;
  let browser: Browser;
  beforeAll(async () => {
    site = await startSite(set, typeof options === "function" ? await options() : options);
    browser = await sharedBrowser();
  });
  afterAll(async () => {
    await closePages(browser);
    await site?.stop();
  });
  return {
    site: () => site,
    browser: () => browser,
    async journey(walk, visiting) {
      const opened = await visitAgain(browser, site.url, visiting);
      await walk(opened);
      expect(await opened.problems()).toEqual([]);
    },
  };
}
