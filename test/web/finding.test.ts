import { expect, it } from "vitest";
import { useSite } from "#test/support/web/journeys.ts";

const { site, journey } = useSite();

it("search: words and filters are in the address, and a preview goes along by keyboard", () =>
  journey(async ({ page, go }) => {
    await go("/search");
    await page.getByRole("searchbox", { name: /Names, columns/ }).fill("orders");
    const found = page.getByRole("table", { name: "Entities found" });
    await found.getByRole("link", { name: "fct_orders", exact: true }).waitFor();
    await page.getByRole("checkbox", { name: /Dataset/ }).click();
    await page.waitForURL(/entity_classes=1/);
    await found.getByRole("link", { name: "build_fct_orders" }).waitFor({ state: "detached" });
    await page.getByRole("heading", { name: "Search" }).click();
    await page.keyboard.press("j");
    await page.getByRole("complementary", { name: "Preview" }).getByRole("link", {
      name: "Lineage",
    }).waitFor();
    await page.reload();
    await page.getByRole("complementary", { name: "Preview" }).waitFor();
    expect(await page.getByRole("searchbox", { name: /Names, columns/ }).inputValue()).toBe(
      "orders",
    );
  }));

it("search: nothing found says what would find more", () =>
  journey(async ({ page, go }) => {
    await go("/search?q=nosuchthingatall");
    await page.getByText("No results for").waitFor();
  }));

it("home: what is wrong comes first, and leads to the alert", () =>
  journey(async ({ page, go }) => {
    await go("/");
    await page.getByRole("table", { name: "Open alerts" }).getByRole("link", { name: /fct_stock/ })
      .click();
    await page.waitForURL("**/alerts");
  }));

it("directory: from a kind of source to what one holds", () =>
  journey(async ({ page, go }) => {
    await go("/directory");
    await page.getByRole("button", { name: /PostgreSQL/ }).click();
    await page.getByRole("link", { name: /Shop database/ }).click();
    await page.getByRole("table", { name: /Entities of Shop database/ }).getByRole("link").first()
      .waitFor();
  }));

it("activity: what somebody does shows without loading the page again", () =>
  journey(async ({ page, go }) => {
    await go("/activity?event=BUSINESS_NAME_UPDATED");
    const { items } = await (await fetch(new URL("/api/dataentities?page=1&size=1", site().url)))
      .json();
    await page.getByRole("status").filter({ hasText: "Live" }).waitFor();
    const named = await site().send("PUT", `/api/dataentities/${items[0].id}/name`, {
      internal_name: "Seen at once",
    });
    await named.body?.cancel();
    await expect.poll(async () => {
      // Within minutes of another renaming it is in one line with that, which opens.
      for (const line of await page.locator("details:not([open]) > summary").all()) {
        await line.click();
      }
      return await page.getByText("Seen at once").count();
    }).toBeGreaterThan(0);
  }));

it("switched off, asking and discussions are not offered", () =>
  journey(async ({ page, go }) => {
    await go("/");
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Glossary" })
      .waitFor();
    expect(await page.getByRole("link", { name: "Ask", exact: true }).count()).toBe(0);
  }));
