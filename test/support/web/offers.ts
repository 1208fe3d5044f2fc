import type { Page, Request } from "playwright-core";
import { eventually } from "#test/support/eventually.ts";

/**
 * Goes from screen to screen of a page without loading it again; each call answers the names of all controls that a screen
 * shows once all that it asked for is there, with those of the menu that has this name.
 */
export function offersSeen(page: Page): (path: string, menu?: string) => Promise<string[]> {
  const answered = watchRequests(page);
  return async (path, menu) => {
    await page.evaluate(`history.pushState(null, "", ${JSON.stringify(path)});
      dispatchEvent(new PopStateEvent("popstate"));`);
    await answered();
    const offers: string[] = await page.evaluate(namesOfControls);
    const button = page.getByRole("main").getByRole("button", { name: menu ?? "-", exact: true });
    if (menu === undefined || await button.count() === 0) return offers;
    await button.click();
    await page.getByRole("menuitem").first().waitFor();
    const items = await page.getByRole("menuitem").allInnerTexts();
    await page.keyboard.press("Escape");
    await page.getByRole("menuitem").first().waitFor({ state: "detached" });
    return [...offers, ...items.map((item) => item.trim())];
  };
}

/** Streams, and scripts of workers: a worker that is ended before its script has come never has an answer. */
const endless = /\/api\/changes|\.worker-/;

/** Follows what a page asks for; the returned function resolves once all is answered and shown. */
function watchRequests(page: Page): () => Promise<void> {
  const pending = new Set<Request>();
  let last = 0;
  page.on("request", (request) => {
    last = Date.now();
    if (!endless.test(request.url())) pending.add(request);
  });
  const ended = (request: Request) => {
    if (pending.delete(request)) last = Date.now();
  };
  page.on("requestfinished", ended);
  page.on("requestfailed", ended);
  // A drawing is laid out by a worker, without any request.
  const unfinished = page.locator("main [class*=_bones], main [aria-busy=true]");
  return () => {
    last = Date.now();
    return eventually(async () => {
      // On a busy machine the screen may not be rendered yet, and it sends its requests when it is.
      await page.evaluate("new Promise((resolve) => requestIdleCallback(resolve))");
      const urls = [...pending].map((request) => request.url());
      if (urls.length > 0) {
        throw new Error(`without an answer on ${page.url()}: ${urls.join(", ")}`);
      }
      // An answer may lead to the next question.
      if (Date.now() - last < 200) throw new Error("something was just answered");
      if (await unfinished.count() > 0) throw new Error(`${page.url()} is not shown yet`);
    });
  };
}

/** Runs in the page. */
const namesOfControls = `(() => {
  const kinds = "button, select, textarea, input:not([type=search])";
  const rooms = [...document.querySelectorAll("main, [role=dialog]")];
  return rooms.flatMap((room) => [...room.querySelectorAll(kinds)]).map((one) =>
    (one.getAttribute("aria-label") ?? one.labels?.[0]?.textContent ?? one.textContent).trim()
  ).filter((name) => name !== "");
})()`;
