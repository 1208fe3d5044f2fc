import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { useSite } from "#test/support/web/journeys.ts";
import { idOf } from "#test/support/web/site.ts";

const { site, journey } = useSite();
let orders: number;
let ordersCatrn: string;
beforeAll(async () => {
  orders = await idOf(site(), "fct_orders", "/tables/fct_orders");
  ({ catrn: ordersCatrn } = await site().json(`/api/dataentities/${orders}`) as { catrn: string });
});

const drawing = (page: Page) => page.getByRole("application", { name: /^Lineage of/ });
/** The drawing once all of it is there: before, keys find nothing to go to. */
async function settled(page: Page) {
  await page.locator("[role=application][aria-busy=false]").waitFor();
  return drawing(page);
}
/** What is read out of the box that has the focus. */
const said = (page: Page) => page.getByRole("status").filter({ hasText: "feeds" });

/** A new job that reads orders. */
async function readOrders(name = "audit_orders"): Promise<void> {
  const source = "//postgresql/host/audits.example/databases/a";
  const job = {
    catrn: `${source}/jobs/${name}`,
    name,
    type: "JOB",
    data_transformer: { inputs: [ordersCatrn], outputs: [] },
  };
  for (
    const [path, body] of [
      ["/ingestion/datasources", { items: [{ name: "Audits", catrn: source }] }],
      ["/ingestion/entities", { data_source_catrn: source, items: [job] }],
    ] as const
  ) {
    const answer = await fetch(new URL(path, site().url), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    expect(answer.ok).toBe(true);
  }
}

it("is drawn as it was, compared with now by colour and sign, and is of now again", async () => {
  const before = new Date().toISOString();
  await readOrders();
  await journey(async ({ page, go, problems }) => {
    await go(`/lineage?ids=${orders}&asof=${before}`);
    await page.getByText("22 assets, 6 jobs").waitFor();
    const banner = page.getByRole("region", { name: "Point in time" });
    await banner.getByText(/^As recorded on/).waitFor();
    expect(await banner.locator("time").getAttribute("datetime")).toBe(before);
    expect(await problems()).toEqual([]);
    await banner.getByRole("button", { name: "Compare with now" }).focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(/compare=1/);
    await banner.getByText("+ Added").waitFor();
    await settled(page);
    await page.keyboard.press("/");
    await page.keyboard.type("audit_orders");
    await page.keyboard.press("Enter");
    await said(page).filter({ hasText: /^audit_orders, .*added since then/ }).waitFor();
    expect(await problems()).toEqual([]);
    // The list of what was found lies over the banner.
    await page.keyboard.press("Escape");
    await banner.getByRole("button", { name: "Back to now" }).click();
    await page.waitForURL((url) => !url.searchParams.has("asof"));
    await page.getByText("22 assets, 7 jobs").waitFor();
    await banner.waitFor({ state: "detached" });
  });
});

it("of a time is chosen by date or by name; where nothing was there yet, there is a way back", () =>
  journey(async ({ page, go, problems }) => {
    await go(`/lineage?ids=${orders}`);
    await settled(page);
    await page.getByRole("button", { name: "What changed" }).click();
    const at = page.getByLabel("Date and time");
    await at.fill("2999-01-01T00:00");
    await page.getByText("This time is in the future").waitFor();
    const then = page.getByRole("button", { name: "Show the graph at that time" });
    expect(await then.isDisabled()).toBe(true);
    expect(await problems()).toEqual([]);
    await at.fill("2026-01-01T00:00");
    await then.click();
    await page.waitForURL(/asof=/);
    await page.getByText("Not in the catalogue at that time").waitFor();
    await page.getByText(/^It was created on/).waitFor();
    expect(await problems()).toEqual([]);
    await page.getByRole("button", { name: "Back to now" }).click();
    await drawing(page).waitFor();
  }, { expected: /^404 / }));

it("tells what changed since yesterday in two clicks, with a list beside the drawing", async () => {
  await readOrders("trace_orders");
  await journey(async ({ page, go, problems }) => {
    await go(`/lineage?ids=${orders}`);
    await settled(page);
    await page.getByRole("button", { name: "What changed" }).click();
    await page.getByRole("button", { name: "Since yesterday" }).click();
    await page.waitForURL((url) => url.searchParams.get("compare") === "1");
    const changes = page.getByRole("complementary", { name: "Changes" });
    await changes.getByRole("button", { name: "trace_orders", exact: true }).click();
    await said(page).filter({ hasText: /^trace_orders, .*added since then/ }).waitFor();
    expect(await problems()).toEqual([]);
  });
});

it("is stepped through by the keyboard, change by change, with what came and left at each", async () => {
  // So that what is there already is one change, and the next another.
  await site().test.db.query("UPDATE lineage_edge SET since = now() - interval '1 day'");
  await readOrders("count_orders");
  await journey(async ({ page, go, problems }) => {
    await go(`/lineage?ids=${orders}`);
    await page.getByText("22 assets, 9 jobs").waitFor();
    await page.getByRole("button", { name: "What changed" }).click();
    await page.getByRole("button", { name: "Step through the changes" }).click();
    await page.waitForURL(/timeline=30/);
    const slider = page.getByRole("slider", { name: "Point in time" });
    const at = (text: RegExp) =>
      expect.poll(() => slider.getAttribute("aria-valuetext")).toMatch(text);
    await at(/^Now; last .*: 1 edge added$/);
    expect(await problems()).toEqual([]);
    await slider.focus();
    await page.keyboard.press("ArrowLeft");
    await page.waitForURL(/asof=/);
    await page.getByText("22 assets, 8 jobs").waitFor();
    await at(/^After .*: \d+ edges added$/);
    expect(await problems()).toEqual([]);
    await page.keyboard.press("Home");
    await at(/^Before these changes$/);
    await page.keyboard.press("End");
    await page.waitForURL((url) => !url.searchParams.has("asof"));
    await page.getByText("22 assets, 9 jobs").waitFor();
    await page.getByRole("button", { name: "Earlier change" }).click();
    await page.getByText(/^As recorded on/).waitFor();
    await page.getByRole("button", { name: "Close the changes" }).click();
    await slider.waitFor({ state: "detached" });
  }, { expected: /^404 / });
});

it("where nothing changed, it says so, and a failure is told", () =>
  journey(async ({ page, go, problems }) => {
    const answer = { json: { items: [], cursor: null } };
    await page.route("**/api/lineage/changes?*", (route) => route.fulfill(answer));
    await go(`/lineage?ids=${orders}&timeline=7`);
    await page.getByText(/^No edge of this graph was added or removed since/).waitFor();
    expect(await problems()).toEqual([]);
    await page.unrouteAll();
    const refused = { status: 403, json: { code: "USR005", message: "not for you", details: [] } };
    await page.route("**/api/lineage/changes?*", (route) => route.fulfill(refused));
    await page.getByRole("combobox", { name: "Period" }).selectOption("90");
    await page.getByText("You do not have access").waitFor();
  }, { expected: /^403 / }));
