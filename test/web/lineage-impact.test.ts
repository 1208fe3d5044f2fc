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

const jobTypes = ["JOB", "ML_MODEL_TRAINING"];

interface Stream {
  nodes: { id: number; type: { name: string } | null }[];
  edges: { source_id: number; target_id: number }[];
  groups: { id: number }[];
}

interface ReachedEntity {
  /** Edges on the shortest way. */
  distance: number;
  /** Assets on the way with the fewest; a job counts with the asset before it. */
  hops: number;
  isJob: boolean;
}

/** Everything on one side, over edges that name every group as expanded. */
async function reachedFrom(root: number, side: "upstream" | "downstream") {
  let groups: number[] = [];
  for (;;) {
    const query = groups.map((id) => `&expanded_entity_ids=${id}`).join("");
    const path = `/api/dataentities/${root}/lineage/${side}?lineage_depth=1000000${query}`;
    const { [side]: found } = await site().json(path) as Record<typeof side, Stream>;
    if (found.groups.some(({ id }) => !groups.includes(id))) {
      groups = found.groups.map(({ id }) => id);
      continue;
    }
    return walked(root, side, found);
  }
}

/** Shortest ways by relaxing every edge until nothing changes. */
function walked(root: number, side: "upstream" | "downstream", { nodes, edges }: Stream) {
  const jobs = new Set(
    nodes.flatMap(({ id, type }) => (jobTypes.includes(type?.name ?? "") ? [id] : [])),
  );
  const reached = new Map<number, ReachedEntity>([[root, { distance: 0, hops: 0, isJob: false }]]);
  for (let changed = true; changed;) {
    changed = false;
    for (const { source_id, target_id } of edges) {
      const [near, next] = side === "upstream" ? [target_id, source_id] : [source_id, target_id];
      const from = reached.get(near);
      if (!from) continue;
      const isJob = jobs.has(next);
      const known = reached.get(next) ?? { distance: Infinity, hops: Infinity, isJob };
      const distance = Math.min(known.distance, from.distance + 1);
      const hops = Math.min(known.hops, from.hops + (isJob ? 0 : 1));
      if (distance === known.distance && hops === known.hops) continue;
      reached.set(next, { distance, hops, isJob });
      changed = true;
    }
  }
  return reached;
}

/** Distances on one side of what lies within so many hops: a job only where it leads to such an asset. */
async function hopsOf(root: number, side: "upstream" | "downstream", hops: number) {
  const all = await reachedFrom(root, side);
  const within = [...all].filter(([, at]) => (at.isJob ? at.hops < hops : at.hops <= hops));
  return new Map(within.map(([id, { distance }]) => [id, distance]));
}

/** What the table has to say of every entity within so many hops. */
async function expectedRows(root: number, hops: number) {
  const [up, down] = [
    await hopsOf(root, "upstream", hops),
    await hopsOf(root, "downstream", hops),
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

it.each([["1", 1], ["3", 3], ["all", Infinity]])(
  "the CSV tells direction and distance of every entity, whatever is folded, %s hops around",
  async (name, hops) => {
    const expected = await expectedRows(orders, hops);
    await journey(async ({ page, go }) => {
      await go(`/lineage?ids=${orders}&up=${name}&down=${name}`);
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
  const expected = await expectedRows(source, Infinity);
  await journey(async ({ page, go }) => {
    await go(`/lineage?ids=${source}&up=all&down=all&panel=1`);
    await drawn(page);
    const table = page.getByRole("treegrid", { name: /Assets in this graph/ });
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
    const folded = groups.map(({ id }) => `fg${id}`).join("~");
    await go(`/lineage?ids=${source}&up=all&down=all&closed=${folded}`);
    await drawn(page);
    expect(sidesOf((await savedRows(page)).rows)).toEqual(closed);
    expect(closed).toEqual(expected);
  });
});

it("what is opened on from another entity has its distance from the start, and closing changes nothing", async () => {
  const expected = await expectedRows(orders, Infinity);
  await journey(async ({ page, go }) => {
    const near = [...await hopsOf(orders, "downstream", 1)].filter(([id]) => id !== orders);
    const steps = near.map(([id]) => `${id}da`).join(".");
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

it("writes to the owners of what is downstream once somebody sends it, where there is a chat", async () => {
  const impact = await site().json(`/api/dataentities/${orders}/impact`) as {
    total: number;
    owners: { name: string; total: number }[];
  };
  await journey(async ({ page, go, problems }) => {
    const sent: Record<string, unknown>[] = [];
    // The document says what is switched on.
    await page.route("**/lineage?*", async (route) => {
      if (route.request().resourceType() !== "document") return await route.fallback();
      const answer = await fetch(route.request().url(), { headers: { accept: "text/html" } });
      const body = (await answer.text())
        .replace(/("\/api\/features\/active":\{"items":)\[[^\]]*\]/, '$1["DATA_COLLABORATION"]');
      const { "content-encoding": _, ...headers } = Object.fromEntries(answer.headers);
      await route.fulfill({ headers, body });
    });
    await page.route(
      "**/api/datacollaboration/providers/chat/channels*",
      (route) => route.fulfill({ json: { items: [{ channel_id: "C1", name: "data" }] } }),
    );
    await page.route("**/api/datacollaboration/providers/chat/messages", (route) => {
      sent.push(route.request().postDataJSON());
      return route.fulfill({ status: 202, json: {} });
    });
    await go(`/lineage?ids=${orders}&panel=1`);
    await page.getByRole("button", { name: "Notify owners" }).click();
    const dialog = page.getByRole("dialog", { name: "Notify owners" });
    const [owner] = impact.owners;
    const text = await dialog.getByLabel("Message").inputValue();
    expect(text).toContain(`It affects ${impact.total} assets downstream`);
    expect(text).toContain(`${owner!.name} (${owner!.total})`);
    expect(await problems()).toEqual([]);
    expect(sent).toEqual([]);
    await dialog.getByLabel("Channel").click();
    await page.getByRole("option", { name: "#data" }).click();
    await dialog.getByRole("button", { name: "Send" }).click();
    await page.getByText("Message sent").waitFor();
    expect(sent).toEqual([{ data_entity_id: orders, channel_id: "C1", text }]);
  });
});

it("tells the same numbers in the CSV as the operation for impact", async () => {
  const { total } = await site().json(`/api/dataentities/${orders}/impact`) as { total: number };
  await journey(async ({ page, go }) => {
    await go(`/lineage?ids=${orders}&up=0&down=all`);
    await drawn(page);
    const { rows } = await savedRows(page);
    expect(rows.filter(({ side }) => side !== "root")).toHaveLength(total);
  });
});
