import type { Browser, Page } from "playwright-core";
import { expect } from "vitest";
import type { Instance } from "#test/support/engines/instance.ts";
import { type Visit, visitAgain } from "#test/support/web/browser.ts";

type Walk = (visit: Visit) => Promise<void>;

/** Returns a function that opens a path of a site, walks from there, and fails when that takes more clicks than its budget. */
export function clickBudgets(browser: () => Browser, site: () => Instance) {
  return async (budget: number, from: string, walk: Walk): Promise<void> => {
    const opened = await visitAgain(browser(), site().url, { width: 1440, height: 900 });
    const clicks = await countClicks(opened.page);
    await opened.go(from);
    await walk(opened);
    expect(clicks(), "clicks").toBeLessThanOrEqual(budget);
  };
}

/**
 * Counts what somebody presses with a mouse in a page from now on: buttons, links, rows, and one for each choice from a list
 * or of a file. Typing costs nothing. To be called before the page is opened.
 */
export async function countClicks(page: Page): Promise<() => number> {
  let clicks = 0;
  await page.exposeFunction("clicked", () => void clicks++);
  await page.addInitScript(`
    addEventListener("pointerdown", (event) => event.isTrusted && clicked(), true);
    addEventListener("change", ({ target }) => target.matches("select, input[type=file]") && clicked(), true);
  `);
  return () => clicks;
}
