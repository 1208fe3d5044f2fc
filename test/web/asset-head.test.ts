import { beforeAll, expect, it } from "vitest";
import { useSite } from "#test/support/web/journeys.ts";
import { idOf } from "#test/support/web/site.ts";

const { site, journey } = useSite();
let orders: number;
let stock: number;
beforeAll(async () => {
  orders = await idOf(site(), "fct_orders", "/tables/fct_orders");
  stock = await idOf(site(), "fct_stock", "/tables/fct_stock");
});

it("what speaks for an asset stands under its name, as its tabs say it", () =>
  journey(async ({ page, go }) => {
    await go(`/dataentities/${orders}/overview`);
    const strip = page.getByRole("list", { name: "At a glance" });
    await strip.getByRole("link", { name: "3 of 3 tests passed" }).waitFor();
    await strip.getByText("No open alerts").waitFor();
    await strip.getByRole("link", { name: "Teo Okafor" }).waitFor();
    await strip.getByRole("link", { name: "6 consumers" }).waitFor();
    await strip.getByText(/^Changed /).waitFor();
    await strip.getByRole("link", { name: "3 of 3 tests passed" }).click();
    await page.waitForURL("**/tests");
    await page.getByText("of 3 tests succeeded").waitFor();
  }));

it("an asset that is late against its rhythm says so", () =>
  journey(async ({ page, go, problems }) => {
    const freshness = {
      state: "LATE",
      last_updated_at: new Date(Date.now() - 9 * 3_600_000).toISOString(),
      usual_gap_seconds: 10_800,
    };
    const tests = { total: 0, success_total: 0, failed_total: 0 };
    const item = { id: orders, freshness, tests, open_alerts: 0, owners: [] };
    await page.route(
      "**/api/dataentities/health?*",
      (route) => route.fulfill({ json: { items: [item] } }),
    );
    await go(`/dataentities/${orders}/overview`);
    const strip = page.getByRole("list", { name: "At a glance" });
    await strip.getByText(/^Updated 9 hr\. ago, usually every 3 hours$/).waitFor();
    expect(await problems()).toEqual([]);
  }));

it("what speaks against an asset leads to it", () =>
  journey(async ({ page, go }) => {
    await go(`/dataentities/${stock}/overview`);
    const strip = page.getByRole("list", { name: "At a glance" });
    await strip.getByRole("link", { name: "1 of 3 tests failed" }).waitFor();
    await strip.getByRole("link", { name: "1 open alert" }).click();
    await page.waitForURL("**/alerts");
    await page.getByRole("table", { name: "Alerts" }).getByRole("row", {
      name: /Failed data quality test run/,
    })
      .waitFor();
  }));

it("says where an asset is, and nothing where nobody has set anything", () =>
  journey(async ({ page, go }) => {
    await go(`/dataentities/${stock}/overview`);
    const place = page.getByRole("navigation", { name: "Location" });
    await expect.poll(() => place.getByRole("listitem").allInnerTexts())
      .toEqual(["Analytics warehouse", "dwh", "marts", "fct_stock"]);
    await page.getByRole("region", { name: "Owners" }).waitFor();
    expect(await page.getByText("Unassigned").count()).toBe(0);
    await place.getByRole("link", { name: "marts" }).click();
    await page.getByRole("heading", { level: 1, name: "marts" }).waitFor();
  }));

it("the head is at most 160 pixels high, so that the content begins early", () =>
  journey(async ({ page, go }) => {
    await go(`/dataentities/${orders}/overview`);
    await page.getByRole("link", { name: "3 of 3 tests passed" }).waitFor();
    const top = (await page.getByRole("navigation", { name: "Location" }).boundingBox())!.y;
    const content = (await page.locator("#panel").boundingBox())!.y;
    expect(content - top).toBeLessThanOrEqual(160);
  }));

it("a technical name, the views and the last visit are among the details", () =>
  journey(async ({ page, go }) => {
    const named = await site().send("PUT", `/api/dataentities/${stock}/name`, {
      internal_name: "Stock of each day",
    });
    await named.body?.cancel();
    await go(`/dataentities/${stock}/overview`);
    const about = page.getByRole("region", { name: "About" });
    await about.getByText("fct_stock", { exact: true }).waitFor();
    await about.getByRole("button", { name: "Copy the technical name" }).waitFor();
    await about.getByText("Views", { exact: true }).waitFor();
  }));
