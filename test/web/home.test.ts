import { beforeAll, describe, expect, it } from "vitest";
import { eventually } from "#test/support/eventually.ts";
import { useSite } from "#test/support/web/journeys.ts";
import { idOf } from "#test/support/web/site.ts";

const { site, journey } = useSite();
let orders: number;
beforeAll(async () => {
  orders = await idOf(site(), "fct_orders", "/tables/fct_orders");
  const catrn = "//postgresql/host/plain";
  const sources = { provider_catrn: catrn, items: [{ catrn, name: "plain" }] };
  const items = [{
    catrn: `${catrn}/tables/bare`,
    name: "bare",
    type: "TABLE",
    dataset: { field_list: [] },
  }];
  await site().send("POST", "/ingestion/datasources", sources);
  await site().send("POST", "/ingestion/entities", { data_source_catrn: catrn, items });
});

const numberIn = (text: string) => Number(/[\d,]+/.exec(text)![0].replaceAll(",", ""));

describe("catalogue health", () => {
  it("each number of what is missing leads to a list of exactly so many", () =>
    journey(async ({ page, go }) => {
      for (const missing of ["without an owner", "without a description", "without tests"]) {
        // Batches that still arrive may change the number between the two screens.
        await eventually(async () => {
          await go("/");
          const link = page.getByRole("link", { name: new RegExp(`${missing}$`) });
          const shown = numberIn(await link.innerText());
          await link.click();
          await page.waitForURL("**/search?*");
          const found = numberIn(await page.getByText(/^[\d,]+ found$/).innerText());
          expect(found, missing).toBe(shown);
        });
        await page.getByRole("button", { name: /^Missing\s*1$/ }).waitFor();
      }
    }));

  it("datasets with a failed test are listed by the quality screen", () =>
    journey(async ({ page, go }) => {
      await go("/");
      const link = page.getByRole("link", { name: /with a failed test$/ });
      expect(numberIn(await link.innerText())).toBe(1);
      await link.click();
      await page.waitForURL("**/quality?*");
      await page.getByRole("link", { name: "fct_stock" }).waitFor();
    }));
});

it("recent changes show a batch once, with the number of its assets", () =>
  journey(async ({ page, go }) => {
    await go("/");
    const changes = page.getByRole("region", { name: "Recent changes" });
    const { items } = await site().json("/api/activity/groups?size=8") as {
      items: { entities: number; system_event: boolean; data_source: { id: number } }[];
    };
    await changes.getByRole("listitem").first().waitFor();
    expect(await changes.getByRole("listitem").count()).toBe(items.length);
    const many = items.find(({ entities }) => entities > 1)!;
    await changes.getByRole("link", { name: `${many.entities} assets` }).first().click();
    await page.waitForURL("**/activity?*event=*");
  }));

it("ingestion of the last day is what the server recorded", () =>
  journey(async ({ page, go }) => {
    const history = await site().json("/api/ops/history") as Record<string, number[]>;
    const sum = (name: string) => history[name]!.reduce((all, one) => all + one, 0);
    expect(sum("items")).toBeGreaterThan(100);
    await go("/");
    await page.getByRole("region", { name: "Ingestion, last 24 hours" })
      .getByText(`${sum("batches")} batches, ${sum("items")} items`).waitFor();
  }));

it("what people viewed is popular and recent; neither is shown before", () =>
  journey(async ({ page, go }) => {
    await go("/");
    await page.getByRole("heading", { name: "Assets by type" }).waitFor();
    expect(await page.getByRole("region", { name: "Popular" }).count()).toBe(0);
    expect(await page.getByRole("region", { name: "Recently viewed" }).count()).toBe(0);
    await go(`/dataentities/${orders}/overview`);
    await page.getByRole("list", { name: "At a glance" }).waitFor();
    await go("/");
    await page.getByRole("region", { name: "Popular" }).getByRole("link", { name: "fct_orders" })
      .waitFor();
  }));

it("a starred asset that is late against its rhythm stands under freshness", () =>
  journey(async ({ page, go }) => {
    await site().send("PUT", `/api/favorites/DATA_ENTITY/${orders}`);
    const freshness = {
      state: "LATE",
      last_updated_at: new Date(Date.now() - 9 * 3_600_000).toISOString(),
      usual_gap_seconds: 10_800,
    };
    const tests = { total: 0, success_total: 0, failed_total: 0 };
    const item = { id: orders, freshness, tests, open_alerts: 0, owners: [] };
    await page.route(
      `**/api/dataentities/health?*ids=${orders}`,
      (route) => route.fulfill({ json: { items: [item] } }),
    );
    await go("/");
    const card = page.getByRole("region", { name: "Freshness" });
    await card.getByText("1 late").waitFor();
    await card.getByText(/^Updated 9 hr\. ago, usually every 3 hours$/).waitFor();
    await card.getByRole("link", { name: "fct_orders" }).click();
    await page.waitForURL(`**/dataentities/${orders}/overview`);
  }));
