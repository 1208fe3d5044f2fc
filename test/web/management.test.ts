import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { outputOf } from "#test/support/documents.ts";
import { visitAgain } from "#test/support/web/browser.ts";
import { useSite } from "#test/support/web/journeys.ts";

const { site, browser } = useSite();

/** Waits until no dialog is open; messages that leave by themselves are none. */
async function closed(page: Page): Promise<void> {
  const close = page.getByRole("button", { name: "Close", exact: true });
  await page.getByRole("dialog").filter({ has: close }).waitFor({ state: "detached" });
}

it("every section is shown without a fault", async () => {
  const { page, go, problems } = await visitAgain(browser(), site().url);
  await go("/management/sources");
  const sections = page.getByRole("navigation", { name: "Management" }).getByRole("link");
  await expect.poll(() => sections.count()).toBe(14);
  for (const section of await sections.all()) {
    const { pathname } = new URL((await section.getAttribute("href"))!, page.url());
    await section.click();
    await page.waitForURL((url) => url.pathname === pathname);
    await page.getByRole("main").getByRole("heading", { level: 1 }).waitFor();
  }
  expect(await problems()).toEqual([]);
});

it("a source is registered, its token shown once and replaced, and the source deleted", async () => {
  const { page, go, problems } = await visitAgain(browser(), site().url);
  await go("/management/sources");
  await page.getByRole("button", { name: "New data source" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Archive");
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByRole("textbox", { name: "CATRN" }).and(page.locator("[aria-invalid]")).waitFor();
  expect(await problems()).toEqual(["refused: 400 /api/datasources"]);
  await page.getByRole("textbox", { name: "CATRN" }).fill("//postgresql/host/a/databases/b");
  await page.getByRole("button", { name: "Create" }).click();
  const token = page.getByRole("dialog", { name: "Token of Archive" });
  const first = await token.locator("code").first().textContent();
  await token.getByText("Waiting for the first batch…").waitFor();
  expect(await problems()).toEqual([]);
  const curl = await token.getByLabel("Command with this token").textContent();
  expect(curl).toContain(`authorization: Bearer ${first}`);
  expect(await outputOf(curl!)).toMatch(/^HTTP\S* 200/);
  await token.getByText("First batch received: 1 asset from Archive").waitFor();
  await token.getByRole("button", { name: "Done" }).click();
  await closed(page);
  await page.getByRole("button", { name: "New token of Archive" }).click();
  await page.getByRole("button", { name: "Create a new token" }).click();
  expect(await token.locator("code").first().textContent()).not.toBe(first);
  expect(await problems()).toEqual([]);
  await token.getByRole("button", { name: "Done" }).click();
  const { items } = await site().json(
    "/api/dataentities?page=1&size=1&catrn=//postgresql/host/a/databases/b/tables/example",
  ) as { items: { id: number }[] };
  const gone = { status: { status: "DELETED" } };
  await site().send("PUT", `/api/dataentities/${items[0]!.id}/statuses`, gone);
  await page.getByRole("button", { name: "Delete Archive" }).click();
  await page.getByRole("button", { name: "Delete the data source" }).click();
  await closed(page);
  await page.getByRole("button", { name: "Delete Archive" }).waitFor({ state: "detached" });
  expect(await problems()).toEqual([]);
});

it("what is in use is not deleted, and says why", async () => {
  const { page, go, problems } = await visitAgain(browser(), site().url, {
    expected: /^400 \/api\/(namespaces|owners)\/\d+$/,
  });
  await go("/management/namespaces");
  await page.getByRole("button", { name: "Delete Shop" }).click();
  await page.getByRole("button", { name: "Delete the namespace" }).click();
  await page.getByRole("alert").filter({ hasText: "is in use" }).waitFor();
  expect(await problems()).toEqual([]);
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "New namespace" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Attic");
  await page.keyboard.press("Enter");
  await closed(page);
  await page.getByRole("button", { name: "Edit Attic" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Loft");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Delete Loft" }).waitFor();
  expect(await problems()).toEqual([]);
});

it("a policy is made by form and as JSON, a role gets it, and an owner the role", async () => {
  const { page, go, problems } = await visitAgain(browser(), site().url);
  await go("/management/policies");
  await page.getByRole("button", { name: "New policy" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Own things");
  await page.getByRole("checkbox", { name: "Asset: Change tags", exact: true }).check();
  await page.getByText(
    "On data entities where it is the caller's own: change description, change tags.",
  )
    .waitFor();
  expect(await problems()).toEqual([]);
  await page.getByRole("button", { name: "Edit as JSON" }).click();
  const document = page.getByRole("textbox", { name: "Document" });
  const sound = await document.inputValue();
  await document.fill(sound.replace("DATA_ENTITY_TAGS_UPDATE", "TAGS"));
  await page.getByText(/statements\[0\]\.permissions\[1\]: must be one of/).waitFor();
  await document.fill(sound);
  await page.getByRole("button", { name: "Create" }).click();
  await closed(page);

  await page.getByRole("link", { name: "Roles" }).click();
  await page.getByRole("button", { name: "New role" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Keeper");
  await page.getByRole("combobox", { name: "Policies" }).fill("own");
  await page.getByRole("option", { name: "Own things" }).click();
  await page.getByRole("button", { name: "Create" }).click();
  await closed(page);
  await page.getByRole("link", { name: "Owners" }).click();
  await page.getByRole("button", { name: "New owner" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Night shift");
  await page.getByRole("combobox", { name: "Roles" }).fill("keep");
  await page.getByRole("option", { name: "Keeper" }).click();
  await page.getByRole("button", { name: "Create" }).click();
  await closed(page);
  const row = page.getByRole("row", { name: /Night shift/ });
  await row.getByText("Keeper").waitFor();
  await row.getByRole("button", { name: "Bind a user to Night shift" }).click();
  await page.getByRole("textbox", { name: "User name" }).fill("ada");
  await page.getByRole("button", { name: "Bind", exact: true }).click();
  await row.getByText("ada").waitFor();
  await row.getByRole("button", { name: "Unbind the user of Night shift" }).click();
  await page.getByRole("button", { name: "Unbind the user", exact: true }).click();
  await closed(page);
  expect(await problems()).toEqual([]);
  await page.getByRole("link", { name: "Audit" }).click();
  await page.getByRole("cell", { name: "Owner bound" }).waitFor();
  expect(await problems()).toEqual([]);
});

it("a guide fills its snippets in with what is typed", async () => {
  const { page, go, problems } = await visitAgain(browser(), site().url);
  await go("/management/integrations");
  await page.getByRole("link", { name: /^HTTP/ }).click();
  await page.getByRole("textbox", { name: "Name of a table" }).fill("parcels");
  await page.getByText('"name": "parcels"').waitFor();
  expect(await problems()).toEqual([]);
});

it("a guide gets a token of its own filled in, and says when something has come by it", async () => {
  const { page, go, problems } = await visitAgain(browser(), site().url);
  await go("/management/integrations");
  const cards = page.getByRole("main").getByRole("link");
  for (const name of ["ODD collectors", "dbt", "Airflow", "Spark", "Flink", "OpenLineage"]) {
    await cards.filter({ hasText: new RegExp(`^${name}`) }).waitFor();
  }
  await cards.filter({ hasText: /^DataHub/ }).click();
  await page.getByText("Waiting for the first batch from DataHub…").waitFor();
  await page.getByRole("button", { name: "Create a token for DataHub" }).click();
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await closed(page);
  await page.getByText("The token is filled in below.").waitFor();
  const recipe = await page.getByRole("region", { name: "Point a recipe at it" }).locator("pre")
    .textContent();
  expect(recipe).toMatch(/token: "[A-Za-z0-9]{40}"/);
  expect(recipe).toContain(new URL(site().url).port);
  expect(await problems()).toEqual([]);
});

it("where sign-in is off, what people may do says so first", async () => {
  const { page, go } = await visitAgain(browser(), site().url);
  await go("/management/roles");
  await page.getByText("anyone who can reach this server can change anything").waitFor();
  await page.getByRole("link", { name: "Tags", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Tags" }).waitFor();
  expect(await page.getByText("anyone who can reach").count()).toBe(0);
});
