import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Instance } from "#test/support/engines/instance.ts";
import { sampled } from "#test/support/size.ts";
import { closePages, sharedBrowser, visit, visitAgain } from "#test/support/web/browser.ts";
import { startSite } from "#test/support/web/site.ts";

let site: Instance;
let browser: Browser;
let orders: number;

beforeAll(async () => {
  site = await startSite();
  browser = await sharedBrowser();
  const found = await site.json("/api/search/suggestions?query=fct_orders") as {
    id: number;
    catrn: string;
  }[];
  orders = found.find(({ catrn }) => catrn.endsWith("/tables/fct_orders"))!.id;
});
afterAll(async () => {
  await closePages(browser);
  await site?.stop();
});

const entity = () => `/dataentities/${orders}/overview`;
const heading = (page: Page) => page.getByRole("heading", { level: 1, name: "fct_orders" });
const description = (page: Page) => page.getByRole("region", { name: "Description", exact: true });
/** Begins to write there, once it is known that one may. */
const pencil = (page: Page) =>
  description(page).getByRole("button", { name: /^(Edit the description|Add description)$/ });
const ofApi = /\/api\/(?!changes)/;

it("a service that is away is told of with a way to try again, and what was read stays", async () => {
  const { page, go, problems } = await visitAgain(browser, site.url);
  await go("/");
  await page.getByRole("button", { name: "Settings" }).waitFor();
  await page.getByText(/assets? in the catalogue/).waitFor();
  await page.route(ofApi, (route) => route.abort());
  await page.getByRole("link", { name: "Glossary" }).first().click();
  await page.getByText("Server unreachable").first().waitFor();
  expect(await problems()).toEqual([]);
  await page.getByRole("link", { name: "Home" }).first().click();
  await page.getByText(/assets? in the catalogue/).waitFor();
  await page.getByRole("link", { name: "Glossary" }).first().click();
  await page.getByText("Server unreachable").first().waitFor();
  await page.unroute(ofApi);
  await page.getByRole("button", { name: "Try again" }).first().click();
  await page.getByRole("link", { name: "Order", exact: true }).first().waitFor();
  expect(await problems()).toEqual([]);
});

it("what was typed survives a save that does not arrive", async () => {
  const { page, go, problems } = await visitAgain(browser, site.url);
  await go(entity());
  await pencil(page).click();
  const box = description(page).getByRole("textbox");
  await box.fill("Not lost on the way");
  await page.route(ofApi, (route) => route.abort());
  await description(page).getByRole("button", { name: "Save" }).click();
  await description(page).getByText("Server unreachable").waitFor();
  expect(await box.inputValue()).toBe("Not lost on the way");
  await page.unroute(ofApi);
  await description(page).getByRole("button", { name: "Save" }).click();
  await box.waitFor({ state: "detached" });
  await description(page).getByText("Not lost on the way").waitFor();
  expect(await problems()).toEqual([]);
});

it("a stream that is lost is said to be, and what happened meanwhile shows when it is back", async () => {
  const expected = /^503 \/api\/changes$/;
  const { page, go, problems } = await visitAgain(browser, site.url, { expected });
  const stream = /\/api\/changes/;
  const refuse = (route: { fulfill: (a: object) => Promise<void> }) =>
    route.fulfill({ status: 503, contentType: "application/json", body: "{}" });
  await page.route(stream, refuse);
  await go(entity());
  await page.getByText("Reconnecting").waitFor();
  await heading(page).waitFor();
  await site.send("PUT", `/api/dataentities/${orders}/description`, {
    internal_description: "Written while nobody listened",
  });
  await page.unroute(stream);
  await page.getByText("Live", { exact: true }).waitFor();
  await description(page).getByText("Written while nobody listened").waitFor();
  expect(await problems()).toEqual([]);
});

it("slow answers: placeholders are shown in their place, and the layout does not shift", async () => {
  const { page, go, problems } = await visitAgain(browser, site.url);
  await page.addInitScript(() => {
    const seen = globalThis as unknown as { jumped: number };
    seen.jumped = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, hadRecentInput } = entry as unknown as {
          value: number;
          hadRecentInput: boolean;
        };
        if (!hadRecentInput) seen.jumped += value;
      }
    }).observe({ type: "layout-shift" as "mark", buffered: true });
  });
  await page.route(ofApi, async (route) => {
    await new Promise((go) => setTimeout(go, 700));
    await route.continue();
  });
  const jumps: Record<string, number> = {};
  for (const path of sampled(["/", "/search?q=orders", entity(), "/terms"], 2)) {
    await go(path);
    await page.locator("[aria-hidden] > div[style*=width]").first().waitFor();
    await page.locator("[aria-hidden] > div[style*=width]").first().waitFor({ state: "detached" });
    await page.getByRole("main").getByRole("link").first().waitFor();
    const jumped = await page.evaluate("globalThis.jumped") as number;
    if (jumped > 0.1) jumps[path] = jumped;
  }
  expect(jumps).toEqual({});
  expect(await problems()).toEqual([]);
});

/** Answers 404 to the script of the glossary, so often. */
async function gone(page: Page, times: number): Promise<void> {
  const scripts = /\/assets\/.*\.js/;
  const ofGlossary = async (url: string) =>
    (await (await fetch(url)).text()).includes("GlossaryScreen");
  let left = times;
  await page.route(scripts, async (route) => {
    const url = route.request().url();
    const isEntry = /\/(?:index|main)-/.test(url);
    if (left > 0 && !isEntry && await ofGlossary(url)) {
      left--;
      return await route.fulfill({ status: 404, body: "" });
    }
    await route.continue();
  });
}

it("a tab that is older than the release loads itself again once, and says so if that is no help", async () => {
  const expected = /^404 \/assets\//;
  for (const times of [1, 99]) {
    const { page, go, problems } = await visit(browser, site.url, { expected });
    let loads = 0;
    page.on("request", (one) => one.isNavigationRequest() && loads++);
    await gone(page, times);
    await go("/");
    await page.getByRole("link", { name: "Glossary" }).first().click();
    if (times === 1) {
      await page.getByRole("link", { name: "Order", exact: true }).first().waitFor();
      // React says of it what the screen says.
      const others = (await problems()).filter((one) => !one.includes("could not be loaded"));
      expect(others).toEqual([]);
    } else {
      await page.getByText("A part of the interface could not be loaded").waitFor();
    }
    // A file that arrives at the second asking needs no loading again.
    expect(loads).toBeLessThanOrEqual(2);
    await page.context().close();
  }
});

it("looking at a link of a screen that is gone takes nothing away that was typed", async () => {
  const expected = /^404 \/assets\//;
  const { page, go } = await visit(browser, site.url, { expected });
  await gone(page, 99);
  await go(entity());
  await pencil(page).click();
  const box = description(page).getByRole("textbox");
  await box.fill("Typed before the upgrade");
  await Promise.all([
    page.waitForResponse((one) => one.status() === 404),
    page.getByRole("link", { name: "Glossary" }).first().hover(),
  ]);
  await expect.poll(() => box.inputValue(), { timeout: 2_000 }).toBe("Typed before the upgrade");
});

it("of two people who describe the same, the second sees what the first wrote", async () => {
  const first = await visit(browser, site.url);
  const second = await visit(browser, site.url);
  const box = ({ page }: typeof first) => description(page).getByRole("textbox");
  for (const [one, text] of [[first, "From the first"], [second, "From the second"]] as const) {
    await one.go(entity());
    await pencil(one.page).click();
    await box(one).fill(text);
  }
  await description(first.page).getByRole("button", { name: "Save" }).click();
  await box(first).waitFor({ state: "detached" });
  await description(second.page).getByRole("button", { name: "Save" }).click();
  await second.page.getByText("Someone else changed it in the meantime").waitFor();
  await description(second.page).getByText("From the first").waitFor();
  expect(await box(second).inputValue()).toBe("From the second");
  expect(await second.problems()).toEqual([]);
  await second.page.getByRole("button", { name: "Overwrite with mine" }).click();
  await box(second).waitFor({ state: "detached" });
  await description(first.page).getByText("From the second").waitFor();
  expect(await first.problems()).toEqual([]);
});
