import { beforeAll, expect, it } from "vitest";
import { seedDelivery } from "#test/support/seed/seed-delivery.ts";
import { useSite } from "#test/support/web/journeys.ts";
import { type ScreenIds, screens } from "#test/support/web/screens.ts";
import { secondEngineFaults } from "#test/support/web/second-engine.ts";
import { idOf } from "#test/support/web/site.ts";

const { site, journey } = useSite();
let ids: ScreenIds;
beforeAll(async () => {
  const { db } = site().test;
  const one = async (text: string, ...values: unknown[]) =>
    (await db.query<{ id: number }>(text, values))[0]!.id;
  const [orders, stock, test] = await Promise.all([
    idOf(site(), "fct_orders", "/tables/fct_orders"),
    idOf(site(), "fct_stock", "/tables/fct_stock"),
    idOf(site(), "fct_stock_is_fresh", "/tests/fct_stock_is_fresh"),
  ]);
  // Housekeeping of the site deletes those that ended long ago.
  const createdAt = new Date().toISOString();
  const { id: delivery } = await seedDelivery(db, { state: "failed", entityId: stock, createdAt });
  const lookup = await one("SELECT entity_id AS id FROM lookup_table LIMIT 1");
  const alert = await one("SELECT id FROM alert WHERE entity_id = $1", stock);
  const field = await one("SELECT min(id) AS id FROM dataset_field WHERE dataset_id = $1", orders);
  ids = { orders, stock, test, delivery, lookup, alert, field };
});

it("the second engine for accessibility finds no violation on any screen", () =>
  journey(async ({ page, go }) => {
    for (const [name, { path }] of Object.entries(screens)) {
      await go(path(ids));
      await page.locator("main h1").first().waitFor({ state: "attached" });
      await page.waitForLoadState("networkidle");
      expect([name, await secondEngineFaults(page)]).toEqual([name, []]);
    }
  }));
