import { chmodSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { removed } from "#test/support/engines/directory.ts";
import { type ServiceProcess, startService } from "#test/support/engines/processes.ts";
import { isLongRun, sized } from "#test/support/size.ts";
import { closePages, sharedBrowser, visit } from "#test/support/web/browser.ts";
import { countClicks } from "#test/support/web/clicks.ts";
import { fillConnection } from "#test/support/web/connection-form.ts";
import { cardsOf } from "#test/support/web/drawing.ts";
import { ensureWebBuilt } from "../../tools/web/ensure.mjs";
import { createStock } from "#test/support/sources/stock.ts";

// What a newcomer with a database does: start, connect it, see its lineage.

const [tables, views] = [sized(60, 1_000), sized(6, 100)];
const shown = new Intl.NumberFormat("en");

/** From the start of the program. Seconds hold for the full size; CI may run on a machine that is many times slower. */
const budget = { seconds: 60, clicks: 6 };

const dataDir = mkdtempSync(join(tmpdir(), "tributary-first-"));
let source: TestDatabase;
let all: ServiceProcess | undefined;
beforeAll(async () => {
  if (!ensureWebBuilt(resolve("."))) throw new Error("The web interface could not be built");
  // Root gives the embedded server another account, which has to reach it.
  chmodSync(dataDir, 0o755);
  source = await testDatabase(2);
  await createStock(source.db, {
    tables,
    views,
    columns: "id int PRIMARY KEY, amount numeric, at timestamptz",
  });
});
afterAll(async () => {
  await closePages(await sharedBrowser());
  await all?.terminate();
  await removed(dataDir);
  await source?.drop();
});

it(`leads from the start to the lineage of ${tables} tables and ${views} views in ${budget.clicks} clicks`, async () => {
  const { password } = new URL(source.url);
  const begun = performance.now();
  // Without a key, passwords are variables.
  const env = { DATA_DIR: dataDir, SOURCE_SECRET_SHOP: decodeURIComponent(password) };
  all = await startService({ service: "all", env });
  const { page, go, problems } = await visit(await sharedBrowser(), all.url);
  const clicks = await countClicks(page);
  await go("/");
  await page.getByRole("link", { name: "Read a database" }).click();
  await page.getByRole("button", { name: "New connection" }).first().click();
  const form = page.getByRole("dialog", { name: "Connect PostgreSQL" });
  await fillConnection(form, source.url, "${env:SOURCE_SECRET_SHOP}");
  await form.getByRole("button", { name: "Create" }).click();
  const runs = page.getByRole("dialog", { name: "Stock" });
  await runs.getByRole("button", { name: "Run now" }).click();
  await runs.getByText(`${shown.format(tables + views)} added`).waitFor();
  await runs.getByRole("link", { name: /^Lineage of total_\d+$/ }).click();
  await page.locator("[role=application][aria-busy=false]").waitFor();
  const seconds = (performance.now() - begun) / 1_000;
  console.log(
    `Lineage of ${tables} tables and ${views} views: ${seconds.toFixed(1)} s, ${clicks()} clicks`,
  );
  expect(clicks()).toBeLessThanOrEqual(budget.clicks);
  if (isLongRun) expect(seconds).toBeLessThan(budget.seconds);
  const { cards } = await cardsOf(page);
  expect(cards.map(({ name }) => name.replace(/_\d+$/, ""))).toEqual(
    expect.arrayContaining(["stock", "total"]),
  );
  expect(await problems()).toEqual([]);
});

it("the second run publishes nothing, and all assets are a click away", async () => {
  const { page, go, problems } = await visit(await sharedBrowser(), all!.url);
  const lastCounts = async () =>
    (await (await fetch(`${all!.url}/api/connections?page=1&size=1`)).json()).items[0].last_run
      .counts;
  await go("/management/connections");
  await page.getByRole("button", { name: "Runs of Stock" }).click();
  const runs = page.getByRole("dialog", { name: "Stock" });
  await runs.getByRole("button", { name: "Run now" }).click();
  await runs.getByRole("table", { name: "Earlier runs" }).getByRole("row").nth(1).waitFor();
  await expect.poll(lastCounts).toMatchObject({
    read: tables + views,
    added: 0,
    changed: 0,
    unchanged: tables + views,
    removed: 0,
  });
  await runs.getByText(`Run: ${shown.format(tables + views)} assets`).waitFor();
  expect(await problems()).toEqual([]);
  await runs.getByRole("link", { name: "Show the assets" }).click();
  await page.getByText(`${shown.format(tables + views)} found`).first().waitFor();
  expect(await problems()).toEqual([]);
});
