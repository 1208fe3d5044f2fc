import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { useSite } from "#test/support/web/journeys.ts";

const { site, journey } = useSite();

async function alertOf(status: string): Promise<number> {
  const path = `/api/alerts/list?page=1&size=1&type=ALL&status=${status}`;
  return (await site().json(path) as { id: number }[])[0]!.id;
}

it("the link of a resolved alert opens it, next to the open ones", () =>
  journey(async ({ page, go }) => {
    const id = await alertOf("RESOLVED_AUTOMATICALLY");
    await go(`/alerts?alert=${id}`);
    await page.getByRole("region", { name: `Alert ${id}` }).waitFor();
    await page.getByRole("table", { name: "Alerts by what they are about" })
      .getByRole("link", { name: "fct_stock" }).waitFor();
    await go("/alerts?alert=999999");
    await page.getByText("No alert 999999").waitFor();
  }));

it("a click on the row of an alert selects it", () =>
  journey(async ({ page, go }) => {
    await go("/alerts");
    const id = await alertOf("OPEN");
    const row = page.getByRole("table", { name: "Alerts by what they are about" })
      .getByRole("row", { name: /fct_stock/ });
    await row.getByText("Open", { exact: true }).click();
    await page.waitForURL(new RegExp(`alert=${id}`));
    await page.getByRole("region", { name: `Alert ${id}` }).waitFor();
  }));

const focused = (page: Page) =>
  page.evaluate(`(() => { const at = document.activeElement;
    return at.closest("[role=dialog]") ? "dialog: " + at.tagName : at.tagName + " " + at.textContent.slice(0, 30);
  })()`);

it("a dialog that the address opens has the focus, and leaves it to the screen, not to a skip link", () =>
  journey(async ({ page, go }) => {
    for (const path of ["/management/policies?policy=new", "/management/policies?policy=1"]) {
      await go(path);
      await page.getByRole("dialog").getByRole("button", { name: /^(Cancel|Close)$/ }).last()
        .waitFor();
      await expect.poll(() => focused(page)).toMatch(/^dialog: /);
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await expect.poll(() => focused(page)).toMatch(/^MAIN/);
    }
    await page.getByRole("button", { name: "New policy" }).click();
    await page.locator("[role=dialog] input:focus").waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => focused(page)).toBe("BUTTON  New policy");
  }));

it("a search with filters that finds nothing says so, and offers to search without them", () =>
  journey(async ({ page, go }) => {
    await go("/search?tags=999999");
    await page.getByText("No asset matches these filters").waitFor();
    await page.getByRole("button", { name: "Search without filters" }).click();
    await page.getByRole("table", { name: "Entities found" }).getByRole("link").first().waitFor();
  }));

it("a screen that failed while the service was away is read again when it is back", () =>
  journey(async ({ page, go }) => {
    await page.addInitScript(`globalThis.streams = [];
      globalThis.EventSource = class extends EventSource {
        constructor(address) { super(address); streams.push(this); }
      };`);
    await go("/");
    await page.getByText("Live", { exact: true }).waitFor();
    const tell = (event: string) =>
      page.evaluate(`streams.forEach((one) => one.dispatchEvent(new Event("${event}")))`);
    const away = /\/api\//;
    await page.route(away, (route) => route.abort());
    await tell("error");
    await page.getByText("Reconnecting").waitFor();
    await page.getByRole("link", { name: "Glossary" }).first().click();
    await page.getByText("Could not load").first().waitFor();
    await page.unroute(away);
    await tell("open");
    await page.getByRole("link", { name: "Order", exact: true }).first().waitFor();
  }));

it("paper shows what a screen says: no navigation, no box for the search, no icons to press", () =>
  journey(async ({ page, go }) => {
    await go("/search?q=orders");
    await page.getByRole("table", { name: "Entities found" }).getByRole("link").first().waitFor();
    await page.emulateMedia({ media: "print" });
    expect(await page.getByRole("navigation", { name: "Main" }).isVisible()).toBe(false);
    expect(await page.getByRole("button", { name: /Search or jump to…/ }).isVisible()).toBe(false);
    expect(await page.getByRole("button", { name: "Preview" }).first().isVisible()).toBe(false);
    expect(await page.getByRole("link", { name: "fct_orders", exact: true }).isVisible()).toBe(
      true,
    );
    await page.emulateMedia({ media: null });
  }));

it("a name with an icon stands in the middle of its row, as the other cells", () =>
  journey(async ({ page, go }) => {
    await go("/");
    const row = page.getByRole("table", { name: "Open alerts" }).getByRole("row").nth(1);
    const middle = async (text: ReturnType<Page["locator"]>) => {
      const { y, height } = (await text.boundingBox())!;
      return y + height / 2;
    };
    await row.getByRole("link").waitFor();
    const name = await middle(row.getByRole("link").locator("span").last());
    const since = await middle(row.getByRole("cell").nth(2).locator("time"));
    expect(Math.abs(name - since)).toBeLessThan(1);
  }));
