import { expect, it } from "vitest";
import { cardsOf } from "#test/support/web/drawing.ts";
import { useSite } from "#test/support/web/journeys.ts";
import { idOf, projected } from "#test/support/web/site.ts";

const { site, journey } = useSite();

const source = "//postgresql/host/wide.example/databases/w";

/** Posts items of one source, in batches that the service takes. */
async function ingest(items: object[]): Promise<void> {
  await site().send("POST", "/ingestion/datasources", { items: [{ name: "Wide", catrn: source }] });
  for (let at = 0; at < items.length; at += 500) {
    const answer = await site().send("POST", "/ingestion/entities", {
      data_source_catrn: source,
      items: items.slice(at, at + 500),
    });
    expect(answer.status, await answer.text()).toBe(200);
  }
  await projected(site());
}
const catrn = (name: string) => `${source}/tables/${name}`;
const table = (name: string) => ({
  catrn: catrn(name),
  name,
  type: "TABLE",
  dataset: { field_list: [] },
});
const report = (name: string, of: string) => ({
  catrn: `${source}/reports/${name}`,
  name,
  type: "DASHBOARD",
  data_consumer: { inputs: [catrn(of)] },
});
const made = (from: string, into: string[]) => ({
  catrn: `${source}/jobs/${from}`,
  name: `split_${from}`,
  type: "JOB",
  data_transformer: { inputs: [catrn(from)], outputs: into.map(catrn) },
});
const names = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${prefix}_${at + 1}`);

it("of many neighbors draws ten, and the others that somebody chooses", async () => {
  const reports = names("board", 40);
  await ingest([table("popular"), ...reports.map((name) => report(name, "popular"))]);
  const popular = await idOf(site(), "popular", "/tables/popular");
  await journey(async ({ page, go, problems }) => {
    await go(`/lineage?ids=${popular}`);
    await page.getByText("41 assets, 11 drawn").waitFor();
    await page.locator("[role=application][aria-busy=false]").focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("Enter");
    await page.getByRole("menuitem", { name: "Choose…" }).click();
    const dialog = page.getByRole("dialog", { name: "Downstream of popular" });
    await dialog.getByText("10 of 40 are in the graph").waitFor();
    await dialog.getByRole("searchbox", { name: "Search by name" }).fill("board_39");
    await dialog.getByRole("checkbox", { name: /^board_39/ }).check();
    await dialog.getByText("11 of 40 are in the graph").waitFor();
    expect(await problems()).toEqual([]);
    await dialog.getByRole("button", { name: "Show 10 more" }).click();
    await page.getByText("41 assets, 22 drawn").waitFor();
    await page.waitForURL(/steps=\d+k\.\d+dm10/);
    const { cards, svg } = await cardsOf(page);
    expect(cards.map(({ name }) => name)).toContain("board_39");
    expect(svg).toContain(">+19<");
    // What is left out is found by its name, and then drawn.
    await page.keyboard.press("/");
    await page.keyboard.type("board_38");
    await page.keyboard.press("Enter");
    await page.getByText("41 assets, 23 drawn").waitFor();
  });
});

it("is cards, then rows with names, then a map of frames, and first a summary above 1,000", async () => {
  const [first, second] = [names("core", 12), names("mart", 144)];
  const groups = first.map((name, at) => ({
    catrn: `${source}/groups/${name}`,
    name: `domain_${at + 1}`,
    type: "DATABASE_SERVICE",
    data_entity_group: { entities_list: second.slice(12 * at, 12 * at + 12).map(catrn) },
  }));
  await ingest([
    ...["wide", ...first, ...second].map(table),
    made("wide", first),
    ...first.map((name, at) => made(name, second.slice(12 * at, 12 * at + 12))),
    ...groups,
  ]);
  await ingest(
    second.flatMap((name) => names(`report_${name}`, 7).map((one) => report(one, name))),
  );
  const wide = await idOf(site(), "wide", "/tables/wide");
  await journey(async ({ page, go, problems }) => {
    await go(`/lineage?ids=${wide}`);
    await page.getByText("157 assets, 13 jobs", { exact: true }).waitFor();
    const rows = await cardsOf(page);
    expect(rows.cards).toHaveLength(157);
    expect(rows.svg.match(/<rect width="240" height="24"/g)).toHaveLength(156);
    expect(rows.svg).toContain(">domain_3<");
    await page.getByLabel("Hops downstream").selectOption("3");
    const summary = page.getByRole("region", { name: "Summary of a large graph" });
    await summary.getByText("1,177 downstream of wide").waitFor();
    await summary.getByText("1,008 dashboards").first().waitFor();
    expect(await problems()).toEqual([]);
    await summary.getByRole("button", { name: /^Draw a map/ }).click();
    await page.getByText(/^1,165 assets, 13 jobs, a map of \d+ frames$/).waitFor();
    const map = await cardsOf(page);
    expect(map.cards.length).toBeLessThan(40);
    expect(map.cards).toContainEqual(
      expect.objectContaining({ name: "domain_3", detail: "12 tables" }),
    );
    const before = await page.getByText(/a map of/).innerText();
    await page.locator("[role=application][aria-busy=false]").focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await page.getByRole("menuitem", { name: /^Expand/ }).click();
    await page.waitForURL(/open=fm/);
    await page.getByText(before, { exact: true }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Draw every asset" }).click();
    await page.getByText("1,165 assets, 13 jobs", { exact: true }).waitFor();
    await page.locator("[role=application][aria-busy=false]").waitFor();
  });
});
