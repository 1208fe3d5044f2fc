import { resolve } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { apiService } from "#services/api/service.ts";
import { ingestConsumerService } from "#services/ingest-consumer/service.ts";
import { openLineageService } from "#services/openlineage/service.ts";
import { type Instance, startInstance } from "#test/support/engines/instance.ts";
import { closePages, sharedBrowser, visit } from "#test/support/web/browser.ts";
import { ensureWebBuilt } from "../../tools/web/ensure.mjs";

const services = [apiService, ingestConsumerService, openLineageService];
let site: Instance;
let browser: Browser;
beforeAll(async () => {
  if (!ensureWebBuilt(resolve("."))) throw new Error("The web interface could not be built");
  site = await startInstance("embedded");
  browser = await sharedBrowser();
});
afterAll(async () => {
  await closePages(browser);
  await site?.stop();
});

async function post(path: string, body: object): Promise<void> {
  const answer = await site.send("POST", path, body);
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  await answer.body?.cancel();
}

it("an empty catalogue shows four steps, and the first one goes on by itself when a batch comes", async () => {
  const { page, go, problems } = await visit(browser, site.url);
  await go("/");
  const steps = page.getByRole("region", { name: "First steps" });
  await steps.getByText("Waiting for the first batch…").waitFor();
  await steps.getByText("Sign-in is off: anyone can change anything").waitFor();
  await steps.getByText("Notifications are off").waitFor();
  expect(await steps.getByRole("listitem").count()).toBe(4);
  expect(await page.getByRole("region", { name: "Open alerts" }).isVisible()).toBe(false);
  expect(await problems()).toEqual([]);
  const source = "//postgresql/host/shop";
  await post("/ingestion/datasources", {
    provider_catrn: source,
    items: [{ catrn: source, name: "shop" }],
  });
  const items = ["orders", "lines"].map((name) => ({
    catrn: `${source}/tables/${name}`,
    name,
    type: "TABLE",
    dataset: { field_list: [] },
  }));
  await post("/ingestion/entities", { data_source_catrn: source, items });
  await steps.getByText("2 assets from shop").waitFor();
  await steps.getByText("No asset has anything that people added").waitFor();
  await page.getByRole("region", { name: "Open alerts" }).waitFor();
  expect(await problems()).toEqual([]);
  await page.reload();
  await page.getByText("2 assets in the catalogue").waitFor();
  expect(await steps.count()).toBe(0);
});

it("the demonstration is loaded by a button, with its progress, where the catalogue is empty", async () => {
  const empty = await startInstance("embedded", { services });
  try {
    const { page, go, problems } = await visit(browser, empty.url);
    await go("/");
    const steps = page.getByRole("region", { name: "First steps" });
    await steps.getByText("start again with an empty database").waitFor();
    expect(await problems()).toEqual([]);
    await steps.getByRole("button", { name: "Load the demo" }).click();
    await steps.getByRole("progressbar", { name: "Loading the demo" }).waitFor();
    await steps.getByText("The demo is loaded.").waitFor({ timeout: 120_000 });
    await steps.getByText(/^\d+ assets from /).waitFor();
    expect(await problems()).toEqual([]);
    await page.reload();
    await page.getByText(/assets in the catalogue/).waitFor();
    expect(await page.getByRole("button", { name: "Load the demo" }).count()).toBe(0);
  } finally {
    await empty.stop();
  }
});
