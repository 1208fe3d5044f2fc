import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Item } from "#services/ingest-consumer/testing/harness.ts";
import { Impact } from "#contract/catalogue/asset-health.ts";
import {
  catrnOf,
  columnJob,
  columnTable,
  type ColumnTestBed,
  columnWorld,
} from "#test/columns/world.ts";
import { seedAlert, seedOwnership } from "#test/support/seed/seed.ts";

let at: ColumnTestBed;
beforeAll(async () => {
  at = await columnWorld();
  await at.post([
    columnTable("raw", "id", "total"),
    columnTable("mart", "amount", "key"),
    columnTable("sum", "amount"),
  ]);
  await at.post([
    copying("load", ["raw"], "mart", [["mart.amount", "raw.total"], ["mart.key", "raw.id"]]),
    copying("add", ["mart"], "sum", [["sum.amount", "mart.amount"]]),
    dashboard("board", "sum"),
    dashboard("keys", "mart"),
  ]);
  await seedOwnership(at.db, await at.id("mart"), "ann");
  await seedOwnership(at.db, await at.id("board"), "ann");
  await seedOwnership(at.db, await at.id("raw"), "bob");
  await seedAlert(at.db, await at.id("sum"));
});
afterAll(() => at.drop());

/** A job that reads and writes tables, and says which columns. */
function copying(name: string, inputs: string[], output: string, arrows: [string, string][]): Item {
  const job = columnJob(name, arrows);
  const ends = { inputs: inputs.map(catrnOf), outputs: [catrnOf(output)] };
  return { ...job, data_transformer: { ...job.data_transformer as object, ...ends } } as Item;
}

const dashboard = (name: string, of: string): Item => ({
  catrn: catrnOf(name),
  name,
  type: "DASHBOARD",
  data_consumer: { inputs: [catrnOf(of)] },
});

async function impactOf(name: string, query = "") {
  const answer = await at.api.get(`/api/dataentities/${await at.id(name)}/impact${query}`);
  expect(answer.status, answer.text).toBe(200);
  return Impact.parse(answer.json);
}

const types = ({ types }: Impact) =>
  Object.fromEntries(types.map(({ type, total }) => [type?.name, total]));

describe("getDataEntityImpact", () => {
  it("200: counts everything downstream by type and owner, without the start", async () => {
    const impact = await impactOf("raw");
    expect(impact).toMatchObject({
      total: 6,
      owners: [{ name: "ann", total: 2 }],
      unowned: 4,
      open_alerts: 1,
      with_open_alerts: 1,
      columns: null,
      consumers: null,
    });
    expect(types(impact)).toEqual({ TABLE: 2, JOB: 2, DASHBOARD: 2 });
    expect(await impactOf("board")).toMatchObject({ total: 0, types: [], owners: [] });
  });

  it("200: of a column names what is made from it, to the end, and what reads the tables reached", async () => {
    const impact = await impactOf("raw", "?column=total");
    expect(impact.columns).toMatchObject([
      { dataset_name: "mart", name: "amount", distance: 1 },
      { dataset_name: "sum", name: "amount", distance: 2 },
    ]);
    expect(impact.consumers!.map(({ name }) => name)).toEqual(["board", "keys"]);
    expect(types(impact)).toEqual({ TABLE: 2, DASHBOARD: 2 });
    const keys = await impactOf("raw", "?column=ID");
    expect(keys.columns!.map(({ name }) => name)).toEqual(["key"]);
    expect(keys.consumers!.map(({ name }) => name)).toEqual(["keys"]);
  });

  it("404: an unknown entity, and a column that it has not", async () => {
    expect((await at.api.get("/api/dataentities/999999/impact")).status).toBe(404);
    const answer = await at.api.get(`/api/dataentities/${await at.id("raw")}/impact?column=nope`);
    expect([answer.status, answer.text]).toMatchObject([
      404,
      expect.stringContaining("has no column nope"),
    ]);
  });

  it("says when a budget ended the walk", async () => {
    const api = at.within({ "max-nodes": 2 });
    const answer = await api.get(`/api/dataentities/${await at.id("raw")}/impact`);
    expect(answer.headers.get("x-lineage-truncated")).toBe("nodes");
  });
});
