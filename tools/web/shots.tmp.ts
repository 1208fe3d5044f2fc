import process from "node:process";
import { chromium } from "playwright-core";
import { findBrowser } from "#test/support/web/find-browser.ts";
import { demoClient } from "../demo/client.ts";
import { martTable } from "#platform/demonstration/catalogue/warehouse.ts";
const [url, out, ...langs] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath: findBrowser()!, args: ["--no-sandbox"] });
const orders = (await demoClient(url!).find(martTable("fct_orders"))).id;
const pages: [string, string][] = [
  ["home", "/"],
  ["search", "/search?q=orders"],
  ["entity", `/dataentities/${orders}/overview`],
  ["structure", `/dataentities/${orders}/structure`],
  ["lineage", `/dataentities/${orders}/lineage`],
  ["alerts", "/alerts?status=any"],
  ["operations", "/operations"],
  ["quality", "/quality"],
  ["policies", "/management/policies"],
  ["activity", "/activity"],
];
for (const lang of langs) {
  for (const [w, h, tag] of [[1280, 800, ""], [390, 844, "-phone"]] as const) {
    const context = await browser.newContext({
      viewport: { width: w, height: h },
      colorScheme: "light",
      reducedMotion: "reduce",
      locale: lang,
    });
    const page = await context.newPage();
    for (const [name, path] of pages) {
      if (tag && !["home", "entity", "alerts", "lineage"].includes(name)) continue;
      await page.goto(new URL(path, url).href);
      await page.getByRole("main").waitFor();
      await page.waitForTimeout(1500);
      await page.screenshot({ path: `${out}/${lang}-${name}${tag}.png` });
    }
    await context.close();
  }
}
await browser.close();
