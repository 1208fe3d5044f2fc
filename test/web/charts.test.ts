import { beforeAll, expect, it } from "vitest";
import { eventually } from "#test/support/eventually.ts";
import { useSite } from "#test/support/web/journeys.ts";
import { idOf } from "#test/support/web/site.ts";

const { site, journey } = useSite();
let stock: number;
let test: number;
beforeAll(async () => {
  stock = await idOf(site(), "fct_stock", "/tables/fct_stock");
  test = await idOf(site(), "fct_stock_is_fresh", "/tests/fct_stock_is_fresh");
});

it("results of tests are drawn by day, and the same numbers are a table by keyboard", () =>
  journey(async ({ page, go }) => {
    const { days } = await site().json(`/api/datasets/${stock}/test_history`) as {
      days: { failed: number; success: number }[];
    };
    const ran = days.find(({ failed }) => failed > 0)!;
    await go(`/dataentities/${stock}/tests`);
    const chart = page.getByRole("figure", { name: "Test results by day" });
    await chart.locator("canvas").waitFor();
    await chart.getByText("Show as table").focus();
    await page.keyboard.press("Enter");
    const row = chart.getByRole("table", { name: "Test results by day" }).getByRole("row").nth(1);
    expect(await row.getByRole("cell").allInnerTexts())
      .toEqual([String(ran.failed), String(ran.success)]);
  }));

it("pointing at a bar says when it was and how much", () =>
  journey(async ({ page, go }) => {
    await go(`/dataentities/${test}/history`);
    const chart = page.getByRole("figure", { name: "Duration of runs" });
    const tooltip = chart.getByText(/(Succeeded|Failed or broken): /);
    // What is above may still move the chart.
    await eventually(async () => {
      await chart.locator(".u-over").hover();
      expect(await tooltip.count()).toBe(1);
    });
  }));

it("new alerts of an asset are drawn by day", () =>
  journey(async ({ page, go }) => {
    await go(`/dataentities/${stock}/alerts`);
    const chart = page.getByRole("figure", { name: /^New alerts by day/ });
    await chart.getByText("Show as table").click();
    await chart.getByRole("cell", { name: "1 alert" }).waitFor();
  }));

it("operations draw what came in; series without any value are left out", () =>
  journey(async ({ page, go }) => {
    await go("/operations");
    await page.getByRole("figure", { name: "Items a minute" }).locator("canvas").waitFor();
    await page.getByRole("figure", { name: "Batches a minute" }).waitFor();
    expect(await page.getByRole("figure", { name: /^Deliveries/ }).count()).toBe(0);
  }));
