import { expect, it } from "vitest";
import { languages } from "#contract/languages.ts";
import { useSite } from "#test/support/web/journeys.ts";

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
      for (
        const path of ["/", "/search", "/lineage", "/alerts", "/management/sources", "/quality"]
      ) {
        await go(path);
        await page.getByRole("heading", { level: 1 }).first().waitFor();
        expect(await page.locator("html").getAttribute("lang")).toBe(tag);
        expect(await page.locator("body").innerText()).not.toMatch(keys);
      }
    }),
);

it("the document names its language, and what it differs by", async () => {
  const headers = { accept: "text/html", "accept-language": "fr" };
  const answer = await fetch(site().url, { headers });
  expect(answer.headers.get("vary")).toMatch(/accept-language, cookie/i);
  const text = await answer.text();
  expect(text).toContain('<html lang="fr">');
  expect(text).toMatch(/modulepreload" href="\.\/assets\/messages-fr-first-[\w-]+\.js"/);
});
