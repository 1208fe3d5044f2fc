import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ingestionBatches } from "#contract/topics.ts";
import { eventually } from "#test/support/eventually.ts";
import { type Instance, startInstance } from "#test/support/engines/instance.ts";
import type { Browser as Client } from "#test/support/sign-in/browser.ts";
import { signedIn } from "#test/support/sign-in/entering.ts";
import { seedDelivery } from "#test/support/seed/seed-delivery.ts";
import { closePages, sharedBrowser, visit, type VisitOptions } from "#test/support/web/browser.ts";
import { offersSeen } from "#test/support/web/offers.ts";
import { comeBack, enter, grant } from "#test/support/web/people.ts";
import { changing, type ScreenIds, screens } from "#test/support/web/screens.ts";
import { idOf, startSite } from "#test/support/web/site.ts";
import { sampled } from "#test/support/size.ts";

/** The same catalogue with and without signing in. */
let open: Instance;
let site: Instance;
let browser: Browser;
let admin: Client;
let orders: number;

beforeAll(async () => {
  open = await startSite();
  const auth = {
    type: "LOGIN_FORM",
    "login-form-credentials": "ada:ada's word,bob:bob's word,eve:eve's word",
    "enforce-all-gates": true,
    "login-form-administrators": "bob",
  };
  const config = { auth, session: { provider: "INTERNAL_POSTGRESQL" } };
  site = await startInstance("embedded", { sharedDatabase: open.test, config });
  browser = await sharedBrowser();
  orders = await idOf(open, "fct_orders", "/tables/fct_orders");
  admin = await signedIn(site, "bob", "bob's word");
  await grant(site, admin, "ada", {
    MANAGEMENT: ["NOTIFICATION_VIEW", "OPERATIONS_VIEW", "TERM_CREATE"],
  });
});
afterAll(async () => {
  await closePages(browser);
  await site?.stop();
  await open?.stop();
});

/** Something of each kind that only some may deal with. */
async function prepared(): Promise<ScreenIds> {
  const { db } = open.test;
  const [stock, test] = [
    await idOf(open, "fct_stock", "/tables/fct_stock"),
    await idOf(open, "fct_stock_is_fresh", "/tests/fct_stock_is_fresh"),
  ];
  const silence = { entity_id: stock, until: "2999-01-01T00:00:00Z", comment: "rebuilt" };
  expect((await open.send("POST", "/api/notifications/silences", silence)).status).toBe(200);
  const poison = { key: "//a", value: new TextEncoder().encode("{not json"), headers: {} };
  await open.events.publish(ingestionBatches, [poison], { timeoutMs: 10_000 });
  await eventually(async () =>
    expect((await open.json("/api/ops/dead-letters") as { items: unknown[] }).items).toHaveLength(1)
  );
  // Housekeeping of the site deletes those that ended long ago.
  const createdAt = new Date().toISOString();
  const { id: delivery } = await seedDelivery(db, { state: "failed", entityId: stock, createdAt });
  const one = async (text: string, ...values: unknown[]) =>
    (await db.query<{ id: number }>(text, values))[0]!.id;
  const lookup = await one("SELECT entity_id AS id FROM lookup_table LIMIT 1");
  const alert = await one("SELECT id FROM alert WHERE entity_id = $1", stock);
  const field = await one("SELECT min(id) AS id FROM dataset_field WHERE dataset_id = $1", orders);
  return { orders, field, stock, alert, test, lookup, delivery };
}

/** A page on which somebody has signed in, on the way to `path`. */
async function asUser(name: string, path: string, options?: VisitOptions) {
  const opened = await visit(browser, site.url, options);
  await opened.go(path);
  await enter(opened.page, name);
  await opened.page.getByRole("navigation", { name: "Screens" }).or(
    opened.page.getByRole("button", { name: "Search or jump to…" }),
  ).first().waitFor();
  return opened;
}

it("the form leads back to what was requested, with its filters, and signing out ends it", async () => {
  const { page, problems } = await asUser("bob", "/search?q=orders&class=1");
  await page.waitForURL(/\/search\?q=orders&class=1$/);
  await page.getByRole("button", { name: "Signed in as bob" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL(/\/login\?logout$/);
  await page.getByText("You are signed out.").waitFor();
  expect(await problems()).toEqual([]);
  await page.goto(new URL("/alerts?status=OPEN", site.url).href);
  await page.waitForURL(/\/login\?return=/);
  expect(await problems()).toEqual([]);
});

it("somebody who may do little is offered little, is told what is missing, and is refused", async () => {
  const expected = /^403 \/api\/dataentities\/\d+\/description$/;
  const { page, go, problems } = await asUser("ada", `/dataentities/${orders}/overview`, {
    expected,
  });
  const card = (name: string) => page.getByRole("region", { name, exact: true });
  await card("Description").waitFor();
  await page.getByRole("button", { name: "Signed in as ada" }).waitFor();
  await Promise.all([
    page.waitForResponse(/\/api\/resource\/DATA_ENTITY\/\d+\/permissions$/),
    page.waitForResponse(/\/api\/identity\/whoami$/),
    page.reload(),
  ]);
  await page.getByRole("button", { name: "Signed in as ada" }).waitFor();
  const offers = page.getByRole("main").getByRole("button", {
    name: /^(Edit|Add|Remove|Delete|Describe|Link|Unlink|New group|Change)/,
  });
  expect(await offers.allInnerTexts()).toEqual([]);
  const status = await page.evaluate(async (path) => {
    const answer = await fetch(path, {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ internal_description: "mine" }),
    });
    return answer.status;
  }, `/api/dataentities/${orders}/description`);
  expect(status).toBe(403);
  expect(await problems()).toEqual([]);
  await go("/management/audit");
  await page.getByText("It requires the permission AUDIT_VIEW").waitFor();
  expect(await problems()).toEqual([]);
});

it("a manager sees a screen as somebody else may use it, and changes nothing meanwhile", async () => {
  const { page, go, problems } = await asUser("bob", "/management/owners");
  await page.getByRole("button", { name: "View as ada" }).click();
  const banner = page.getByRole("complementary", { name: "View as a user" });
  await banner.getByText(/^Viewing as/).waitFor();
  await page.getByRole("button", { name: "New owner" }).waitFor({ state: "detached" });
  expect(await problems()).toEqual([]);
  await go("/terms");
  await page.getByRole("button", { name: "New term" }).click();
  const dialog = page.getByRole("dialog", { name: "New term" });
  await dialog.getByRole("textbox", { name: "Name" }).fill("Churn rate");
  await dialog.getByRole("combobox", { name: "Namespace" }).fill("Shop");
  await dialog.getByRole("textbox", { name: "Definition" }).fill("Customers who leave");
  await page.keyboard.press("Control+Enter");
  await dialog.getByText("You are viewing as ada: nothing can be changed until you stop").waitFor();
  await go(`/dataentities/${orders}/overview`);
  await page.getByRole("heading", { level: 1, name: "fct_orders" }).waitFor();
  const describe = page.getByRole("button", { name: /^(Edit the|Add) description$/ });
  await banner.getByText(/^Viewing as/).waitFor();
  expect(await describe.count()).toBe(0);
  await banner.getByRole("button", { name: "Stop viewing as ada" }).click();
  await describe.waitFor();
  expect(await problems()).toEqual([]);
});

it(
  "no screen offers what its visitor may not do, and each offers it to those who may",
  async () => {
    const ids = await prepared();
    const [few, all] = await Promise.all([asUser("ada", "/"), asUser("bob", "/")]);
    const seenBy = new Map([few, all].map((one) => [one, offersSeen(one.page)]));
    const wrong: Record<string, unknown> = {};
    for (const [name, { path, takes, own = [], menu }] of sampled(Object.entries(screens), 12)) {
      const [little, everything] = await Promise.all(
        [few, all].map((one) => seenBy.get(one)!(path(ids), menu)),
      );
      const isOneOf = (offer: string) => takes.some((one) => one.test(offer));
      const isOwn = (offer: string) => own.some((one) => one.test(offer));
      const found = {
        "offered to all": little!.filter((one) =>
          isOneOf(one) || (changing.test(one) && !isOwn(one))
        ),
        "offered to nobody": takes.filter((one) => !everything!.some((offer) => one.test(offer)))
          .map(String),
        "not in the table": everything!.filter((one) =>
          !little!.includes(one) && !isOneOf(one) && !isOwn(one)
        ),
      };
      if (Object.values(found).some((some) => some.length > 0)) wrong[name] = found;
    }
    expect(wrong).toEqual({});
    for (const one of [few, all]) {
      expect(await one.problems()).toEqual([]);
      await one.page.context().close();
    }
  },
);

it(
  "what somebody may not do any more is refused where it is done, and nothing typed is lost",
  async () => {
    const take = await grant(site, admin, "eve", {
      DATA_ENTITY: ["DATA_ENTITY_DESCRIPTION_UPDATE", "DATA_ENTITY_ALERT_RESOLVE"],
      MANAGEMENT: ["NAMESPACE_DELETE", "OPERATIONS_MANAGE", "OPERATIONS_VIEW"],
    });
    const expected = /^403 /;
    const describing = await asUser("eve", `/dataentities/${orders}/overview`, { expected });
    const card = describing.page.getByRole("region", { name: "Description", exact: true });
    await card.getByRole("button", { name: /^(Edit the description|Add description)$/ }).click();
    await card.getByRole("textbox").fill("Typed while I still might");
    const deleting = await asUser("eve", "/management/namespaces", { expected });
    await deleting.page.getByRole("button", { name: "Delete Shop" }).click();
    const alerts = await asUser("eve", "/alerts", { expected });
    await alerts.page.getByRole("button", { name: /fct_stock_is_fresh/ }).click();
    const resolve = alerts.page.getByRole("button", { name: "Resolve", exact: true });
    await resolve.waitFor();
    await take();

    await card.getByRole("button", { name: "Save" }).click();
    await card.getByText(/DATA_ENTITY_DESCRIPTION_UPDATE/).waitFor();
    expect(await card.getByRole("textbox").inputValue()).toBe("Typed while I still might");
    expect(await describing.problems()).toEqual([]);
    await deleting.page.getByRole("button", { name: "Delete the namespace" }).click();
    await deleting.page.getByRole("dialog").getByText(/NAMESPACE_DELETE/).waitFor();
    expect(await deleting.problems()).toEqual([]);
    await resolve.click();
    const said = alerts.page.getByRole("region", { name: "Notifications" });
    await said.getByText("1 alert could not be changed").waitFor();
    await said.getByText(/DATA_ENTITY_ALERT_RESOLVE/).waitFor();
    const list = alerts.page.getByRole("table", { name: "Alerts by what they are about" });
    await list.getByText("Open", { exact: true }).waitFor();
    expect(await alerts.problems()).toEqual([]);
    for (const { page } of [describing, deleting, alerts]) await page.context().close();
  },
);

it("a session that ended keeps what was typed, which is saved after signing in next to it", async () => {
  const { page, problems } = await asUser("bob", `/dataentities/${orders}/overview`, {
    expected: /^401 /,
  });
  const card = page.getByRole("region", { name: "Description", exact: true });
  await card.getByRole("button", { name: /^(Edit the description|Add description)$/ }).click();
  await card.getByRole("textbox").fill("Typed for a long time");
  await open.test.db.query("DELETE FROM session");
  // Something else that the page asks may be told of it before.
  await card.getByRole("button", { name: "Save" }).click({ timeout: 5_000 }).catch(() => {});
  const dialog = page.getByRole("dialog", { name: "Your session has ended" });
  await dialog.waitFor();
  expect(await problems()).toEqual([]);

  const [otherPage] = await Promise.all([
    page.context().waitForEvent("page"),
    dialog.getByRole("link", { name: "Sign in" }).click(),
  ]);
  await enter(otherPage, "bob");
  await otherPage.getByRole("button", { name: "Search or jump to…" }).waitFor();
  await otherPage.close();
  await comeBack(page);
  expect(await card.getByRole("textbox").inputValue()).toBe("Typed for a long time");
  await card.getByRole("button", { name: "Save" }).click();
  await card.getByText("Typed for a long time").waitFor();
  expect(await problems()).toEqual([]);
});
