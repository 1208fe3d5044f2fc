import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiService } from "#services/api/service.ts";
import { ingestConsumerService } from "#services/ingest-consumer/service.ts";
import { notifierService } from "#services/notifier/service.ts";
import { eventually } from "#test/support/eventually.ts";
import { answers, type HttpSink, startHttpSink } from "#test/support/http/http-sink.ts";
import { useSite } from "#test/support/web/journeys.ts";
import { idOf } from "#test/support/web/site.ts";
import { setsBySize } from "#test/support/engines/sets-by-size.ts";

describe.each(setsBySize())("watching over %s engines", (set) => {
  /** Refuses every message until it is told otherwise. */
  let receiver: HttpSink;
  const { site, journey } = useSite(set, async () => {
    receiver = await startHttpSink(answers.status(404));
    return {
      services: [apiService, ingestConsumerService, notifierService],
      config: { notifications: { enabled: true, receivers: { webhook: { url: receiver.url } } } },
    };
  });
  let stock: number;
  let stockAlert: number;
  beforeAll(async () => {
    stock = await idOf(site(), "fct_stock", "/tables/fct_stock");
    const alerts = await site().json(`/api/dataentities/${stock}/alerts/list?page=1&size=10`);
    stockAlert = (alerts as { id: number }[])[0]!.id;
    await eventually(async () => {
      const path = `/api/notifications/deliveries?state=FAILED&alert_id=${stockAlert}`;
      const { items } = await site().json(path) as { items: unknown[] };
      expect(items).toHaveLength(1);
    });
  });
  afterAll(() => receiver?.close());

  it("alerts: by keyboard from the list to the details, resolved and taken back", () =>
    journey(async ({ page, go, problems }) => {
      await go("/alerts");
      const list = page.getByRole("table", { name: "Alerts by what they are about" });
      await list.getByRole("link", { name: "fct_stock" }).waitFor();
      expect(await problems()).toEqual([]);
      await page.keyboard.press("j");
      await page.waitForURL(/alert=\d+/);
      const details = page.getByRole("region", { name: /^Alert \d+$/ });
      await details.getByText("newest row is 19 h old").waitFor();
      await details.getByRole("link", { name: /assets downstream/ }).waitFor();
      await page.keyboard.press("e");
      await page.getByText("1 alert resolved").waitFor();
      await page.getByText("No open alerts").waitFor();
      await page.getByRole("button", { name: "Undo" }).click();
      await page.getByText("1 alert opened again").waitFor();
      await list.getByRole("link", { name: "fct_stock" }).waitFor();
    }));

  it("alerts: filters stay in the address, and what is ticked is resolved at once", () =>
    journey(async ({ page, go }) => {
      await go("/alerts?status=any");
      const list = page.getByRole("table", { name: "Alerts by what they are about" });
      await list.getByText("warehouse suspended").waitFor();
      await page.keyboard.press("/");
      await page.locator("input[type=search]:focus").waitFor();
      await page.keyboard.type("fct_stock_is");
      await page.waitForURL(/q=fct_stock_is/);
      await list.getByText("warehouse suspended").waitFor({ state: "detached" });
      await page.reload();
      const line = list.getByRole("row", { name: /fct_stock_is_fresh/ });
      await line.getByRole("checkbox").check();
      await page.getByRole("button", { name: "Resolve", exact: true }).click();
      await page.getByText("1 alert resolved").waitFor();
      await line.getByText("Resolved").waitFor();
      await line.getByRole("checkbox").check();
      await page.getByRole("button", { name: "Reopen", exact: true }).click();
      await page.getByText("1 alert opened again").waitFor();
      await line.getByText("Open", { exact: true }).waitFor();
    }));

  it("silences: from an alert, with what it meets before it is made, and ended", () =>
    journey(async ({ page, go, problems }) => {
      await go("/alerts");
      await page.getByRole("button", { name: /fct_stock_is_fresh/ }).click();
      await page.getByRole("link", { name: "Silence", exact: true }).click();
      const dialog = page.getByRole("dialog", { name: "New silence" });
      await dialog.getByText("1 open alert is met now").waitFor();
      await dialog.getByRole("combobox", { name: "Type" }).selectOption("FAILED_JOB");
      await dialog.getByText("0 open alerts are met now").waitFor();
      await dialog.getByRole("combobox", { name: "Type" }).selectOption("FAILED_DQ_TEST");
      await dialog.getByRole("textbox", { name: "Why" }).fill("the source is being moved");
      expect(await problems()).toEqual([]);
      await dialog.getByRole("button", { name: "Create silence" }).click();
      const table = page.getByRole("table", { name: "Silences" });
      await table.getByText("the source is being moved").waitFor();
      expect(await problems()).toEqual([]);
      await go(`/alerts?alert=${stockAlert}`);
      const list = page.getByRole("table", { name: "Alerts by what they are about" });
      const row = list.getByRole("row", { name: /fct_stock_is_fresh/ });
      await row.getByText(/^Muted until .*\d{4}/).waitFor();
      await row.getByText(/^(Critical|High)$/).waitFor();
      const details = page.getByRole("region", { name: `Alert ${stockAlert}` });
      await details.getByText("the source is being moved").waitFor();
      expect(await problems()).toEqual([]);
      await details.getByRole("link", { name: "Silences" }).click();
      await table.getByRole("button", { name: "End" }).click();
      await page.getByRole("button", { name: "End it" }).click();
      await page.getByText("No silences").waitFor();
      await go(`/alerts?alert=${stockAlert}`);
      await row.getByText(/^(Critical|High)$/).waitFor();
      expect(await row.getByText("Muted until").count()).toBe(0);
    }));

  it("silences: a form that is refused says what is wrong next to the field", () =>
    journey(async ({ page, go }) => {
      await go("/alerts/silences?new=1");
      const dialog = page.getByRole("dialog", { name: "New silence" });
      await dialog.getByRole("button", { name: "Create silence" }).click();
      await dialog.getByRole("alert").getByText("must be given").waitFor();
    }, { expected: /^400 \/api\/notifications\/silences$/ }));

  it("deliveries: one that was refused says why, and arrives when it is sent again", () =>
    journey(async ({ page, go, problems }) => {
      await go(`/alerts/deliveries?state=FAILED&alert=${stockAlert}`);
      const details = page.getByRole("button", { name: /^Details of the delivery about alert/ });
      await details.first().click();
      const dialog = page.getByRole("dialog", { name: "Delivery", exact: true });
      await dialog.getByText("not taken (404)").first().waitFor();
      await dialog.getByRole("table", { name: "Attempts" }).getByText("Refused").waitFor();
      expect(await problems()).toEqual([]);
      receiver.answer = answers.status(200);
      await dialog.getByRole("button", { name: "Send again" }).click();
      await page.getByText("Notification queued again").waitFor();
      await dialog.getByRole("definition").getByText("Delivered", { exact: true }).waitFor();
      await dialog.getByRole("table", { name: "Attempts" }).getByText("Delivered").waitFor();
      expect(await dialog.getByRole("button", { name: "Send again" }).count()).toBe(0);
    }));

  it("deliveries: without any, it says what brings them", () =>
    journey(async ({ page, go }) => {
      await go("/alerts/deliveries?state=FAILED&alert=999999");
      await page.getByText("No notifications match").waitFor();
      await page.getByRole("button", { name: "Remove Alert 999999" }).click();
      await page.waitForURL((url) => !url.search.includes("alert"));
    }));

  it("quality: a number opens the rows behind it, and filters are in the address", () =>
    journey(async ({ page, go }) => {
      await go("/quality");
      await page.getByRole("button", { name: /^1 Failed, Freshness Anomalies/ }).click();
      const rows = page.getByRole("region", { name: "Freshness Anomalies: Failed" });
      await rows.getByText("fct_stock_is_fresh", { exact: true }).waitFor();
      await page.reload();
      await rows.getByRole("link", { name: "Impact of fct_stock_is_fresh" }).waitFor();
      await page.getByRole("button", { name: /^1 Error/ }).click();
      await page.getByRole("region", { name: "Datasets: Error" }).getByRole("link", {
        name: /fct_stock/,
      }).waitFor();
      const tests = page.getByRole("group", { name: "Tests that count" });
      await tests.getByRole("button", { name: "Source" }).click();
      await page.getByRole("list", { name: "Source" }).getByRole("checkbox").first().check();
      await page.waitForURL(/source=\d+/);
      await page.keyboard.press("Escape");
    }));
});
