import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { languages } from "#contract/languages.ts";
import { isLongRun, sampled } from "#test/support/size.ts";
import { accessibilityFaults } from "#test/support/web/accessibility.ts";
import type { VisitOptions } from "#test/support/web/browser.ts";
import { overlapping, unreachable } from "#test/support/web/fits.ts";
import { useSite } from "#test/support/web/journeys.ts";
import { idOf } from "#test/support/web/site.ts";

const { site, journey } = useSite();

it("the language is that of the browser, and changes in the user menu", () =>
  journey(async ({ page, go }) => {
    await page.setExtraHTTPHeaders({ "accept-language": "de-AT,de;q=0.9,en;q=0.5" });
    await go("/alerts");
    expect(await page.locator("html").getAttribute("lang")).toBe("de");
    await page.getByRole("link", { name: "Warnungen" }).first().waitFor();
    await page.getByRole("button", { name: "Einstellungen" }).click();
    await page.getByRole("menuitem", { name: "Sprache" }).click();
    await page.getByRole("menuitem", { name: "日本語" }).click();
    await page.locator("html[lang=ja]").waitFor();
    await page.getByRole("link", { name: "アラート" }).first().waitFor();
  }));

it.each(languages)(
  "in %s the screens have a document, texts and no key instead of one",
  (tag) =>
    journey(async ({ page, go }) => {
      await page.setExtraHTTPHeaders({ "accept-language": tag });
      const keys = /\b(app|kit|components|home|alerts|lineage|entity|management)\.[a-z]\w+/;
      const all = ["/", "/search", "/lineage", "/alerts", "/management/sources", "/quality"];
      for (const path of sampled(all, 6)) {
        await go(path);
        await page.getByRole("heading", { level: 1 }).first().waitFor();
        expect(await page.locator("html").getAttribute("lang")).toBe(tag);
        expect(await page.locator("body").innerText()).not.toMatch(keys);
      }
    }),
);

/** Screens with much text, of the asset with this id. */
const screensOf = (id: number) => [
  `/dataentities/${id}`,
  "/",
  `/dataentities/${id}/structure`,
  "/alerts?status=any",
  `/dataentities/${id}/lineage`,
  "/quality",
  "/management/policies",
  "/operations",
  "/search?q=orders",
  "/terms",
];

// A walk over screens: for the nights.
if (isLongRun) {
  describe.each(["de", "ja"])("in %s", (tag) => {
    const walk = (check: (page: Page, path: string) => Promise<void>, size?: VisitOptions) =>
      journey(async ({ page, go }) => {
        await page.setExtraHTTPHeaders({ "accept-language": tag });
        for (const path of screensOf(await idOf(site(), "fct_orders", "/tables/fct_orders"))) {
          await go(path);
          await page.getByRole("heading", { level: 1 }).first().waitFor();
          await check(page, path);
        }
      }, size);

    it.each([
      ["a desk", { width: 1280, height: 800 }],
      ["a phone", { width: 390, height: 844, touch: true }],
    ])(
      "nothing is cut, overlaps or is out of reach on %s",
      (_, size) =>
        walk(async (page, path) => {
          await expect.poll(() => page.locator('main [class*="bones"]').count()).toBe(0);
          expect([path, await overlapping(page)]).toEqual([path, []]);
          expect([path, await unreachable(page)]).toEqual([path, []]);
        }, size),
    );

    it("axe finds nothing", () =>
      walk(async (page, path) =>
        expect([path, await accessibilityFaults(page, true)]).toEqual([path, []])
      ));
  });
}

it("the document names its language, and what it differs by", async () => {
  const headers = { accept: "text/html", "accept-language": "fr" };
  const answer = await fetch(site().url, { headers });
  expect(answer.headers.get("vary")).toMatch(/accept-language, cookie/i);
  const text = await answer.text();
  expect(text).toContain('<html lang="fr">');
  expect(text).toMatch(/modulepreload" href="\.\/assets\/messages-fr-first-[\w-]+\.js"/);
});
