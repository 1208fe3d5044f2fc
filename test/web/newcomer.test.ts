import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { apiService } from "#services/api/service.ts";
import { ingestConsumerService } from "#services/ingest-consumer/service.ts";
import { notifierService } from "#services/notifier/service.ts";
import { eventually } from "#test/support/eventually.ts";
import { readMail } from "#test/support/alerts/mail.ts";
import { type SmtpSink, startSmtpSink } from "#test/support/alerts/smtp-sink.ts";
import { useSite } from "#test/support/web/journeys.ts";
import { Keyboard } from "#test/support/web/keyboard.ts";
import { idOf } from "#test/support/web/site.ts";

// The first walk of somebody who has no mouse: nothing here clicks, and nothing but a key moves the focus.

let mailbox: SmtpSink;
const { site, journey } = useSite("embedded", async () => {
  mailbox = await startSmtpSink();
  const email = {
    host: "127.0.0.1",
    port: mailbox.port,
    sender: "tributary@shop.example",
    notification: { emails: "data-team@shop.example" },
  };
  return {
    services: [apiService, ingestConsumerService, notifierService],
    config: { notifications: { enabled: true, receivers: { email } } },
  };
});
let stock: number;
beforeAll(async () => void (stock = await idOf(site(), "fct_stock", "/tables/fct_stock")));
afterAll(() => mailbox?.close());

const panel = (page: Page) => page.locator("#panel");
const pastTabs = "Skip to tab content";

/** Goes to an entity by a part of its name, from wherever one is. */
async function find(page: Page, keys: Keyboard, part: string, name: string): Promise<void> {
  await keys.press("Control+k");
  await keys.type(part);
  const options = page.getByRole("option");
  await keys.stepTo(options.filter({ has: page.getByText(name, { exact: true }) }));
  await keys.press("Enter");
  await page.locator("main").getByRole("heading", { level: 1, name, exact: true }).waitFor();
  await page.waitForURL("**/overview");
  await keys.has(page.locator("main"));
}

/** Waits until all of the drawing is there: before, keys find nothing to go to. */
const drawn = (page: Page) => page.locator("[role=application][aria-busy=false]").waitFor();

it("a table is found by half its name, and what breaks when it changes is listed", () =>
  journey(async ({ page, go, problems }) => {
    const keys = new Keyboard(page);
    await go("/");
    await find(page, keys, "stoc", "fct_stock");
    await keys.tabTo(page.getByRole("link", { name: pastTabs }));
    await keys.press("Enter");
    await keys.has(panel(page));
    await keys.tabTo(panel(page).getByRole("link", { name: /Downstream/ }));
    await keys.press("Enter");
    await page.waitForURL(/\/lineage\?up=0/);
    await drawn(page);
    await keys.has(panel(page));
    expect(await problems()).toEqual([]);
    await keys.tabTo(page.getByRole("button", { name: "Impact" }));
    await keys.press("Enter");
    await page.getByRole("treegrid").getByRole("row", { name: /Stock cover/ }).waitFor();
  }));

/** Where the mail about a failed test leads. */
async function linkOfMail(): Promise<string> {
  return await eventually(() => {
    const mails = mailbox.mails.map(({ raw }) => readMail(raw));
    const mail = mails.find(({ headers }) => headers.subject?.includes("FAILED_DQ_TEST"));
    const link = /https?:\/\/\S+/.exec(mail?.text ?? "")?.[0];
    if (!link) throw new Error("no mail tells of the failed test yet");
    return link;
  });
}

it("the mail's link leads to the alert of the failed test, which is silenced", () =>
  journey(async ({ page, go, problems }) => {
    const keys = new Keyboard(page);
    const { pathname, search } = new URL(await linkOfMail());
    expect(pathname + search).toBe(`/dataentities/${stock}/alerts`);
    await go(pathname);
    const row = page.getByRole("table", { name: "Alerts" }).getByRole("row", { name: /Failed/ });
    await row.waitFor();
    await keys.press("j");
    await page.getByRole("region", { name: /^Alert \d+$/ }).getByText("newest row is 19 h old")
      .waitFor();
    expect(await problems()).toEqual([]);
    await keys.press("s");
    const dialog = page.getByRole("dialog", { name: "New silence" });
    await dialog.getByText("1 open alert is met now").waitFor();
    await keys.has(dialog.getByRole("textbox", { name: "Why" }));
    await keys.type("the source is being moved");
    await keys.press("Enter");
    await page.getByRole("table", { name: "Silences" }).getByText("the source is being moved")
      .waitFor();
    await dialog.waitFor({ state: "detached" });
    await keys.within(page.locator("main"));
  }));

it("a table is described, and the focus stays where that was", () =>
  journey(async ({ page, go, problems }) => {
    const keys = new Keyboard(page);
    await go(`/dataentities/${stock}/overview`);
    await page.getByRole("button", { name: "Add description" }).waitFor();
    await keys.skip(pastTabs);
    const card = page.getByRole("region", { name: "Description", exact: true });
    await keys.tabTo(card.getByRole("button", { name: "Add description" }));
    await keys.press("Enter");
    await keys.has(card.getByRole("textbox"));
    await keys.press("Escape");
    await keys.within(card);
    await keys.tabTo(card.getByRole("button", { name: "Add description" }));
    await keys.press("Enter");
    await keys.has(card.getByRole("textbox"));
    await keys.type("Days of cover, by warehouse");
    await keys.press("Control+Enter");
    await card.getByText("Days of cover, by warehouse").waitFor();
    await card.getByRole("textbox").waitFor({ state: "detached" });
    await keys.within(card);
    const undo = page.getByRole("button", { name: "Undo" });
    await undo.waitFor();
    await keys.press("F6");
    await keys.within(page.getByRole("region", { name: "Notifications" }));
    await keys.tabTo(undo);
    await keys.press("Enter");
    await card.getByRole("button", { name: "Add description" }).waitFor();
    await keys.within(page.locator("main, [aria-label=Notifications]"));
    expect(await problems()).toEqual([]);
  }));

it("a term is defined; a dialog that is given up gives the focus back", () =>
  journey(async ({ page, go, problems }) => {
    const keys = new Keyboard(page);
    await go("/");
    await keys.press("Control+k");
    await keys.type("gloss");
    await keys.stepTo(page.getByRole("option", { name: "Glossary" }));
    await keys.press("Enter");
    await page.waitForURL("**/terms");
    const make = page.getByRole("button", { name: "New term" });
    await keys.tabTo(make);
    await keys.press("Enter");
    const dialog = page.getByRole("dialog", { name: "New term" });
    await keys.has(dialog.getByRole("textbox", { name: "Name" }));
    await keys.press("Escape");
    await keys.has(make);
    await keys.press("Enter");
    await keys.has(dialog.getByRole("textbox", { name: "Name" }));
    await keys.type("Cover");
    await keys.tabTo(dialog.getByRole("combobox", { name: "Namespace" }));
    await keys.type("Warehouse");
    const definition = dialog.getByRole("textbox", { name: "Definition" });
    await keys.tabTo(dialog.getByRole("button", { name: "Bold" }));
    await keys.tabTo(definition);
    await keys.type("Days that a stock lasts");
    expect(await problems()).toEqual([]);
    await keys.press("Control+Enter");
    await page.waitForURL(/\/terms\/\d+\/overview$/);
    await page.getByText("Days that a stock lasts").waitFor();
  }));

it("two versions of a structure are compared, and the lineage is saved as SVG", () =>
  journey(async ({ page, go, problems }) => {
    const keys = new Keyboard(page);
    await go("/");
    await find(page, keys, "orders", "Orders of the shop");
    await keys.tabTo(page.getByRole("link", { name: /^Schema/ }));
    await keys.press("Enter");
    await page.waitForURL("**/structure");
    await keys.has(panel(page));
    await keys.tabTo(page.getByRole("button", { name: "Compare with" }));
    await keys.press("Enter");
    await keys.tabTo(page.getByRole("button", { name: /^Version 1/ }));
    await keys.press("Enter");
    await page.waitForURL(/compare=\d+-\d+/);
    await page.getByRole("treegrid").getByRole("row", { name: /status/ })
      .filter({ hasText: /Added\s*Safe/ }).waitFor();
    await keys.has(panel(page));
    expect(await problems()).toEqual([]);
    await keys.tabTo(page.getByRole("link", { name: "Lineage", exact: true }), "Shift+Tab");
    await keys.press("Enter");
    await page.waitForURL(/\/lineage$/);
    await drawn(page);
    const menu = page.getByRole("button", { name: "Export" });
    await keys.tabTo(menu);
    await keys.press("Enter");
    await keys.stepTo(page.getByRole("menuitem", { name: "SVG" }).first());
    const [file] = await Promise.all([page.waitForEvent("download"), keys.press("Enter")]);
    expect(await readFile(await file.path(), "utf8")).toContain(">Orders of the shop<");
    await keys.has(menu);
  }));
