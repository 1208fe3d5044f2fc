import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { useSite } from "#test/support/web/journeys.ts";
import { idOf } from "#test/support/web/site.ts";

const { site, journey } = useSite();
let [orders, staged] = [0, 0];
beforeAll(async () => {
  orders = await idOf(site(), "fct_orders", "/tables/fct_orders");
  staged = await idOf(site(), "stg_orders", "/views/stg_orders");
});

/** The drawing once all of it is there, opened cards included. */
async function settled(page: Page) {
  await page.locator("[role=application][aria-busy=false]").waitFor();
  return page.getByRole("application", { name: /^Lineage of/ });
}
/** Waits for what is read out of a box, of opened cards or of the chosen column. */
const said = (page: Page, text: string | RegExp) =>
  page.getByRole("status").filter({ hasText: text }).waitFor({ state: "attached" });
const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};
const revenue = /^Column revenue of fct_orders; .*made from .*total of stg_orders.*goes into/;

it("cards open to their columns and one lights its path, by the keyboard alone; the address holds it", () =>
  journey(async ({ page, go }) => {
    await go(`/lineage?ids=${orders},${staged}`);
    await page.getByText(/^\d+ assets/).waitFor();
    await (await settled(page)).focus();
    await press(page, "Home");
    await said(page, /^fct_orders,/);
    // The keys of columns are there with the list of keys.
    await page.getByText("what can be done").waitFor();
    await press(page, "f");
    await said(page, "fct_orders shows 5 columns");
    await settled(page);
    await press(page, "k", "k");
    await said(page, revenue);
    await page.waitForURL((url) => url.searchParams.get("column") === `${orders}.revenue`);
    // What its path leads on to opens as well.
    const opened = (url: URL) => (url.searchParams.get("cards") ?? "").split(",");
    await page.waitForURL((url) => opened(url).includes(String(staged)));
    await settled(page);
    await page.getByRole("link", { name: "Impact of this column" }).waitFor();
    await page.reload();
    await said(page, revenue);
    await (await settled(page)).focus();
    await page.getByRole("link", { name: "Impact of this column" }).waitFor();
    await press(page, "Escape");
    await page.waitForURL((url) => !url.searchParams.has("column"));
    await said(page, /stg_orders shows \d+ columns; .*fct_orders shows 5 columns/);
    await press(page, "Home", "f");
    await page.waitForURL((url) =>
      opened(url).includes(String(staged)) && !opened(url).includes(String(orders))
    );
  }));

it("a row is clicked, its line is in the file, and its menu leads to what it has an effect on", () =>
  journey(async ({ page, go }) => {
    // What moves is there at once, and its start is in the middle at zoom 1.
    await page.emulateMedia({ reducedMotion: "reduce" });
    await go(`/lineage?ids=${orders},${staged}&cards=${orders},${staged}&at=110,90,1`);
    await said(page, "fct_orders shows 5 columns; stg_orders shows");
    const canvas = await settled(page);
    await canvas.focus();
    await press(page, "Home");
    await said(page, /^fct_orders,/);
    const menu = page.getByRole("button", { name: "Actions for fct_orders" });
    const corner = (await menu.boundingBox())!;
    // The fourth row below the head of the card.
    await page.mouse.click(corner.x - 60, corner.y + 14 + 64 + 3.5 * 20);
    await said(page, revenue);
    await page.getByRole("button", { name: "Export" }).click();
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("menuitem", { name: "SVG" }).first().click(),
    ]);
    const svg = await readFile(await file.path(), "utf8");
    for (const name of ["total", "revenue", "updated_at"]) expect(svg).toContain(`>${name}</text>`);
    await canvas.focus();
    await press(page, "Enter");
    await page.getByRole("menuitem", { name: "Impact of revenue" }).click();
    await page.waitForURL(/\/dataentities\/\d+\/structure\?field=\d+/);
    await page.getByRole("list", { name: "Downstream columns" }).waitFor();
  }));

it("the table of entities opens cards as well, and lists their columns with links", () =>
  journey(async ({ page, go }) => {
    await go(`/lineage?ids=${orders},${staged}&panel=1`);
    const entities = page.getByRole("treegrid", { name: /Assets in this graph/ });
    await entities.getByRole("row", { name: /^fct_orders/ }).focus();
    await press(page, "f");
    const columns = page.getByRole("table", { name: "Columns of fct_orders" });
    await columns.getByRole("button", { name: "revenue" }).click();
    await said(page, revenue);
    const made = columns.getByRole("row", { name: /^revenue/ }).getByRole("link");
    await expect.poll(() => made.allInnerTexts()).toContain("stg_orders.total");
    await page.getByRole("table", { name: "Columns of stg_orders" })
      .getByRole("row", { name: /^total .*on the path/ }).waitFor();
    await settled(page);
    await page.locator("[class*=_bones]").waitFor({ state: "detached" });
  }));

it("columns that cannot be read are told of, and asked for again; as of a past time they are those of then", () =>
  journey(async ({ page, go }) => {
    const pattern = /\/columns\/lineage\/downstream/;
    await page.route(pattern, (route) => route.abort());
    await go(`/lineage?ids=${orders}&cards=${orders}`);
    const alert = page.getByRole("alert").filter({ hasText: "The columns of fct_orders" });
    await alert.waitFor();
    await page.unroute(pattern);
    await alert.getByRole("button", { name: "Try again" }).click();
    await said(page, "fct_orders shows 5 columns");
    const time = new Date().toISOString();
    const [request] = await Promise.all([
      page.waitForRequest(pattern),
      go(`/lineage?ids=${orders}&cards=${orders}&asof=${time}`),
    ]);
    expect(new URL(request.url()).searchParams.get("as_of")).toBe(time);
    await said(page, "fct_orders shows 5 columns");
    await settled(page);
  }));
