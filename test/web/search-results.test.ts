import { expect, it } from "vitest";
import { useSite } from "#test/support/web/journeys.ts";

const { journey } = useSite();

it("the palette finds what is typed inside of names", () =>
  journey(async ({ page, go }) => {
    await go("/");
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search or jump to…" }).fill("churn");
    await page.getByRole("option")
      .filter({ has: page.getByText("mrt_churn_features", { exact: true }) }).click();
    await page.getByRole("heading", { level: 1, name: "mrt_churn_features" }).waitFor();
  }));

it("a result shows where it is, what it is, and why it was found where its name does not say so", () =>
  journey(async ({ page, go, problems }) => {
    await go("/search?q=revenue");
    const found = page.getByRole("table", { name: "Entities found" });
    const row = found.getByRole("row").filter({
      has: page.getByRole("link", { name: "fct_orders", exact: true }),
    });
    await row.getByText("Analytics warehouse › dwh › marts").waitFor();
    await row.getByText("Where Revenue is computed.").waitFor();
    await row.getByText("Columns: revenue").waitFor();
    expect(await row.locator("mark").allInnerTexts()).toEqual(["revenue"]);
    const named = found.getByRole("row").filter({
      has: page.getByRole("link", { name: "mrt_daily_revenue", exact: true }),
    });
    expect(await named.locator("mark").count()).toBe(0);
    expect(await problems()).toEqual([]);
  }));
