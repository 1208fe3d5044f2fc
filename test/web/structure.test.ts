import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Instance } from "#test/support/engines/instance.ts";
import { closePages, sharedBrowser, visitAgain } from "#test/support/web/browser.ts";
import { startSite } from "#test/support/web/site.ts";
import { ingestStructures } from "#test/support/web/structures.ts";

let site: Instance;
let browser: Browser;
let ids: Map<string, number>;

beforeAll(async () => {
  site = await startSite();
  ids = await ingestStructures(site.url);
  browser = await sharedBrowser();
});
afterAll(async () => {
  await closePages(browser);
  await site?.stop();
});

const structure = (name: string) => `/dataentities/${ids.get(name)}/structure`;

it("the tree is walked and folded by keyboard, and what is chosen stands in the address", async () => {
  const { page, go, problems } = await visitAgain(browser, site.url);
  await go(structure("nested_orders"));
  const tree = page.getByRole("treegrid");
  await tree.getByRole("row", { name: "lat" }).waitFor();
  await tree.focus();
  // As fast as keys can follow each other.
  await page.evaluate(`for (let n = 0; n < 3; n++) {
    const pressed = new KeyboardEvent("keydown", { key: "ArrowDown", bubbles: true });
    document.querySelector("[role=treegrid]").dispatchEvent(pressed);
  }`);
  const address = (state: object) => tree.getByRole("row", { name: "address", ...state });
  await address({ selected: true }).waitFor();
  await page.waitForURL(/field=\d+/);
  await page.keyboard.press("ArrowLeft");
  await tree.getByRole("row", { name: "lat" }).waitFor({ state: "detached" });
  await address({ selected: true, expanded: false }).waitFor();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  expect(await tree.getByRole("row", { name: "geo" }).getAttribute("aria-level")).toBe("2");
  await page.getByRole("searchbox", { name: "Find a field" }).fill("LAT");
  await page.waitForURL(/find=LAT/);
  await tree.getByRole("row", { name: "status" }).waitFor({ state: "detached" });
  expect(await problems()).toEqual([]);
});

it("a field is described, named and tagged where it stands; what its source set stays", async () => {
  const { page, go, problems } = await visitAgain(browser, site.url);
  await go(structure("nested_orders"));
  await page.getByRole("treegrid").getByRole("row", { name: "status" }).click();
  const panel = page.getByRole("complementary", { name: "The chosen field" });
  await panel.getByRole("button", { name: "Edit the description" }).click();
  await panel.getByRole("textbox", { name: "Description" }).fill("How far the **order** has come");
  await page.keyboard.press("Control+Enter");
  await panel.getByText("order", { exact: true }).waitFor();
  await panel.getByRole("button", { name: "Edit the internal name" }).click();
  await panel.getByRole("textbox", { name: "Display name" }).fill("State of the order");
  await page.keyboard.press("Enter");
  await page.getByRole("treegrid").getByText("State of the order").waitFor();
  await panel.getByRole("button", { name: "Edit the tags" }).click();
  await panel.getByRole("combobox", { name: "Tag" }).fill("browser made");
  await page.keyboard.press("Enter");
  await panel.getByRole("button", { name: "Remove browser made" }).waitFor();
  await panel.getByRole("button", { name: "Edit the values" }).click();
  await panel.getByRole("textbox", { name: "Value 1", exact: true }).fill("paid");
  await page.keyboard.press("Control+Enter");
  await panel.getByText("From the source system").waitFor();
  await panel.getByText("paid", { exact: true }).waitFor();
  expect(await problems()).toEqual([]);
});

it("a list of suggestions that was empty when Enter was pressed stays closed", async () => {
  const { page, go, problems } = await visitAgain(browser, site.url);
  await go(structure("nested_orders"));
  await page.getByRole("treegrid").getByRole("row", { name: "status" }).click();
  const panel = page.getByRole("complementary", { name: "The chosen field" });
  await panel.getByRole("button", { name: "Edit the tags" }).click();
  const tag = panel.getByRole("combobox", { name: "Tag" });
  const answered = page.waitForResponse(/api\/tags\?.*query=unheard/);
  await tag.fill("unheard of");
  await answered;
  await page.getByRole("listbox").waitFor({ state: "detached" });
  const written = panel.getByRole("button", { name: "Remove unheard of" });
  await page.keyboard.press("Enter");
  await written.waitFor();
  await expect.poll(() => tag.inputValue()).toBe("");
  // What is suggested for an empty field comes while these look.
  expect([...await problems(), ...await problems()]).toEqual([]);
  expect(await page.getByRole("listbox").count()).toBe(0);
});

it("versions are compared: what breaks is told apart from what is safe", async () => {
  const { page, go, problems } = await visitAgain(browser, site.url);
  await go(structure("nested_orders"));
  await page.getByRole("button", { name: "Compare with" }).click();
  await page.getByRole("button", { name: /^Version 1/ }).click();
  await page.getByText("1 breaking change", { exact: true }).waitFor();
  const rows = page.getByRole("treegrid").getByRole("row");
  await expect.poll(() => rows.allInnerTexts()).toEqual([
    expect.stringContaining("Field"),
    expect.stringMatching(/dropped\s+Removed\s+Breaking/),
    expect.stringMatching(/added\s+Added\s+Safe/),
  ]);
  await page.getByRole("checkbox", { name: "Only changes" }).click();
  await page.getByRole("treegrid").getByText("lat").waitFor();
  expect(await problems()).toEqual([]);
  await page.getByRole("button", { name: "Schema", exact: true }).click();
  await page.getByRole("button", { name: /^Version 2/ }).click();
  await page.getByRole("button", { name: /^Version 1/ }).last().click();
  await page.getByText("This is version 1").waitFor();
  await page.getByRole("treegrid").getByRole("row", { name: "dropped" }).click();
  const panel = page.getByRole("complementary", { name: "The chosen field" });
  await panel.getByRole("heading", { name: "dropped" }).waitFor();
  expect(await panel.getByRole("button", { name: /^Edit the/ }).count()).toBe(0);
  expect(await problems()).toEqual([]);
});

it("twelve thousand columns are walked to their end, and names of others are text", async () => {
  const { page, go, problems } = await visitAgain(browser, site.url);
  await go(structure("wide"));
  const tree = page.getByRole("treegrid");
  await tree.getByText("column_0", { exact: true }).waitFor();
  await tree.focus();
  await page.keyboard.press("End");
  await tree.getByText("column_11999").waitFor();
  expect(await tree.getByRole("row").count()).toBeLessThan(100);
  await page.getByRole("button", { name: "Version 1 (newest)" }).click();
  await page.getByText("There is no other version yet").waitFor();
  await page.keyboard.press("Escape");
  await go(structure("nested_orders"));
  await tree.getByText("<img src=x onerror=alert(1)>").click();
  await page.getByText("Description from the source system").waitFor();
  expect(await page.locator("main img, main script").count()).toBe(0);
  expect(await problems()).toEqual([]);
});

it("a field tells which columns it is made from and which it feeds, and leads to them", async () => {
  const { page, go, problems } = await visitAgain(browser, site.url);
  await go(`${structure("wide")}?find=column_7`);
  await page.getByRole("treegrid").getByText("column_7", { exact: true }).click();
  const panel = page.getByRole("complementary", { name: "The chosen field" });
  const sources = panel.getByRole("list", { name: "Upstream columns" }).getByRole("listitem");
  await sources.first().waitFor();
  expect(await sources.allInnerTexts()).toEqual([
    expect.stringMatching(/^nested_orders\.address\.geo\.lat\s+AGGREGATION$/),
    expect.stringMatching(/^nested_orders\.gone\s+has a say$/),
    expect.stringMatching(/^nested_orders\.status\s+decides the rows\s+FILTER$/),
  ]);
  expect(await problems()).toEqual([]);
  await sources.first().getByRole("link").focus();
  await page.keyboard.press("Enter");
  await page.getByRole("treegrid").getByRole("row", { name: "lat" }).waitFor();
  const fed = panel.getByRole("list", { name: "Downstream columns" }).getByRole("listitem");
  await expect.poll(() => fed.allInnerTexts()).toEqual([expect.stringMatching(/^wide\.column_7/)]);
  expect(await problems()).toEqual([]);
});

it("a job tells which columns it makes from which", async () => {
  const { page, go, problems } = await visitAgain(browser, site.url);
  await go(`/dataentities/${ids.get("load_wide")}/overview`);
  const rows = page.getByRole("table", { name: "Output columns" }).getByRole("row");
  await rows.nth(3).waitFor();
  expect((await rows.allInnerTexts()).slice(1).sort()).toEqual([
    expect.stringMatching(/^nested_orders\.address\.geo\.lat\s+wide\.column_7\s+AGGREGATION/),
    expect.stringMatching(/^nested_orders\.gone\s+wide\.column_7\s+has a say/),
    expect.stringMatching(/^nested_orders\.status\s+wide\s+has a say\s*FILTER/),
  ]);
  expect(await problems()).toEqual([]);
});
