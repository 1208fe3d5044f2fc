import { expect, it } from "vitest";
import { visitAgain } from "#test/support/web/browser.ts";
import { useSite } from "#test/support/web/journeys.ts";

const { site, browser } = useSite();

it("a term is found by words and narrowed by facets, all of it in the address", async () => {
  const { page, go, problems } = await visitAgain(browser(), site().url);
  await go("/terms");
  await page.getByRole("link", { name: "Revenue", exact: true }).waitFor();
  await page.getByRole("searchbox", { name: "Find a term" }).fill("refunds");
  await page.getByText("2 terms").waitFor();
  await page.waitForURL((url) => url.search === "?q=refunds");
  await page.getByRole("searchbox", { name: "Find a term" }).fill("");
  await page.getByText("5 terms").waitFor();
  await page.getByRole("button", { name: "Namespaces" }).click();
  await page.getByRole("checkbox", { name: /^Finance/ }).check();
  await page.getByText("2 terms").waitFor();
  expect(await problems()).toEqual([]);
  await page.reload();
  await page.getByRole("button", { name: "Namespaces: Finance" }).waitFor();
  await page.getByText("2 terms").waitFor();
  expect(await problems()).toEqual([]);
});

it("a mention of what nobody has defined leads to defining it, and then to the term", async () => {
  const expected = /^404 \/api\/terms\/namespaces\/Shop\/names\/Basket$/;
  const { page, go, problems } = await visitAgain(browser(), site().url, { expected });
  await go("/terms/1/overview");
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  const definition = page.getByRole("textbox", { name: "Definition" });
  await definition.fill("More than a [[Shop:Basket]]. <img src=x onerror=alert(1)>");
  await page.getByRole("button", { name: "Preview" }).click();
  await page.getByRole("link", { name: "Basket" }).waitFor();
  expect(await problems()).toEqual([]);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByRole("link", { name: "Basket" }).click();
  await page.getByText("This term has no definition yet").waitFor();
  await page.getByRole("button", { name: "Define it" }).click();
  await definition.fill("What is not bought yet");
  await definition.press("Control+Enter");
  await page.waitForURL(/\/terms\/\d+\/overview$/);
  await page.getByText("What is not bought yet").waitFor();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete the term" }).click();
  const refused = page.getByRole("alert").filter({ hasText: "mentioned by the definition" });
  await refused.waitFor();
  const [answer, ...others] = await problems();
  expect(answer).toMatch(/^refused: 400 \/api\/terms\/\d+$/);
  expect(others).toEqual([]);
});

it("owners, tags, linked terms and query examples are added and taken away again", async () => {
  const { page, go, problems } = await visitAgain(browser(), site().url);
  await go("/terms/4/overview");
  await page.getByRole("heading", { name: "Net amount" }).waitFor();
  await page.getByRole("button", { name: "Add an owner" }).click();
  await page.getByRole("combobox", { name: "Owner" }).fill("Ledger team");
  await page.keyboard.press("Tab");
  await page.getByRole("combobox", { name: "Responsibility" }).fill("Steward");
  await page.keyboard.press("Tab");
  await page.getByRole("dialog").getByRole("button", { name: "Add", exact: true }).click();
  await page.getByText("Ledger team").waitFor();
  await page.getByRole("combobox", { name: "Add a tag" }).fill("audited");
  await page.getByRole("combobox", { name: "Add a tag" }).press("Enter");
  await page.getByRole("button", { name: "Remove audited" }).waitFor();
  await page.getByRole("button", { name: "Remove Ledger team" }).click();
  await page.getByText("Ledger team owns it no more").waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("button", { name: "Remove Ledger team" }).waitFor();
  expect(await problems()).toEqual([]);

  await page.getByRole("link", { name: /^Linked terms/ }).click();
  await page.getByRole("button", { name: "Link a term" }).click();
  await page.getByRole("combobox", { name: "Term" }).fill("Time");
  await page.getByRole("option", { name: "Logistics:Time in transit" }).click();
  await page.getByRole("button", { name: "Link", exact: true }).click();
  await page.getByRole("button", { name: "Remove Time in transit" }).click();
  await page.getByText("Time in transit is no longer linked").waitFor();
  const tabs = page.getByRole("navigation", { name: "About the term" });
  await tabs.getByRole("link", { name: /^Query examples/ }).click();
  await page.getByRole("button", { name: "Add a query example" }).click();
  await page.getByRole("combobox", { name: "Query example" }).click();
  await page.getByRole("option").first().click();
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByRole("button", { name: "Remove the query example" }).first().click();
  await page.getByText("is removed from the term").waitFor();
  expect(await problems()).toEqual([]);
});

it("what a term is linked with is listed, and can be narrowed", async () => {
  const { page, go, problems } = await visitAgain(browser(), site().url);
  await go("/terms/3/entities");
  await page.getByRole("table", { name: "Entities" }).waitFor();
  await page.getByRole("searchbox", { name: "Find in entities" }).fill("no such name");
  await page.getByText("Nothing matches").waitFor();
  await page.getByRole("link", { name: /^Columns/ }).click();
  await page.getByRole("searchbox", { name: "Find in columns" }).waitFor();
  expect(await problems()).toEqual([]);
});

it("a term that is not there says so", async () => {
  const { page, go, problems } = await visitAgain(browser(), site().url, {
    expected: /^404 \/api\/terms\/999999$/,
  });
  await go("/terms/999999");
  await page.getByText("No such term").waitFor();
  expect(await problems()).toEqual([]);
});
