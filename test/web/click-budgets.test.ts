import { beforeAll, expect, it } from "vitest";
import { clickBudgets } from "#test/support/web/clicks.ts";
import { useSite } from "#test/support/web/journeys.ts";
import { idOf } from "#test/support/web/site.ts";

// What people come for most often, each within so many clicks. Faults of accessibility are looked for by the tests of each
// screen; what is done seldom is in click-budgets-seldom.test.ts.

const { site, browser } = useSite();
const within = clickBudgets(browser, site);
let orders: number;
let stock: number;
beforeAll(async () => {
  orders = await idOf(site(), "fct_orders", "/tables/fct_orders");
  stock = await idOf(site(), "fct_stock", "/tables/fct_stock");
});

it("the table of churn is found by a part of its name: 2", () =>
  within(2, "/", async ({ page }) => {
    await page.getByRole("button", { name: "Search or jump to…" }).click();
    await page.keyboard.type("churn");
    await page.getByRole("option")
      .filter({ has: page.getByText("mrt_churn_features", { exact: true }) }).click();
    await page.getByRole("heading", { level: 1, name: "mrt_churn_features" }).waitFor();
  }));

it("the owner of a table is there, and asked: 2", async () => {
  const { items: [owner] } = await site().json(
    "/api/owners?page=1&size=1&query=Teo",
  ) as { items: { id: number }[] };
  const user = { owner_id: owner!.id, oidc_username: "teo@harbour.example" };
  expect((await site().send("POST", "/api/owners/mapping", user)).status).toBe(200);
  await within(2, `/dataentities/${orders}/overview`, async ({ page }) => {
    const card = page.getByRole("main").getByRole("region", { name: "Owners", exact: true });
    await card.getByRole("link", { name: "Teo Okafor" }).waitFor();
    expect(await card.getByRole("link", { name: "Ask the owner" }).getAttribute("href"))
      .toMatch(/^mailto:teo@harbour\.example/);
  });
});

it("a column leads to the dashboards that it reaches: 3", () =>
  within(3, `/dataentities/${orders}/overview`, async ({ page }) => {
    await page.getByRole("link", { name: /^Schema/ }).click();
    await page.getByRole("treegrid").getByText("revenue", { exact: true }).click();
    const reached = page.getByRole("list", {
      name: "Dashboards and other consumers that it reaches",
    });
    await reached.getByRole("link", { name: "Board pack" }).waitFor();
  }));

it("the tables that feed a dashboard are drawn at once: 0", async () => {
  const board = await idOf(site(), "Board pack", "/dashboards/board_pack");
  await within(0, `/dataentities/${board}/lineage`, async ({ page }) => {
    await page.locator("[role=application][aria-busy=false]").waitFor();
    await page.getByRole("button", { name: "Show jobs" }).or(
      page.getByText(/^\d+ assets/),
    ).first().waitFor();
  });
});

it("what changed since yesterday: 2", () =>
  within(2, `/dataentities/${orders}/lineage`, async ({ page }) => {
    await page.getByRole("button", { name: "What changed" }).click();
    await page.getByRole("button", { name: "Since yesterday" }).click();
    await page.getByText(/^What changed since|Not in the catalogue at that time/).first().waitFor();
  }));

it("a description, a term, a tag and an owner are added, and the last is undone: 10", () =>
  within(10, `/dataentities/${stock}/overview`, async ({ page }) => {
    const main = page.getByRole("main");
    const card = (name: string) => main.getByRole("region", { name, exact: true });
    const dialog = page.getByRole("dialog");
    await card("Description").getByRole("button", { name: "Add description" }).click();
    await card("Description").getByRole("textbox").fill("Stock by warehouse");
    await page.keyboard.press("Control+Enter");
    await card("Description").getByText("Stock by warehouse").waitFor();
    await card("Terms").getByRole("button", { name: "Link a term" }).click();
    await card("Terms").getByRole("combobox").fill("transit");
    await page.getByRole("option", { name: "Logistics:Time in transit" }).click();
    await card("Terms").getByRole("button", { name: "Link", exact: true }).click();
    await card("Terms").getByRole("button", { name: "Unlink Logistics:Time in transit" }).waitFor();
    await card("Tags").getByRole("button", { name: "Edit the tags" }).click();
    await card("Tags").getByRole("combobox").fill("stock");
    await page.keyboard.press("Enter");
    await card("Tags").getByRole("button", { name: "Save" }).click();
    await card("Tags").getByRole("link", { name: "stock" }).waitFor();
    await card("Owners").getByRole("button", { name: "Add an owner" }).click();
    await dialog.getByRole("combobox", { name: "Owner" }).fill("Warehouse team");
    await page.keyboard.press("Tab");
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    await card("Owners").getByText("Warehouse team").waitFor();
    // The newest message comes first.
    await page.getByRole("button", { name: "Undo", exact: true }).first().click();
    await card("Owners").getByText("Warehouse team").waitFor({ state: "detached" });
  }));

it("an alert is resolved, opened again and silenced: 5", () =>
  within(5, "/alerts", async ({ page }) => {
    await page.getByRole("button", { name: /fct_stock_is_fresh/ }).click();
    const details = page.getByRole("region", { name: /^Alert \d+$/ });
    await details.getByRole("button", { name: "Resolve" }).click();
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await details.getByRole("button", { name: "Resolve" }).waitFor();
    await details.getByRole("link", { name: "Silence", exact: true }).click();
    await page.getByRole("dialog", { name: "New silence" })
      .getByRole("button", { name: "Create silence" }).click();
    await page.getByRole("table", { name: "Silences" }).getByText("fct_stock").waitFor();
  }));
