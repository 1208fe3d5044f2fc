import { beforeAll, expect, it } from "vitest";
import { useSite } from "#test/support/web/journeys.ts";
import { Keyboard } from "#test/support/web/keyboard.ts";
import { idOf } from "#test/support/web/site.ts";

const { site, journey } = useSite();
let stock: number;
beforeAll(async () => void (stock = await idOf(site(), "fct_stock", "/tables/fct_stock")));

it("what is typed while the box for everything is loaded is not lost, and no shortcut", () =>
  journey(async ({ page, go }) => {
    const keys = new Keyboard(page);
    const { promise: blocked, resolve: bring } = Promise.withResolvers<void>();
    await page.route("**/assets/palette-*.js", async (route) => {
      await blocked;
      await route.continue();
    });
    await go("/alerts");
    await page.getByRole("table", { name: "Alerts by what they are about" }).getByText("fct_stock")
      .first().waitFor();
    await keys.press("Control+k");
    await keys.type("jelly");
    await keys.press("Backspace");
    bring();
    const box = page.getByRole("combobox", { name: "Search or jump to…" });
    await expect.poll(() => box.inputValue()).toBe("jell");
    await keys.has(box);
    expect(new URL(page.url()).search).toBe("");
  }));

it("search: from the words to the first that is found; lineage: from a name to its box", () =>
  journey(async ({ page, go, problems }) => {
    const keys = new Keyboard(page);
    await go("/search");
    await keys.has(page.getByRole("searchbox"));
    await keys.type("stoc");
    await keys.press("Enter");
    const found = page.getByRole("table", { name: "Entities found" });
    await keys.has(found.getByRole("link").first());
    await keys.press("j");
    await found.getByRole("row", { selected: true }).waitFor();
    expect(await problems()).toEqual([]);
    await go(`/lineage?ids=${stock}`);
    await page.locator("[role=application][aria-busy=false]").waitFor();
    await keys.press("/");
    await keys.has(page.getByRole("searchbox", { name: "Find in this graph" }));
    await keys.type("stock cover");
    await page.getByText("1 found").waitFor();
    await keys.press("Enter", "Escape");
    await keys.has(page.getByRole("application"));
    await page.getByText("what can be done").waitFor();
    await keys.press("Enter");
    await keys.within(page.getByRole("menu"));
    await keys.stepTo(page.getByRole("menuitem", { name: "Open page" }));
    await keys.press("Escape");
    await keys.has(page.getByRole("application"));
  }));

it("the list of keys opens by one, and closes; sections of the management are skipped", () =>
  journey(async ({ page, go, problems }) => {
    const keys = new Keyboard(page);
    await go("/management/namespaces");
    await page.getByRole("table").getByText("Finance").waitFor();
    await keys.press("?");
    const list = page.getByRole("dialog", { name: "Keyboard" });
    await list.getByText("find anything").waitFor();
    expect(await problems()).toEqual([]);
    await keys.press("Escape");
    await list.waitFor({ state: "detached" });
    await go("/management/namespaces");
    await keys.skip("Skip to the section");
    expect(new URL(page.url()).pathname).toBe("/management/namespaces");
    await keys.tabTo(page.getByRole("button", { name: "New namespace" }));
  }));
