import { Buffer } from "node:buffer";
import { expect, it } from "vitest";
import { ingestionBatches } from "#contract/topics.ts";
import { eventually } from "#test/support/eventually.ts";
import { clickBudgets } from "#test/support/web/clicks.ts";
import { useSite } from "#test/support/web/journeys.ts";
import { idOf } from "#test/support/web/site.ts";

// What people do seldom, each within so many clicks.

const { site, browser } = useSite();
const within = clickBudgets(browser, site);

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

it("the audit log: 2", async () => {
  const owners = await site().json("/api/owners?page=1&size=1") as { items: { id: number }[] };
  const user = { owner_id: owners.items[0]!.id, oidc_username: "teo@harbour.example" };
  expect((await site().send("POST", "/api/owners/mapping", user)).status).toBe(200);
  await within(2, "/", async ({ page }) => {
    await page.getByRole("link", { name: "Management" }).click();
    await page.getByRole("link", { name: "Audit" }).click();
    await page.getByRole("cell", { name: "Owner bound" }).first().waitFor();
  });
});
