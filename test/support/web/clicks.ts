import type { Page } from "playwright-core";

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
