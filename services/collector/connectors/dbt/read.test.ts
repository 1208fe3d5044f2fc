import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Item } from "../../connector.ts";
import { allOf, itemsOf } from "../../testing/source.ts";
import { relationCatrn } from "../postgresql/names.ts";
import { checkProject } from "./check.ts";
import { readProject } from "./read.ts";
import { dbtSession, target } from "./testing/session.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tributary-artifacts-"));
  cpSync(target, folder, { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type More = Parameters<typeof dbtSession>[0];
const read = async (more: More = {}) => await allOf(readProject(dbtSession(more)));
const byCatrn = async (more: More = {}) =>
  new Map(itemsOf(await read(more)).map((item) => [item.catrn, item]));

const source = "//dbt/projects/shop";
const warehouse = "//postgresql/host/db.example/databases/shop";
const table = (name: string, kind: "r" | "v" = "r") =>
  relationCatrn(warehouse, { schema: "main", name, kind });

interface Manifest {
  parent_map: Record<string, string[]>;
  nodes: Record<string, Record<string, unknown>>;
}
const manifest = JSON.parse(readFileSync(join(target, "manifest.json"), "utf8")) as Manifest;

/** What each item reads, and by whom it is made. */
const inputsOf = (item: Item): string[] =>
  item.data_transformer?.inputs ?? item.data_consumer?.inputs ??
    item.data_quality_test?.dataset_list ?? [];

describe("reading the artifacts of dbt", () => {
  it("gives the lineage of the manifest, no edge more and none less", async () => {
    const items = await byCatrn();
    const group = (id: string) =>
      `${source}/${id.split(".")[0]!.replace(/y$/, "ie")}s/${id.slice(id.indexOf(".") + 1)}`;
    const dataOf = new Map(
      [...items.values()].flatMap((item) =>
        item.data_transformer?.outputs.map((output) => [item.catrn, output] as const) ?? []
      ),
    );
    const data = (id: string) =>
      id.startsWith("source.") ? table("page_visits") : dataOf.get(group(id)) ?? group(id);
    const parents = Object.entries(manifest.parent_map)
      .filter(([id]) => !/^(source|test)\./.test(id));
    expect(parents.length).toBeGreaterThan(8);
    for (const [id, expected] of parents) {
      expect([id, inputsOf(items.get(group(id))!).toSorted()])
        .toEqual([id, expected.map(data).toSorted()]);
    }
  });

  it("names tables and views as the connection to the warehouse does", async () => {
    const items = await byCatrn();
    expect(items.get(`${source}/models/shop.orders`)).toMatchObject({
      type: "JOB",
      data_transformer: {
        inputs: [table("raw_orders")],
        outputs: [table("orders")],
        sql: expect.stringContaining("net + tax as total"),
      },
    });
    const [totals] = items.get(`${source}/models/shop.totals`)!.data_transformer!.outputs;
    expect(totals).toBe(table("totals by customer", "v"));
    expect(items.get(totals!)).toMatchObject({ type: "VIEW", name: "totals by customer" });
  });

  it("describes tables with the columns of the catalog and the words of the project", async () => {
    const items = await byCatrn();
    const orders = items.get(table("orders"))!;
    expect(orders).toMatchObject({ type: "TABLE", description: "Orders with their totals" });
    expect(orders.dataset!.field_list).toMatchObject([
      {
        name: "id",
        description: "Its number",
        tags: [{ name: "key" }],
        type: { type: "TYPE_INTEGER", logical_type: "INTEGER" },
      },
      { name: "customer", type: { type: "TYPE_STRING", logical_type: "VARCHAR" } },
      { name: "total", type: { type: "TYPE_INTEGER" } },
    ]);
    expect(items.get(table("page_visits"))).toMatchObject({ description: "Visits of the shop" });
  });

  it("gives owners, tags, groups and exposures", async () => {
    const items = await byCatrn();
    expect(items.get(`${source}/models/shop.orders`)!.owners)
      .toEqual([{ name: "Ann" }, { name: "Finance" }]);
    expect(items.get(`${source}/models/shop.totals`)!.tags).toEqual([{ name: "daily" }]);
    expect(items.get(`${source}/exposures/shop.weekly`)).toMatchObject({
      name: "Weekly report",
      type: "DASHBOARD",
      owners: [{ name: "Bob" }],
      metadata: [{ metadata: { url: "https://bi.example/weekly", kind: "dashboard" } }],
      data_consumer: {
        inputs: expect.arrayContaining([table("totals by customer", "v"), table("page_visits")]),
      },
    });
    expect(items.get(`${source}/semantic_models/shop.orders`)!.dataset!.field_list)
      .toMatchObject([{ name: "order" }, { name: "placed" }, { name: "revenue" }]);
  });

  it("gives tests with their datasets, parameters and last results", async () => {
    const items = [...(await byCatrn()).values()];
    const named = (name: string) => items.filter((item) => item.name === name);
    const [accepted] = named("accepted_values_orders_customer__ada__bob__cyd");
    expect(accepted!.data_quality_test).toMatchObject({
      suite_name: "shop",
      dataset_list: [table("orders")],
      expectation: { type: "accepted_values", column_name: "customer", category: "ASSERTION" },
    });
    const results = items.flatMap(({ name, data_quality_test_run: run }) =>
      run ? [[name, run.status]] : []
    );
    expect(Object.fromEntries(results)).toEqual({
      "Freshness of web.visits": "SUCCESS",
      accepted_values_orders_customer__ada__bob__cyd: "SUCCESS",
      customer_should_be_there: "UNKNOWN",
      no_negative_total: "SKIPPED",
      not_null_orders_id: "SUCCESS",
      not_null_totals_customer: "FAILED",
      not_null_totals_total: "SUCCESS",
      source_not_null_web_visits_customer: "SUCCESS",
      unique_orders_id: "SUCCESS",
    });
    const failed = named("not_null_totals_customer").at(-1)!;
    expect(failed.data_quality_test_run!.status_reason).toMatch(/Got 1 result/);
  });

  it("does without the optional artifacts", async () => {
    for (const name of ["catalog", "run_results", "sources"]) rmSync(join(folder, `${name}.json`));
    const items = await byCatrn({ settings: { location: folder }, folders: [folder] });
    expect(items.get(table("orders"))!.dataset!.field_list.map(({ name }) => name))
      .toEqual(["id", "customer"]);
    expect([...items.values()].filter(({ type }) => type === "JOB_RUN")).toEqual([]);
  });
});

describe("artifacts that can be read in part or not at all", () => {
  const overManifest = (text: string, more: More = {}) => {
    writeFileSync(join(folder, "manifest.json"), text);
    return read({ settings: { location: folder }, folders: [folder], ...more });
  };
  const reasonOf = (reading: Promise<unknown>) =>
    reading.then(() => null, (error) => error.problem);

  it("names a broken node and reads the others", async () => {
    const nodes = { ...manifest.nodes, "model.shop.orders": { name: 7 } };
    const findings = await overManifest(JSON.stringify({ ...manifest, nodes }));
    expect(findings.filter(({ kind }) => kind === "problem")).toEqual([{
      kind: "problem",
      catrn: `${source}/models/shop.orders`,
      problem: {
        object: "shop.orders",
        reason: "its entry in manifest.json cannot be read: name",
        remedy: "Run dbt again",
      },
    }]);
    expect(itemsOf(findings).map(({ name }) => name)).toContain("visits");
  });

  it.each([
    ["half a file", '{"metadata": {"dbt_schema', /not a complete JSON document/],
    ["something else", '{"metadata": {}}', /not a manifest of dbt/],
    ["an old one", '{"metadata": {"dbt_schema_version": "https://x/manifest/v3.json"}}', /older/],
  ])("refuses %s", async (_, text, reason) => {
    expect((await reasonOf(overManifest(text))).reason).toMatch(reason);
  });

  it("does not follow a link out of the allowed folders, nor tell whether a file is there", async () => {
    const own = mkdtempSync(join(tmpdir(), "tributary-artifacts-"));
    try {
      symlinkSync(join(target, "manifest.json"), join(own, "manifest.json"));
      const at = (location: string, folders: string[]) =>
        reasonOf(read({ settings: { location }, folders }));
      const expected = { reason: "its folder is not one that connections may read" };
      expect(await at(own, [own])).toMatchObject(expected);
      expect(await at(target, [])).toMatchObject(expected);
      expect(await at("/no/such/folder", [own])).toMatchObject(expected);
    } finally {
      rmSync(own, { recursive: true, force: true });
    }
  });
});

describe("the check of a project", () => {
  it("tells the version, and warns of a warehouse that dbt did not use or that has no rule", async () => {
    expect(await checkProject(dbtSession({ settings: { warehouse: "duckdb://shop" } })))
      .toEqual([
        { name: "Manifest", outcome: "OK", detail: "manifest v12 of dbt 1.12.0" },
        { name: "Warehouse", outcome: "OK", detail: "duckdb://shop" },
      ]);
    const warehouseOf = async (warehouse: string) =>
      (await checkProject(dbtSession({ settings: { warehouse } })))[1]!;
    expect(await warehouseOf("postgres://db.example:5432")).toMatchObject({ outcome: "WARNING" });
    expect(await warehouseOf("nonsense")).toMatchObject({
      outcome: "WARNING",
      remedy: expect.stringMatching(/OpenLineage/),
    });
  });
});
