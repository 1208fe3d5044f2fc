import { Buffer } from "node:buffer";
import { expect, it } from "vitest";
import { visitAgain } from "#test/support/web/browser.ts";
import { useSite } from "#test/support/web/journeys.ts";
import { idOf } from "#test/support/web/site.ts";

const { site, browser } = useSite();

it("a table is named, described, owned, tagged, and each change can be taken back", async () => {
  const { page, go, problems } = await visitAgain(browser(), site().url);
  await go(`/dataentities/${await idOf(site(), "customers", "/customers/tables/customers")}`);
  await page.waitForURL("**/overview");
  const main = page.getByRole("main");
  const card = (name: string) => main.getByRole("region", { name, exact: true });

  await main.getByRole("button", { name: "Edit the name" }).click();
  await main.getByLabel("Display name").fill("Customers of the shop");
  await page.keyboard.press("Enter");
  await main.getByRole("heading", { level: 1, name: "Customers of the shop" }).waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await main.getByRole("heading", { level: 1, name: "customers", exact: true }).waitFor();

  await card("Description").getByRole("button", {
    name: /^(Edit the description|Add description)$/,
  })
    .click();
  await card("Description").getByRole("textbox").fill(
    "Who buys: an [[Shop:Order]] each at least. <img src=x onerror=alert(1)>[x](javascript:alert(1))",
  );
  await page.keyboard.press("Control+Enter");
  await card("Description").getByRole("link", { name: "Order" }).waitFor();
  await card("Terms").getByRole("link", { name: "Shop:Order" }).waitFor();
  await card("Description").getByText("<img src=x onerror=alert(1)>").waitFor();
  expect(await card("Description").locator("img, a[href^=javascript]").count()).toBe(0);

  await card("Owners").getByRole("button", { name: "Add an owner" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("combobox", { name: "Owner" }).fill("Team Atlas");
  await dialog.getByText("No owner has this name yet").waitFor();
  await dialog.getByRole("combobox", { name: "Responsibility" }).fill("Data steward");
  await page.keyboard.press("Tab");
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await card("Owners").getByText("Team Atlas").waitFor();
  expect(await problems()).toEqual([]);
  await card("Owners").getByRole("button", { name: "Remove Team Atlas" }).click();
  await dialog.getByRole("button", { name: "Remove" }).click();
  await card("Owners").getByText("Team Atlas").waitFor({ state: "detached" });

  await card("Tags").getByRole("button", { name: "Edit the tags" }).click();
  await card("Tags").getByRole("combobox").fill("loyal");
  await page.keyboard.press("Enter");
  await card("Tags").getByRole("button", { name: "Save" }).click();
  await card("Tags").getByRole("link", { name: "loyal" }).waitFor();
  expect(await problems()).toEqual([]);
});

it("metadata, terms, links and files are added, and what is wrong with them stands next to it", async () => {
  const { page, go, problems } = await visitAgain(browser(), site().url);
  await go(`/dataentities/${await idOf(site(), "payments", "/payments/tables/payments")}/overview`);
  const card = (name: string) => page.getByRole("region", { name, exact: true });
  const dialog = page.getByRole("dialog");

  await card("Metadata").getByRole("button", { name: "Add" }).click();
  await dialog.getByRole("combobox", { name: "Name" }).fill("retention days");
  await page.keyboard.press("Tab");
  await dialog.getByLabel("Type").selectOption("INTEGER");
  await dialog.getByLabel("Value").fill("many");
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await dialog.getByText("must be a whole number").waitFor();
  expect(await problems()).toEqual([]);
  await dialog.getByLabel("Value").fill("90");
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await card("Metadata").getByRole("cell", { name: "retention days", exact: true }).waitFor();
  await card("Metadata").getByRole("button", { name: "Remove retention days" }).click();
  await page.getByRole("button", { name: "Undo" }).click();
  await card("Metadata").getByRole("cell", { name: "90", exact: true }).waitFor();

  await card("Links").getByRole("button", { name: "Add" }).click();
  await dialog.getByLabel("Name").fill("Runbook");
  await dialog.getByLabel("Address").fill("javascript:alert(1)");
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await dialog.getByText("must begin with http://").waitFor();
  await dialog.getByLabel("Address").fill("https://wiki.example/payments");
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await card("Links").getByRole("link", { name: "Runbook" }).waitFor();

  await card("Files").getByLabel("Files to upload").setInputFiles({
    name: "sample.csv",
    mimeType: "text/csv",
    buffer: Buffer.alloc(4_500_000, "1,2\n"),
  });
  const file = card("Files").getByRole("link", { name: "sample.csv" });
  await file.waitFor();
  const [download] = await Promise.all([page.waitForEvent("download"), file.click()]);
  expect(download.suggestedFilename()).toBe("sample.csv");
  await card("Files").getByRole("button", { name: "Delete sample.csv" }).click();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await file.waitFor({ state: "detached" });

  await card("Terms").getByRole("button", { name: "Link a term" }).click();
  await card("Terms").getByRole("combobox").fill("Reven");
  await page.getByRole("option", { name: "Finance:Revenue" }).click();
  await card("Terms").getByRole("button", { name: "Link", exact: true }).click();
  await card("Terms").getByRole("button", { name: "Unlink Finance:Revenue" }).waitFor();
  expect(await problems()).toEqual([]);
});

it("a group is made of an entity, lists its members, is changed, deprecated, and restored", async () => {
  const { page, go, problems } = await visitAgain(browser(), site().url);
  await go(`/dataentities/${await idOf(site(), "vouchers", "/sales/tables/vouchers")}/overview`);
  const dialog = page.getByRole("dialog");
  await page.getByRole("button", { name: "New group with this entity" }).click();
  await dialog.getByLabel("Name", { exact: true }).fill("Discounts");
  await dialog.getByRole("button", { name: "Create" }).click();
  await page.getByRole("heading", { level: 1, name: "Discounts" }).waitFor();

  await page.getByRole("link", { name: "Members" }).last().click();
  await page.getByRole("table", { name: "1 member" }).getByRole("link", { name: "vouchers" })
    .waitFor();
  expect(await problems()).toEqual([]);
  await page.getByRole("link", { name: "Lineage of the group" }).click();
  await page.getByRole("application").waitFor();
  await page.goBack();

  const act = async (name: string) => {
    await page.getByRole("button", { name: "Actions" }).click();
    await page.getByRole("menuitem", { name }).click();
  };
  await act("Edit the group");
  await dialog.getByLabel("Name", { exact: true }).fill("Reductions");
  await dialog.getByRole("combobox", { name: "Add a member" }).fill("refunds");
  await page.getByRole("option", { name: /refunds/ }).first().click();
  await dialog.getByText("2 members").waitFor();
  expect(await problems()).toEqual([]);
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByRole("table", { name: "2 members" }).waitFor();

  await act("Change the status");
  await dialog.getByLabel("Status").selectOption("DEPRECATED");
  expect(await problems()).toEqual([]);
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByText("deleted automatically").waitFor();
  await act("Delete");
  await dialog.getByRole("button", { name: "Delete" }).click();
  await page.getByText("This asset is deleted").waitFor();
  expect(await problems()).toEqual([]);
  await act("Restore");
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByText("This asset is deleted").waitFor({ state: "detached" });
});

it("a favorite stays one, a visit is noted once, and tabs keep the frame", async () => {
  const { page, go, problems } = await visitAgain(browser(), site().url);
  const noted: string[] = [];
  page.on("request", (request) => {
    const path = new URL(request.url()).pathname;
    if (/recently-viewed\/DATA_ENTITY/.test(path)) noted.push(path);
  });
  await go(`/dataentities/${await idOf(site(), "fct_orders", "/tables/fct_orders")}/overview`);
  const star = page.getByRole("button", { name: "Favorite" });
  await Promise.all([page.waitForResponse(/\/api\/favorites\/DATA_ENTITY\/\d+$/), star.click()]);
  await page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Activity" })
    .click();
  await page.waitForURL("**/activity");
  await page.goBack();
  await page.waitForURL("**/overview");
  await page.getByRole("region", { name: "Description", exact: true }).waitFor();
  await expect.poll(() => noted).toHaveLength(1);
  await page.reload();
  await page.locator("button[aria-pressed=true]").waitFor();
  expect(await star.getAttribute("aria-pressed")).toBe("true");
  expect(await problems()).toEqual([]);
});

it("an unknown id is explained, and so is one that only others name", async () => {
  const expected = /^404 \/api\/dataentities\/\d+/;
  const { page, go, problems } = await visitAgain(browser(), site().url, { expected });
  await go("/dataentities/987654321/overview");
  await page.getByText("The catalogue has no entity 987654321").waitFor();
  await go("/dataentities/orders/overview");
  await page.getByText("Invalid asset address").waitFor();
  expect(await problems()).toEqual([]);

  const id = await ghost();
  await go(`/dataentities/${id}/overview`);
  await page.getByText("Not ingested").waitFor();
  await page.getByRole("link", { name: "Show references" }).waitFor();
  expect(await problems()).toEqual([]);
});

/** A dataset that a job names and no collector sends; its id. */
async function ghost(): Promise<number> {
  const source = "//postgresql/host/ghosts.example/databases/g";
  const post = (path: string, body: unknown) =>
    fetch(new URL(path, site().url), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  await post("/ingestion/datasources", { items: [{ name: "Ghosts", catrn: source }] });
  const job = {
    catrn: `${source}/jobs/haunt`,
    name: "haunt",
    type: "JOB",
    data_transformer: { inputs: [`${source}/tables/ghost`], outputs: [] },
  };
  const answer = await post("/ingestion/entities", { data_source_catrn: source, items: [job] });
  expect(answer.status).toBe(200);
  const list = await fetch(
    new URL(`/api/dataentities?page=1&size=1&catrn=${encodeURIComponent(job.catrn)}`, site().url),
  );
  const { items } = await list.json() as { items: { source_list: { id: number }[] }[] };
  return items[0]!.source_list[0]!.id;
}
