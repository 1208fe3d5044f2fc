import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { purgeDeleted, sweepHollow } from "#services/housekeeping/purge.ts";
import {
  catrnOf,
  columnJob,
  columnTable,
  type ColumnTestBed,
  columnWorld,
} from "#test/columns/world.ts";

let at: ColumnTestBed;
beforeAll(async () => void (at = await columnWorld()));
afterAll(() => at.drop());

const far = new Date("2100-01-01T00:00:00.000Z");

describe("two establishers of one edge", () => {
  it("keep it until neither declares it, and are both named", async () => {
    const edge = [["e-mart.a", "e-raw.a"]] as [string, string][];
    await at.post([columnJob("e-one", edge, { subtype: "first" })]);
    await at.post([columnJob("e-two", edge, { subtype: "second" })]);
    const { json } = await at.ask("e-mart", "upstream");
    expect(json.edges).toHaveLength(1);
    expect(json.edges[0]).toMatchObject({
      establisher_ids: [await at.id("e-one"), await at.id("e-two")],
      subtype: "first",
    });
    await at.post([columnJob("e-one", [])]);
    expect((await at.ask("e-mart", "upstream")).json.edges[0])
      .toMatchObject({ establisher_ids: [await at.id("e-two")], subtype: "second" });
    await at.post([columnJob("e-two", [])]);
    expect(await at.walk("e-mart", "upstream")).toEqual([]);
  });
});

describe("deletion", () => {
  beforeAll(async () => {
    await at.post([
      columnTable("x-raw", "a"),
      columnTable("x-mart", "a"),
      columnJob("x-job", [["x-mart.a", "x-raw.a"]]),
    ]);
  });
  const edge = ["x-raw.a > x-mart.a"];

  it.each(["x-raw", "x-job"])("of %s hides the edge, restoring shows it again", async (name) => {
    expect(await at.walk("x-mart", "upstream")).toEqual(edge);
    await at.setStatus(name, "DELETED");
    expect(await at.walk("x-mart", "upstream")).toEqual([]);
    await at.setStatus(name, "STABLE");
    expect(await at.walk("x-mart", "upstream")).toEqual(edge);
  });

  it("of the root answers 404; posting it again brings its edges back", async () => {
    await at.setStatus("x-mart", "DELETED");
    expect((await at.ask("x-mart", "upstream")).status).toBe(404);
    expect(await at.walk("x-raw", "downstream")).toEqual([]);
    await at.post([columnTable("x-mart", "a")]);
    expect(await at.walk("x-raw", "downstream")).toEqual(edge);
  });

  it("an edge needs all three: it stays hidden while one is deleted still", async () => {
    await at.setStatus("x-raw", "DELETED");
    await at.setStatus("x-job", "DELETED");
    await at.setStatus("x-raw", "STABLE");
    expect(await at.walk("x-mart", "upstream")).toEqual([]);
    await at.post([columnJob("x-job", [["x-mart.a", "x-raw.a"]])]);
    expect(await at.walk("x-mart", "upstream")).toEqual(edge);
  });

  it("an edge to a deleted dataset is declared hidden", async () => {
    await at.setStatus("x-raw", "DELETED");
    await at.post([columnJob("x-other", [["x-mart.a", "x-raw.a"]])]);
    expect(await at.walk("x-mart", "upstream")).toEqual([]);
    await at.setStatus("x-raw", "STABLE");
    const { json } = await at.ask("x-mart", "upstream");
    expect(json.edges[0].establisher_ids).toHaveLength(2);
  });
});

describe("purge", () => {
  const fate = async (name: string) =>
    (await at.rows<{ hollow: boolean }>(
      "SELECT hollow FROM data_entity WHERE catrn = $1",
      catrnOf(name),
    )).map(({ hollow }) => hollow ? "hollow" : "whole")[0] ?? "gone";
  const columnsOf = async (id: number) =>
    (await at.rows<{ path: string }>(
      "SELECT path FROM dataset_column WHERE dataset_id = $1 ORDER BY 1",
      id,
    )).map(({ path }) => path);

  it("of a dataset that an edge of another names leaves it hollow, its columns unknown to schemas", async () => {
    await at.post([columnTable("p-raw", "a", "b"), columnJob("p-job", [["p-mart.a", "p-raw.A"]])]);
    await at.setStatus("p-raw", "DELETED");
    expect(await purgeDeleted(at.db, far, 100)).toMatchObject({ hollowed: 1 });
    expect(await fate("p-raw")).toBe("hollow");
    expect(await at.walk("p-mart", "upstream")).toEqual(["p-raw.A > p-mart.a"]);
    expect((await at.ask("p-raw", "downstream")).json.columns)
      .toMatchObject([{ field_id: null }, { field_id: null }]);
  });

  it("of an establisher ends what it declared, and lets go of what only it named", async () => {
    const raw = await at.id("p-raw");
    const job = await at.id("p-job");
    await at.setStatus("p-job", "DELETED");
    await purgeDeleted(at.db, far, 100);
    expect(await fate("p-job")).toBe("gone");
    expect(await at.walk("p-mart", "upstream")).toEqual([]);
    const past = await at.rows("SELECT * FROM column_edge_history WHERE establisher_id = $1", job);
    expect(past).toHaveLength(1);
    await sweepHollow(at.db, far, 0, 1_000);
    expect([await fate("p-raw"), await fate("p-mart")]).toEqual(["gone", "gone"]);
    expect(await columnsOf(raw)).toEqual(["A"]);
    const [forgotten] = await at.rows("SELECT forget_column_history($1, 1000) AS count", far);
    expect(forgotten!.count).toBeGreaterThanOrEqual(1);
    expect(await columnsOf(raw)).toEqual([]);
  });

  it("forgetting the history keeps columns that an edge names", async () => {
    await at.post([columnJob("f-job", [["f-mart.a", "f-raw.a", "f-raw.b"]])]);
    await at.post([columnJob("f-job", [["f-mart.a", "f-raw.a"]])]);
    const raw = await at.id("f-raw");
    expect(await columnsOf(raw)).toEqual(["a", "b"]);
    await at.rows("SELECT forget_column_history($1, 1000)", far);
    expect(await columnsOf(raw)).toEqual(["a"]);
    expect(await at.walk("f-mart", "upstream")).toEqual(["f-raw.a > f-mart.a"]);
  });
});
