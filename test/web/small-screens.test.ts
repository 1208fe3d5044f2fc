import { beforeAll, expect, it } from "vitest";
import { useSite } from "#test/support/web/journeys.ts";
import { isLongRun, sampled } from "#test/support/size.ts";
import { accessibilityFaults } from "#test/support/web/accessibility.ts";
import { hiddenFocus } from "#test/support/web/keyboard.ts";
import { overlapping, unreachable } from "#test/support/web/fits.ts";
import { idOf } from "#test/support/web/site.ts";

const { site, journey } = useSite();
let orders: number;
beforeAll(async () => void (orders = await idOf(site(), "fct_orders", "/tables/fct_orders")));

const phone = { width: 390, height: 844, touch: true };

it.each([[390, 844], [640, 400]])(
  "tabs do not overlap at %i pixels, and the current one is in view",
  (width, height) =>
    journey(async ({ page, go }) => {
      await go(`/dataentities/${orders}/relationships`);
      const tabs = page.getByRole("navigation", { name: "Sections of the asset" });
      await tabs.getByRole("link", { name: "Relationships" }).waitFor();
      const boxes = await Promise.all(
        (await tabs.getByRole("link").all()).map((tab) => tab.boundingBox()),
      );
      boxes.slice(1).forEach((box, at) => {
        const before = boxes[at]!;
        expect(box!.x).toBeGreaterThanOrEqual(before.x + before.width);
      });
      const last = boxes.at(-1)!;
      await expect.poll(async () => (await tabs.boundingBox())!.width).toBeGreaterThan(0);
      expect(last.x).toBeLessThan(width);
      expect(await overlapping(page)).toEqual([]);
    }, { width, height }),
);

it.each(
  sampled(["/", "/search?q=orders", "/alerts?status=any", "/activity", "/quality", "/terms"], 3),
)(
  "nothing of %s lies on something else or out of reach on a phone",
  (path) =>
    journey(async ({ page, go }) => {
      await go(path);
      await page.locator("main h1").waitFor();
      await page.getByText("Live", { exact: true }).waitFor();
      expect(await overlapping(page)).toEqual([]);
      expect(await unreachable(page)).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
    }, phone),
);

it("a phone has its navigation in a drawer, which closes when somebody has chosen", () =>
  journey(async ({ page, go, problems }) => {
    await go("/");
    const fixed = page.getByRole("navigation", { name: "Main" });
    expect(await fixed.isVisible()).toBe(false);
    await page.getByRole("button", { name: "Navigation" }).click();
    const drawer = page.getByRole("dialog", { name: "Navigation" });
    await drawer.getByRole("link", { name: "Glossary" }).waitFor();
    expect(await problems()).toEqual([]);
    await drawer.getByRole("link", { name: "Glossary" }).click();
    await page.waitForURL("**/terms");
    await drawer.waitFor({ state: "detached" });
  }, phone));

it("a phone has filters in a sheet, which says how many are set", () =>
  journey(async ({ page, go, problems }) => {
    await go("/search?q=orders");
    await page.getByRole("button", { name: "Filters" }).click();
    const sheet = page.getByRole("dialog", { name: "Filters" });
    await sheet.getByRole("checkbox", { name: /^Dataset/ }).check();
    expect(await problems()).toEqual([]);
    await sheet.getByRole("button", { name: "Show results" }).click();
    await sheet.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Filters (1)" }).waitFor();
    await page.waitForURL(/entity_classes=\d/);
  }, phone));

it("rows are cards on a phone: each cell below the one before, with the name of its column", () =>
  journey(async ({ page, go }) => {
    await go("/search?q=orders");
    const row = page.getByRole("table", { name: "Entities found" }).getByRole("row").nth(1);
    const cells = row.getByRole("cell");
    await cells.first().waitFor();
    const [name, type] = [await cells.nth(0).boundingBox(), await cells.nth(1).boundingBox()];
    expect(type!.y).toBeGreaterThanOrEqual(name!.y + name!.height);
    expect(await cells.nth(1).getAttribute("data-label")).toBe("Type");
    await go("/terms");
    const term = page.getByRole("table", { name: "Terms" }).getByRole("row").nth(1);
    await term.getByRole("cell").first().waitFor();
    const [first, second] = [
      await term.getByRole("cell").nth(0).boundingBox(),
      await term.getByRole("cell").nth(1).boundingBox(),
    ];
    expect(second!.y).toBeGreaterThanOrEqual(first!.y + first!.height);
  }, phone));

it("nothing speaks of keys where there is no keyboard", () =>
  journey(async ({ page, go }) => {
    await go("/search?q=orders");
    await page.getByRole("table", { name: "Entities found" }).getByRole("link").first().waitFor();
    expect(
      await page.locator("kbd").evaluateAll((all) =>
        (all as { offsetParent: unknown }[]).filter(({ offsetParent }) => offsetParent).length
      ),
    ).toBe(0);
  }, phone));

// Walks over screens: for the nights.
if (isLongRun) {
  // 640 × 400 is a window of 1280 × 800 at 200 %.
  it.each([[768, 1024], [640, 400]])(
    "axe finds nothing at %i × %i pixels, nor is anything out of reach",
    (width, height) =>
      journey(async ({ page, go }) => {
        const paths = [
          `/dataentities/${orders}`,
          "/search?q=orders",
          `/dataentities/${orders}/lineage`,
          "/alerts?status=any",
          "/management/sources",
          "/operations",
        ];
        for (const path of paths) {
          await go(path);
          await page.locator("main h1").first().waitFor();
          await page.getByText("Live", { exact: true }).waitFor();
          expect([path, await accessibilityFaults(page, true)]).toEqual([path, []]);
          expect([path, await unreachable(page)]).toEqual([path, []]);
        }
      }, { width, height }),
  );

  it("whatever Tab leads to on a phone is in view, not covered, and marked", () =>
    journey(async ({ page, go }) => {
      const paths = [
        "/",
        "/search?q=orders",
        `/dataentities/${orders}/overview`,
        `/dataentities/${orders}/lineage`,
        "/alerts?status=any",
        "/management/sources",
      ];
      for (const path of paths) {
        await go(path);
        await page.getByText("Live", { exact: true }).waitFor();
        const found: string[] = [];
        for (let presses = 0; presses < 40; presses++) {
          await page.keyboard.press("Tab");
          const hidden = await hiddenFocus(page);
          if (hidden) found.push(hidden);
        }
        expect.soft([path, found]).toEqual([path, []]);
      }
    }, { width: 390, height: 844 }));
}
