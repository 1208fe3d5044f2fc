import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { Leases } from "#metadata/postgres/leases.ts";
import { projectorLease } from "#services/ingest-consumer/projector/queries.ts";
import { eventually } from "#test/support/eventually.ts";
import { type Instance } from "#test/support/engines/instance.ts";
import { useSite } from "#test/support/web/journeys.ts";
import { idOf, projected } from "#test/support/web/site.ts";
import { oneSetBySize } from "#test/support/engines/sets-by-size.ts";

const drawing = (page: Page) => page.getByRole("application", { name: /^Lineage of/ });
/** The drawing once all of it is there: before, keys find nothing to go to. */
async function settled(page: Page) {
  await page.locator("[role=application][aria-busy=false]").waitFor();
  return drawing(page);
}
/** What is read out of the box that has the focus. */
const said = (page: Page) => page.getByRole("status").filter({ hasText: "feeds" });

const source = "//postgresql/host/live.example/databases/l";
const table = (name: string) => ({
  catrn: `${source}/tables/${name}`,
  name,
  type: "TABLE",
  dataset: { field_list: [] },
});
/** A job that reads the table `watched`. */
const reader = (name: string) => ({
  catrn: `${source}/jobs/${name}`,
  name,
  type: "JOB",
  data_transformer: { inputs: [`${source}/tables/watched`], outputs: [] },
});

async function ingest({ send }: Instance, ...items: object[]): Promise<void> {
  const answer = await send("POST", "/ingestion/entities", { data_source_catrn: source, items });
  expect(answer.status, await answer.text()).toBe(200);
}

/** Keeps the projector from its work; the returned function lets it go on. */
async function pauseProjector({ test, json }: Instance): Promise<() => Promise<void>> {
  const leases = new Leases(test.db, "a test");
  await leases.seize(projectorLease, 60_000);
  await eventually(async () => {
    const { projector } = await json("/api/ops/projection") as { projector: { state: string } };
    expect(projector.state).toBe("standby");
  });
  return () => leases.release(projectorLease);
}

describe.each(oneSetBySize())("lineage over %s engines", (set) => {
  const { site, journey } = useSite(set);
  let orders: number;
  beforeAll(async () => {
    orders = await idOf(site(), "fct_orders", "/tables/fct_orders");
    // The first question of all takes an engine longer.
    await site().json(`/api/dataentities/${orders}/lineage/upstream?lineage_depth=1`);
    await site().json(`/api/dataentities/${orders}/lineage/downstream?lineage_depth=1`);
  });

  it("opens small, is walked by keys, and shows all paths through what is chosen", () =>
    journey(async ({ page, go }) => {
      await go(`/lineage?ids=${orders}`);
      await page.getByText("22 assets, 6 jobs", { exact: true }).waitFor();
      await (await settled(page)).focus();
      await page.keyboard.press("Home");
      await said(page).filter({ hasText: /^fct_orders, .*start of this drawing/ }).waitFor();
      await page.keyboard.press("ArrowRight");
      await said(page).filter({ hasText: "fed by fct_orders" }).waitFor();
      await page.keyboard.press("Space");
      await page.waitForURL(/sel=e\d+/);
      await page.keyboard.press("Escape");
      await page.waitForURL((url) => !url.searchParams.has("sel"));
    }));

  it("goes on from a box and puts away again; the address holds it, and back takes it back", () =>
    journey(async ({ page, go }) => {
      await go(`/lineage?ids=${orders}`);
      await page.getByText("22 assets, 6 jobs", { exact: true }).waitFor();
      await (await settled(page)).focus();
      await page.keyboard.press("Home");
      await page.keyboard.press("Enter");
      await page.getByRole("menuitem", { name: "Expand all" }).first().click();
      await page.waitForURL(/steps=\d+ua/);
      await page.getByText("22 assets, 6 jobs", { exact: true }).waitFor({ state: "detached" });
      const summary = await page.getByText(/^\d+ assets/).innerText();
      await page.reload();
      await page.getByText(summary, { exact: true }).waitFor();
      await page.goBack();
      await page.getByText("22 assets, 6 jobs", { exact: true }).waitFor();
    }));

  it("finds by name, and lists the same entities by distance", () =>
    journey(async ({ page, go }) => {
      await go(`/lineage?ids=${orders}&panel=1`);
      await page.getByText(/^\d+ assets/).waitFor();
      await settled(page);
      const words = await page.getByText(/^\d+ assets/).innerText();
      const count = words.match(/\d+/g)!.reduce((sum, number) => sum + Number(number), 0);
      const table = page.getByRole("treegrid", { name: /Assets in this graph/ });
      await expect.poll(() => table.getAttribute("aria-rowcount")).toBe(String(count + 1));
      await page.keyboard.press("/");
      const find = page.getByRole("searchbox", { name: "Find in this graph" });
      await find.and(page.locator(":focus")).waitFor();
      await find.fill("orders today");
      await page.getByText("1 found").waitFor();
      await page.keyboard.press("Enter");
      await said(page).filter({ hasText: /^Orders today/ }).waitFor();
      await table.getByRole("row", { name: /Orders today/, selected: true }).focus();
      await page.keyboard.press("ArrowLeft");
      await said(page).filter({ hasText: /^fct_orders/ }).waitFor();
    }));

  it("is a file: SVG, PNG and CSV, whole", () =>
    journey(async ({ page, go }) => {
      await go(`/lineage?ids=${orders}`);
      await page.getByText("22 assets, 6 jobs", { exact: true }).waitFor();
      await settled(page);
      const saved = async (name: string) => {
        await page.getByRole("button", { name: "Export" }).click();
        const [file] = await Promise.all([
          page.waitForEvent("download"),
          page.getByRole("menuitem", { name }).first().click(),
        ]);
        return await readFile(await file.path());
      };
      const svg = (await saved("SVG")).toString();
      expect(svg).toContain(">fct_orders<");
      expect(svg.trimEnd().endsWith("</svg>")).toBe(true);
      const png = await saved("PNG");
      expect(png.subarray(1, 4).toString()).toBe("PNG");
      expect(png.readUInt32BE(16)).toBeGreaterThan(500);
      const csv = (await saved("CSV")).toString().trimEnd().split("\r\n");
      expect(csv).toHaveLength(1 + 28);
      expect(csv[1]).toContain(",fct_orders,TABLE,");
    }));

  it("draws jobs as lines, or as boxes when that is wanted", async () => {
    await site().send("POST", "/ingestion/datasources", { items: [{ name: "L", catrn: source }] });
    const job = {
      ...reader("clean_raw"),
      data_transformer: {
        inputs: [`${source}/tables/raw_lines`],
        outputs: [`${source}/tables/clean_lines`],
      },
    };
    await ingest(site(), table("raw_lines"), table("clean_lines"), job);
    await projected(site());
    const raw = await idOf(site(), "raw_lines", "/tables/raw_lines");
    await journey(async ({ page, go }) => {
      await go(`/lineage?ids=${raw}`);
      await page.getByText("2 assets, 1 job", { exact: true }).waitFor();
      await (await settled(page)).focus();
      await page.keyboard.press("Home");
      await said(page).filter({ hasText: "feeds clean_lines" }).waitFor();
      await page.getByRole("button", { name: "Tables + jobs" }).click();
      await page.waitForURL((url) => url.searchParams.get("show") === "jobs");
      await (await settled(page)).focus();
      await page.keyboard.press("Home");
      await said(page).filter({ hasText: "feeds clean_raw" }).waitFor();
    });
  });

  it("says so when nothing is connected, and when there is no such entity", () =>
    journey(async ({ page, go }) => {
      await go("/lineage?ids=999999");
      await page.getByText("No such lineage").waitFor();
      await go("/lineage");
      await page.getByText("Whose lineage?").waitFor();
    }, { expected: /^404 / }));

  it("follows what is ingested while it is open, as soon as the graph has it", async () => {
    await site().send("POST", "/ingestion/datasources", { items: [{ name: "L", catrn: source }] });
    await ingest(site(), table("watched"), reader("first"));
    await projected(site());
    const watched = await idOf(site(), "watched", "/tables/watched");
    await journey(async ({ page, go }) => {
      await go(`/lineage?ids=${watched}`);
      await page.getByText("1 asset, 1 job", { exact: true }).waitFor();
      await page.getByText("Live", { exact: true }).waitFor();
      const release = set === "distributed" ? await pauseProjector(site()) : undefined;
      const reread = page.waitForResponse(/\/lineage\/downstream/);
      await ingest(site(), reader("second"));
      await reread;
      await release?.();
      await page.getByText("1 asset, 2 jobs", { exact: true }).waitFor();
      await settled(page);
    });
  });
});
