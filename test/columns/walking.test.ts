import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { wholeDataset } from "#contract/column-lineage.ts";
import {
  arrowsOf,
  columnJob,
  columnTable,
  type ColumnTestBed,
  columnWorld,
} from "#test/columns/world.ts";

let at: ColumnTestBed;
beforeAll(async () => void (at = await columnWorld()));
afterAll(() => at.drop());

describe("INDIRECT edges and whole datasets", () => {
  beforeAll(async () => {
    await at.post([
      columnTable("w-raw", "id", "flag", "total"),
      columnTable("w-mart", "total", "day"),
      columnTable("w-report", "sum"),
      columnJob("w-load", [["w-mart.total", "w-raw.total", "w-raw.flag ~"], [
        "w-mart",
        "w-raw.id ~",
      ]]),
      columnJob("w-sum", [["w-report.sum", "w-mart.total"]]),
    ]);
  });

  it("are left out unless asked for", async () => {
    expect(await at.walk("w-mart", "upstream")).toEqual(["w-raw.total > w-mart.total"]);
  });

  it("upstream, what has a say in the whole dataset has one in each of its columns", async () => {
    const day = "columns=day&include_indirect=true";
    expect(await at.walk("w-mart", "upstream", day)).toEqual(["w-raw.id ~> w-mart"]);
    expect(await at.walk("w-report", "upstream", "lineage_depth=2&include_indirect=true")).toEqual([
      "w-mart.total > w-report.sum",
      "w-raw.flag ~> w-mart.total",
      "w-raw.id ~> w-mart",
      "w-raw.total > w-mart.total",
    ]);
  });

  it("downstream, a whole dataset is where it ends, unless asked to go through", async () => {
    const id = "columns=id&lineage_depth=5&include_indirect=true";
    expect(await at.walk("w-raw", "downstream", id)).toEqual(["w-raw.id ~> w-mart"]);
    expect(await at.walk("w-raw", "downstream", `${id}&through_datasets=true`)).toEqual([
      "w-mart.total > w-report.sum",
      "w-raw.id ~> w-mart",
    ]);
  });

  it("a whole dataset is a node of its own, and a root without columns being named", async () => {
    await at.post([columnJob("w-count", [["w-counts.n", "w-raw"]])]);
    const { json } = await at.ask("w-raw", "downstream");
    const whole = wholeDataset(await at.id("w-raw"));
    expect(json.columns).toContainEqual(
      { id: whole, dataset_id: await at.id("w-raw"), name: null, field_id: null, type: null },
    );
    expect(json.root.columns).not.toContain(whole);
    expect(arrowsOf({ json } as never)).toContain("w-raw > w-counts.n");
    expect(await at.walk("w-raw", "downstream", "columns=total"))
      .toEqual(["w-raw.total > w-mart.total"]);
  });
});

describe("the root of an answer", () => {
  it("lists every column of the dataset, whether or not an edge touches it", async () => {
    await at.post([columnTable("root", "a", "b", "c"), columnJob("root-job", [["root.b", "x.y"]])]);
    const { json } = await at.ask("root", "upstream");
    const names = new Map(json.columns.map((c: { id: number; name: string }) => [c.id, c.name]));
    expect(json.root.columns.map((id: number) => names.get(id))).toEqual(["a", "b", "c"]);
    const one = await at.ask("root", "upstream", "columns=C");
    expect(one.json.columns).toMatchObject([{ name: "c", field_id: expect.any(Number) }]);
    expect(one.json.datasets).toHaveLength(1);
  });

  it("answers 404 naming an unknown column, and for an unknown dataset", async () => {
    const wrong = await at.ask("root", "upstream", "columns=a,nothing");
    expect([wrong.status, wrong.json.details]).toEqual([
      404,
      [{ field: "columns", message: "nothing is no column" }],
    ]);
    expect(wrong.json.message).toContain("nothing");
    const none = await at.api.get("/api/datasets/999999999/columns/lineage/upstream");
    expect(none.status).toBe(404);
  });

  it("takes at most 500 names, and a depth of at least 1", async () => {
    const many = Array.from({ length: 501 }, (_, n) => `c${n}`).join(",");
    expect((await at.ask("root", "upstream", `columns=${many}`)).status).toBe(400);
    expect((await at.ask("root", "upstream", "lineage_depth=0")).status).toBe(400);
  });
});

describe("budgets", () => {
  beforeAll(async () => {
    const wide = Array.from({ length: 6 }, (_, n) => `b-mart.c${n}`);
    await at.post([
      columnTable("b-raw", "a"),
      columnJob("b-wide", wide.map((target) => [target, "b-raw.a"])),
      columnJob("b-deep", wide.map((source, n) => [`b-report.r${n}`, source])),
    ]);
  });
  const ask = async (max: number, query: string) => {
    const path = `/api/datasets/${await at.id("b-raw")}/columns/lineage/downstream?${query}`;
    return await at.within({ "max-nodes": max }).get(path);
  };

  it("end a walk after its last whole level, and say where it goes on", async () => {
    const cut = await ask(10, "lineage_depth=3&columns=a");
    expect(cut.headers.get("x-lineage-truncated")).toBe("nodes");
    expect(arrowsOf(cut)).toHaveLength(6);
    expect(cut.json.truncated_at.map((t: { remaining_depth: number }) => t.remaining_depth))
      .toEqual([2, 2, 2, 2, 2, 2]);
    const whole = await ask(20, "lineage_depth=3&columns=a");
    expect(whole.headers.get("x-lineage-truncated")).toBe(null);
    expect([arrowsOf(whole).length, whole.json.truncated_at]).toEqual([12, []]);
  });

  it("answer as much as fits when the first level alone is too large", async () => {
    const cut = await ask(4, "lineage_depth=3&columns=a");
    expect(cut.headers.get("x-lineage-truncated")).toBe("nodes");
    expect(arrowsOf(cut)).toHaveLength(3);
    const root = cut.json.root.columns[0];
    expect(cut.json.truncated_at).toHaveLength(4);
    expect(cut.json.truncated_at).toContainEqual({ id: root, remaining_depth: 3 });
    const shallow = await ask(4, "lineage_depth=1&columns=a");
    expect(shallow.json.truncated_at).toEqual([{ id: root, remaining_depth: 1 }]);
  });

  it("a depth that ends the walk is no cut", async () => {
    const shallow = await ask(100, "lineage_depth=1&columns=a");
    expect(shallow.headers.get("x-lineage-truncated")).toBe(null);
    expect(shallow.json.truncated_at).toEqual([]);
    expect(shallow.headers.get("x-lineage-position")).toMatch(/^\d+$/);
  });
});
