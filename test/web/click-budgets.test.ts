import { Buffer } from "node:buffer";
import { beforeAll, expect, it } from "vitest";
import { ingestionBatches } from "#contract/topics.ts";
import { eventually } from "#test/support/eventually.ts";
import { type Visit, visitAgain } from "#test/support/web/browser.ts";
import { countClicks } from "#test/support/web/clicks.ts";
import { useSite } from "#test/support/web/journeys.ts";
import { idOf } from "#test/support/web/site.ts";

// What people come for, each within so many clicks. Faults of accessibility are looked for by the tests of each screen.

const { site, browser } = useSite();
let orders: number;
let stock: number;
beforeAll(async () => {
  orders = await idOf(site(), "fct_orders", "/tables/fct_orders");
  stock = await idOf(site(), "fct_stock", "/tables/fct_stock");
});

/** Walks from a path, and fails beyond the budget. */
async function within(budget: number, from: string, walk: (visit: Visit) => Promise<void>) {
  const opened = await visitAgain(browser(), site().url, { width: 1440, height: 900 });
  const clicks = await countClicks(opened.page);
  await opened.go(from);
  await walk(opened);
  expect(clicks(), "clicks").toBeLessThanOrEqual(budget);
}

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

it("a data source, its token and the command that uses it: 5", () =>
  within(5, "/", async ({ page }) => {
    await page.getByRole("link", { name: "Management" }).click();
    await page.getByRole("button", { name: "New data source" }).click();
    const dialog = page.getByRole("dialog", { name: "New data source" });
    await dialog.getByRole("textbox", { name: "Name" }).fill("Lager");
    await page.keyboard.press("Tab");
    await dialog.getByRole("textbox", { name: "CATRN" }).fill("//postgresql/host/lager");
    await dialog.getByRole("button", { name: "Create" }).click();
    const token = page.getByRole("dialog", { name: "Token of Lager" });
    await token.getByRole("button", { name: "Copy the command" }).click();
    await token.getByText("Waiting for the first batch…").waitFor();
  }));

it("a lookup table from a CSV file: 5", () =>
  within(5, "/", async ({ page }) => {
    await page.getByRole("link", { name: "Lookup tables" }).click();
    await page.getByRole("button", { name: "New table" }).click();
    await page.getByLabel("CSV file").setInputFiles({
      name: "Ports.csv",
      mimeType: "text/csv",
      buffer: Buffer.from("port,depth\nAkureyri,9.5\n"),
    });
    await page.getByRole("table", { name: "Columns" }).waitFor();
    await page.getByRole("combobox", { name: "Namespace" }).fill("Harbours");
    await page.keyboard.press("Tab");
    await page.getByRole("button", { name: "Create", exact: true }).click();
    await page.getByRole("cell", { name: "Akureyri" }).waitFor();
  }));

it("a term of the glossary with links to others: 4", () =>
  within(4, "/", async ({ page }) => {
    await page.getByRole("link", { name: "Glossary" }).click();
    await page.getByRole("button", { name: "New term" }).click();
    const dialog = page.getByRole("dialog", { name: "New term" });
    await dialog.getByRole("textbox", { name: "Name" }).fill("Gross amount");
    await dialog.getByRole("combobox", { name: "Namespace" }).fill("Finance");
    await dialog.getByRole("textbox", { name: "Definition" }).fill(
      "What is paid, before [[Finance:Net amount]] is left.",
    );
    await page.keyboard.press("Control+Enter");
    await page.getByRole("main").getByRole("link", { name: "Net amount" }).first().waitFor();
  }));

it("two versions of a schema are compared: 3", async () => {
  const shop = await idOf(site(), "Orders of the shop", "/sales/tables/orders");
  await within(3, `/dataentities/${shop}/overview`, async ({ page }) => {
    await page.getByRole("link", { name: /^Schema/ }).click();
    await page.getByRole("button", { name: "Compare with" }).click();
    await page.getByRole("button", { name: /^Version 1/ }).click();
    await page.getByRole("treegrid").getByRole("row", { name: /status/ }).first().waitFor();
  });
});

it("dead letters: 1", async () => {
  const poison = { key: "//a", value: new TextEncoder().encode("{not json"), headers: {} };
  await site().events.publish(ingestionBatches, [poison], { timeoutMs: 10_000 });
  await eventually(async () =>
    expect((await site().json("/api/ops/dead-letters") as { items: unknown[] }).items)
      .toHaveLength(1)
  );
  await within(1, "/", async ({ page }) => {
    await page.getByRole("link", { name: "Operations", exact: true }).first().click();
    await page.getByRole("region", { name: "Dead letters" })
      .getByRole("row", { name: /invalid_body/ }).waitFor();
  });
});

it("a policy, and a role that has it: 10", () =>
  within(10, "/", async ({ page }) => {
    await page.getByRole("link", { name: "Management" }).click();
    await page.getByRole("link", { name: "Policies" }).click();
    await page.getByRole("button", { name: "New policy" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "Name" }).fill("Tags of one's own");
    await dialog.getByRole("checkbox", { name: "Asset: Change tags", exact: true }).click();
    await dialog.getByRole("button", { name: "Create" }).click();
    await page.getByRole("link", { name: "Tags of one's own" }).waitFor();
    await page.getByRole("link", { name: "Roles" }).click();
    await page.getByRole("button", { name: "New role" }).click();
    await dialog.getByRole("textbox", { name: "Name" }).fill("Tagger");
    await dialog.getByRole("combobox", { name: "Policies" }).fill("Tags of");
    await page.getByRole("option", { name: "Tags of one's own" }).click();
    await dialog.getByRole("button", { name: "Create" }).click();
    await page.getByRole("row", { name: /Tagger/ }).waitFor();
  }));

it("one's own tokens: 2", () =>
  within(2, "/", async ({ page }) => {
    await page.getByRole("link", { name: "Management" }).click();
    await page.getByRole("link", { name: "My tokens" }).click();
    await page.getByRole("heading", { level: 1, name: "My tokens" }).waitFor();
  }));

it("the audit log: 2", () =>
  within(2, "/", async ({ page }) => {
    await page.getByRole("link", { name: "Management" }).click();
    await page.getByRole("link", { name: "Audit" }).click();
    await page.getByRole("cell", { name: "Owner bound" }).first().waitFor();
  }));
