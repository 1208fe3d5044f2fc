// Takes the pictures of the README from a running Tributary with the demonstration loaded: `npm run pictures`.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { type Browser, chromium } from "playwright-core";
import { findBrowser, howToGetOne } from "#test/support/web/find-browser.ts";
import { root } from "../checks/check.ts";
import { demoClient } from "../demo/client.ts";
import { martTable } from "#platform/demonstration/catalogue/warehouse.ts";

const { values } = parseArgs({
  options: { url: { type: "string", default: "http://127.0.0.1:8080" } },
});
const folder = join(root, "docs", "pictures");

/** Names of pictures, and the path of what is on them; `orders` is the id of a table of the demonstration. */
function pictures(orders: number): [name: string, path: string][] {
  return [
    ["home", "/"],
    ["search", "/search?q=orders"],
    ["entity", `/dataentities/${orders}/overview`],
    ["lineage", `/dataentities/${orders}/lineage`],
    ["alerts", "/alerts"],
    ["operations", "/operations"],
  ];
}

async function take(browser: Browser, theme: "light" | "dark", orders: number): Promise<void> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    colorScheme: theme,
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  for (const [name, path] of pictures(orders)) {
    await page.goto(new URL(path, values.url).href);
    await page.getByRole("main").waitFor();
    await page.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
    // What moves has come to rest, and what is requested late is there.
    await page.waitForTimeout(1_500);
    await page.screenshot({ path: join(folder, `${name}-${theme}.png`) });
    console.log(`${name}-${theme}.png`);
  }
  await context.close();
}

const executablePath = findBrowser();
if (!executablePath) {
  console.error(`No browser: ${howToGetOne}`);
  process.exit(1);
}
mkdirSync(folder, { recursive: true });
const orders = (await demoClient(values.url).find(martTable("fct_orders"))).id;
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
for (const theme of ["light", "dark"] as const) await take(browser, theme, orders);
await browser.close();
