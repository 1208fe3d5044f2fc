import { Buffer } from "node:buffer";
import { expect, it } from "vitest";
import { visitAgain } from "#test/support/web/browser.ts";
import { useSite } from "#test/support/web/journeys.ts";

const { site, browser } = useSite();

it("a lookup table is made, gets columns and rows, and says what is wrong next to the cell", async () => {
  const expected = /^400 \/api\/referencedata\/table\/\d+\/data/;
  const { page, go, problems } = await visitAgain(browser(), site().url, { expected });
  await go("/lookup-tables");
  await page.getByRole("link", { name: "Carriers by country" }).waitFor();
  expect(await problems()).toEqual([]);
  await page.getByRole("button", { name: "New table" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Cost centres");
  await page.getByRole("combobox", { name: "Namespace" }).fill("Browser");
  await page.keyboard.press("Control+Enter");
  await page.getByText("The table has no columns yet").waitFor();
  await page.getByRole("button", { name: "Add a column" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("centre");
  await page.getByRole("checkbox", { name: "Nullable" }).uncheck();
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByRole("button", { name: "Add a row" }).click();
  const cell = page.getByRole("textbox", { name: "centre" });
  await cell.press("Enter");
  await page.getByRole("alert").getByText("must not be empty").waitFor();
  expect(await problems()).toEqual([]);
  await cell.fill("Harbour");
  await cell.press("Enter");
  await page.getByRole("cell", { name: "Harbour" }).waitFor();
  await page.getByRole("button", { name: "Edit row 1" }).click();
  await cell.fill("Harbour West");
  await cell.press("Enter");
  await page.getByRole("cell", { name: "Harbour West" }).waitFor();
  expect(await problems()).toEqual([]);
});

it("a CSV file is imported whole or not at all, its faults told by line", async () => {
  const expected = /^400 \/api\/referencedata\/table\/\d+\/data\/import/;
  const { page, go, problems } = await visitAgain(browser(), site().url, { expected });
  await go("/lookup-tables?q=carriers");
  await page.getByRole("link", { name: "Carriers by country" }).click();
  await page.getByRole("button", { name: "Import CSV" }).click();
  const choose = (text: string) =>
    page.getByLabel("CSV file").setInputFiles({
      name: "rows.csv",
      mimeType: "text/csv",
      buffer: Buffer.from(text),
    });
  await choose("country,carrier,promised_days\nIS,Post,soon\n");
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await page.getByRole("cell", { name: 'line 2, column "promised_days"' }).waitFor();
  expect(await problems()).toEqual([]);
  await choose("country,carrier,promised_days\nIS,Island post,9\n");
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await page.getByRole("cell", { name: "Island post" }).waitFor();
  const file = page.waitForEvent("download");
  await page.getByRole("link", { name: "CSV", exact: true }).click();
  expect((await file).suggestedFilename()).toMatch(/\.csv$/);
  await page.getByRole("button", { name: /^Delete row/ }).first().click();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByRole("cell", { name: "Island post" }).waitFor({ state: "detached" });
  expect(await problems()).toEqual([]);
});

it("a lookup table is made from a CSV file, by its header and types; its columns are edited in a grid", async () => {
  const expected = /^400 \/api\/referencedata\/table\/\d+\/columns/;
  const { page, go, problems } = await visitAgain(browser(), site().url, { expected });
  await go("/lookup-tables");
  await page.getByRole("button", { name: "New table" }).click();
  await page.getByLabel("CSV file").setInputFiles({
    name: "Ports.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(
      '\uFEFFid,port,opened,depth,"free, duty"\n7,Akureyri,1862-08-29,9.5,true\n8,,,,\n',
    ),
  });
  const grid = page.getByRole("table", { name: "Columns" });
  const typeOf = (at: number) =>
    grid.getByRole("combobox", { name: `Type of column ${at}` }).inputValue();
  await grid.waitFor();
  expect(await Promise.all([1, 2, 3, 4, 5].map(typeOf)))
    .toEqual(["INTEGER", "VARCHAR", "DATE", "DECIMAL", "BOOLEAN"]);
  expect(await page.getByRole("textbox", { name: "Name", exact: true }).inputValue()).toBe("Ports");
  await grid.getByRole("textbox", { name: "Name of column 5" }).fill("duty free");
  await page.getByRole("combobox", { name: "Namespace" }).fill("Browser");
  await page.keyboard.press("Tab");
  expect(await problems()).toEqual([]);
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await page.getByText("Imported 2 rows").waitFor();
  await page.getByRole("cell", { name: "Akureyri" }).waitFor();
  await page.getByRole("columnheader", { name: /source_id/ }).waitFor();

  await page.getByRole("button", { name: "Edit columns" }).click();
  await grid.getByRole("textbox", { name: "Name of column 2" }).fill("harbour");
  await grid.getByRole("checkbox", { name: "Column 2 is nullable" }).uncheck();
  await page.getByRole("button", { name: "Another column" }).click();
  await grid.getByRole("textbox", { name: "Name of column 6" }).fill("note");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await grid.getByRole("row").nth(2).getByRole("alert").waitFor();
  expect(await problems()).toEqual([]);
  await grid.getByRole("checkbox", { name: "Column 2 is nullable" }).check();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("columnheader", { name: /harbour/ }).waitFor();
  await page.getByRole("columnheader", { name: /note/ }).waitFor();
});

it("a query example is found, written, attached and deleted", async () => {
  const { page, go, problems } = await visitAgain(browser(), site().url);
  await go("/queryexamples?q=refunded");
  await page.getByRole("link", { name: /paid and refunded/ }).waitFor();
  expect(await page.getByRole("link", { name: /^Revenue by day/ }).count()).toBe(0);
  expect(await problems()).toEqual([]);
  await page.getByRole("button", { name: "New example" }).click();
  await page.getByRole("textbox", { name: "Match for" }).fill("Orders <b>of</b> today");
  await page.getByRole("textbox", { name: "Query" }).fill("SELECT 1");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("heading", { name: "Orders <b>of</b> today" }).waitFor();
  await page.getByRole("button", { name: "Link a data entity" }).click();
  await page.getByRole("combobox", { name: "Data entity" }).fill("fct_ord");
  await page.getByRole("option", { name: "fct_orders", exact: true }).click();
  await page.getByRole("button", { name: "Link", exact: true }).click();
  await page.getByRole("link", { name: "fct_orders" }).waitFor();
  await page.getByRole("button", { name: "Remove the link to fct_orders" }).click();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("link", { name: "fct_orders" }).waitFor();
  expect(await problems()).toEqual([]);
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
  await page.waitForURL(/queryexamples$/);
  expect(await problems()).toEqual([]);
});

it("a dataset shows its query examples and takes another", async () => {
  const { page, go, problems } = await visitAgain(browser(), site().url);
  const found = await fetch(new URL("/api/search/suggestions?query=fct_orders", site().url));
  const all = await found.json() as { id: number; external_name: string }[];
  const id = all.find(({ external_name: name }) => name === "fct_orders")!.id;
  await go(`/dataentities/${id}/queries`);
  await page.getByRole("heading", { name: "Revenue by day, of the last thirty days" }).waitFor();
  await page.getByRole("button", { name: "Link an existing one" }).click();
  await page.getByRole("combobox", { name: "Query example" }).fill("refunded");
  await page.getByRole("option", { name: /refunded/ }).click();
  await page.getByRole("button", { name: "Link", exact: true }).click();
  await page.getByRole("heading", { name: /paid and refunded/ }).waitFor();
  expect(await problems()).toEqual([]);
});

it("relationships are filtered, opened and drawn", async () => {
  const { page, go, problems } = await visitAgain(browser(), site().url);
  await go("/relationships?q=addresses_customer");
  await page.getByRole("button", { name: "addresses_customer_id_fkey" }).click();
  await page.waitForURL(/open=erd-\d+/);
  await page.getByRole("img", { name: "addresses to customers" }).waitFor();
  expect(await problems()).toEqual([]);
  await page.getByRole("link", { name: "customer_id", exact: true }).click();
  await page.waitForURL(/structure\?field=\d+/);
  await go("/relationships?type=GRAPH");
  await page.getByText("No results").waitFor();
  expect(await problems()).toEqual([]);
});
