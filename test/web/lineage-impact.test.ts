import { readFile } from "node:fs/promises";
import { parse } from "csv-parse/sync";
import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { useSite } from "#test/support/web/journeys.ts";
import { idOf } from "#test/support/web/site.ts";

// In the demonstration the jobs that build the marts are one group: what it reads and what it writes are on both sides.
const { site, journey } = useSite();
let orders: number;
let source: number;
beforeAll(async () => {
  orders = await idOf(site(), "fct_orders", "/tables/fct_orders");
  source = await idOf(site(), "orders", "/sales/tables/orders");
});

interface Stream {
  nodes: { id: number; external_name: string | null }[];
  edges: { source_id: number; target_id: number }[];
  groups: { id: number }[];
}

/** Hops by id on one side, breadth first over edges that name every group as expanded. */
async function hopsOf(root: number, side: "upstream" | "downstream", depth: number) {
  let groups: number[] = [];
  for (;;) {
    const query = groups.map((id) => `&expanded_entity_ids=${id}`).join("");
    const path = `/api/dataentities/${root}/lineage/${side}?lineage_depth=${depth}${query}`;
    const { [side]: found } = await site().json(path) as Record<typeof side, Stream>;
    if (found.groups.some(({ id }) => !groups.includes(id))) {
      groups = found.groups.map(({ id }) => id);
      continue;
    }
    const hops = new Map([[root, 0]]);
    for (const [at, far] of hops) {
      for (const { source_id, target_id } of found.edges) {
        const [near, next] = side === "upstream" ? [target_id, source_id] : [source_id, target_id];
        if (near === at && !hops.has(next)) hops.set(next, far + 1);
      }
    }
    return hops;
  }
}

/** What the table has to say of every entity within `depth` hops. */
async function expectedRows(root: number, depth: number) {
  const [up, down] = [
    await hopsOf(root, "upstream", depth),
    await hopsOf(root, "downstream", depth),
  ];
  const rows = [...up.keys(), ...down.keys()].map((id): [number, string] => {
    const [above, below] = [up.get(id), down.get(id)];
    if (id === root) return [id, "root 0"];
    if (above === undefined) return [id, `downstream ${below}`];
    return [id, below === undefined ? `upstream ${above}` : `both ${Math.min(above, below)}`];
  });
  return Object.fromEntries(rows);
}

async function savedRows(page: Page) {
  await page.getByRole("button", { name: "Export" }).click();
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: "CSV" }).click(),
  ]);
  const text = await readFile(await file.path());
  const rows = parse(text, { bom: true, columns: true }) as Record<string, string>[];
  return { name: file.suggestedFilename(), rows };
}
const sidesOf = (rows: Record<string, string>[]) =>
  Object.fromEntries(rows.map(({ id, side, distance }) => [id, `${side} ${distance}`]));

const drawn = (page: Page) => page.locator("[role=application][aria-busy=false]").waitFor();

it.each([["1", 1], ["3", 3], ["all", 1_000_000]])(
  "the CSV tells direction and distance of every entity, whatever is folded, %s hops around",
  async (name, depth) => {
    const expected = await expectedRows(orders, depth);
    await journey(async ({ page, go }) => {
      await go(`/lineage?ids=${orders}&depth=${name}`);
      await drawn(page);
      const { rows, name: file } = await savedRows(page);
      expect(sidesOf(rows)).toEqual(expected);
      expect(new Set(rows.map(({ complete }) => complete))).toEqual(new Set(["true"]));
      expect(file).toBe("lineage-fct_orders.csv");
      expect(rows.map((row) => row.name)).not.toContain("build_marts");
    });
  },
);

it("Impact lists the same with folds closed and open, and keys come by each of its rows", async () => {
  const expected = await expectedRows(source, 1_000_000);
  await journey(async ({ page, go }) => {
    await go(`/lineage?ids=${source}&depth=all&panel=1`);
    await drawn(page);
    const table = page.getByRole("treegrid", { name: /Entities of this drawing/ });
    const count = String(Object.keys(expected).length + 1);
    await expect.poll(() => table.getAttribute("aria-rowcount")).toBe(count);
    const features = table.getByRole("row", { name: /mrt_churn_features/ });
    const id = await idOf(site(), "mrt_churn_features", "/tables/mrt_churn_features");
    const far = expected[id]!.replace("downstream ", "");
    await table.getByRole("row").nth(1).focus();
    await page.keyboard.press("End");
    await features.getByText(`${far} down`, { exact: true }).waitFor();
    const closed = sidesOf((await savedRows(page)).rows);
    // Also entities of one fold come one after the other.
    await table.getByRole("row").nth(1).focus();
    await page.keyboard.press("Home");
    const at = () => table.getByRole("row", { selected: true }).getAttribute("data-row");
    for (let row = 0; row < Number(count) - 1; row++) {
      await expect.poll(at).toBe(String(row));
      await page.keyboard.press("ArrowDown");
    }
    const { groups } = (await site().json(
      `/api/dataentities/${source}/lineage/downstream?lineage_depth=99`,
    ) as { downstream: Stream }).downstream;
    await go(`/lineage?ids=${source}&depth=all&open=${groups.map((g) => `fg${g.id}`).join("~")}`);
    await drawn(page);
    expect(sidesOf((await savedRows(page)).rows)).toEqual(closed);
    expect(closed).toEqual(expected);
  });
});

it("what is opened on from another entity has its distance from the start, and closing changes nothing", async () => {
  const expected = await expectedRows(orders, 1_000_000);
  await journey(async ({ page, go }) => {
    const jobs = [...await hopsOf(orders, "downstream", 1)].filter(([, hops]) => hops === 1);
    const steps = jobs.map(([id]) => `${id}da`).join(".");
    await go(`/lineage?ids=${orders}&steps=${steps}.-${orders}u`);
    await drawn(page);
    const saved = sidesOf((await savedRows(page)).rows);
    expect(Object.keys(saved).length).toBeGreaterThan(10);
    for (const [id, row] of Object.entries(saved)) expect([id, row]).toEqual([id, expected[id]]);
    for (const id of (await hopsOf(orders, "upstream", 1)).keys()) expect(saved[id]).toBeDefined();
  });
});

it("a list that a budget cut says so on the screen, in its name and in each row", () =>
  journey(async ({ page, go }) => {
    await page.route("**/lineage/downstream?*", async (route) => {
      const answer = await fetch(route.request().url());
      const headers = { ...Object.fromEntries(answer.headers), "x-lineage-truncated": "nodes" };
      await route.fulfill({ headers, body: await answer.text() });
    });
    await go(`/lineage?ids=${orders}&panel=1`);
    await drawn(page);
    await page.getByRole("columnheader", { name: "Name (partial list)" }).waitFor();
    const { name, rows } = await savedRows(page);
    expect(name).toBe("lineage-partial-fct_orders.csv");
    expect(new Set(rows.map(({ complete }) => complete))).toEqual(new Set(["false"]));
    await page.getByText("The CSV is partial").waitFor();
  }));
