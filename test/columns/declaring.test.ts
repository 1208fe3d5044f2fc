import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { field, httpRecord, table } from "#services/ingest-consumer/testing/harness.ts";
import {
  arrowsOf,
  catrnOf,
  columnJob,
  columnTable,
  type ColumnTestBed,
  columnWorld,
} from "#test/columns/world.ts";

let at: ColumnTestBed;
beforeAll(async () => void (at = await columnWorld()));
afterAll(() => at.drop());

const historyOf = async (name: string) =>
  await at.rows<{ since: Date; until: Date; kind: number }>(
    "SELECT * FROM column_edge_history WHERE establisher_id = $1 ORDER BY since",
    await at.id(name),
  );

describe("declaring column lineage", () => {
  it("is walked both ways, the columns named as their schemas spell them", async () => {
    await at.post([columnTable("d-raw", "id", "Total"), columnTable("d-mart", "Amount")]);
    await at.post([columnJob("d-job", [["d-mart.AMOUNT", "d-raw.total"]])]);
    expect(await at.walk("d-mart", "upstream")).toEqual(["d-raw.Total > d-mart.Amount"]);
    expect(await at.walk("d-raw", "downstream")).toEqual(["d-raw.Total > d-mart.Amount"]);
    expect(await at.walk("d-raw", "upstream")).toEqual([]);
  });

  it("folds letter case, beyond ASCII too: two spellings are one column", async () => {
    await at.post([columnJob("c-job", [
      ["c-mart.größe", "c-raw.ÜBER"],
      ["c-mart.GRÖSSE", "c-raw.x"],
      ["c-mart.GRÖßE", "c-raw.über", "c-raw.Über"],
    ])]);
    expect(await at.walk("c-mart", "upstream")).toEqual([
      "c-raw.x > c-mart.GRÖSSE",
      "c-raw.ÜBER > c-mart.größe",
    ]);
    const edges = await at.walk("c-raw", "downstream", `columns=${encodeURIComponent("üBER")}`);
    expect(edges).toEqual(["c-raw.ÜBER > c-mart.größe"]);
  });

  it("shows columns that no schema knows, and datasets known by their CATRN alone", async () => {
    await at.post([columnTable("u-mart", "a"), columnJob("u-job", [["u-mart.a", "u-raw.b"]])]);
    const { json } = await at.ask("u-mart", "upstream");
    const [known, unknown] = ["a", "b"].map((name) =>
      json.columns.find((c: { name: string }) => c.name === name)
    );
    expect(known).toMatchObject({ field_id: expect.any(Number), type: { type: "TYPE_STRING" } });
    expect(unknown).toMatchObject({ field_id: null, type: null });
    expect(json.datasets.find((d: { catrn: string }) => d.catrn === catrnOf("u-raw")))
      .toMatchObject({ external_name: null, data_source: null, status: { status: "UNASSIGNED" } });
    expect(await at.walk("u-raw", "downstream")).toEqual(["u-raw.b > u-mart.a"]);
  });

  it("names nested fields by their path, and takes the newest structure", async () => {
    const nested = (...names: string[]) =>
      table(catrnOf("n-raw"), {
        dataset: {
          field_list: names.map((name, i) =>
            field(`${catrnOf("n-raw")}/${i}`, {
              name,
              ...(i > 0 ? { parent_field_catrn: `${catrnOf("n-raw")}/${i - 1}` } : {}),
            })
          ),
        },
      });
    await at.post([
      nested("Address", "City"),
      columnJob("n-job", [["n-mart.c", "n-raw.address.city"]]),
    ]);
    expect(await at.walk("n-raw", "downstream")).toEqual(["n-raw.Address.City > n-mart.c"]);
    await at.post([nested("ADDRESS", "CITY")]);
    expect(await at.walk("n-raw", "downstream")).toEqual(["n-raw.ADDRESS.CITY > n-mart.c"]);
    await at.post([nested("elsewhere")]);
    const { json } = await at.ask("n-mart", "upstream");
    expect(json.columns.find((c: { name: string }) => c.name === "address.city").field_id).toBe(
      null,
    );
  });

  it("tells what was told of an edge, and since when", async () => {
    const before = Date.now();
    const properties = { subtype: "AGGREGATION", masking: true, description: "sum(total)" };
    await at.post([columnJob("t-job", [["t-mart.a", "t-raw.b"]], properties)]);
    const first = (await at.ask("t-mart", "upstream")).json.edges[0];
    expect(first).toMatchObject({
      ...properties,
      kind: "DIRECT",
      origin: "DECLARED",
      establisher_ids: [await at.id("t-job")],
    });
    expect(Date.parse(first.since)).toBeGreaterThanOrEqual(before - 1_000);
    await at.post([columnJob("t-job", [["t-mart.a", "t-raw.b"]], { description: "other" })]);
    const second = (await at.ask("t-mart", "upstream")).json.edges[0];
    expect(second).toEqual({ ...first, subtype: null, masking: null, description: "other" });
    expect(await historyOf("t-job")).toEqual([]);
  });

  it("replaces what the same entity declared; absent leaves it, [] takes it away", async () => {
    await at.post([columnJob("r-job", [["r-mart.a", "r-raw.a", "r-raw.b"]])]);
    await at.post([columnJob("r-job", [["r-mart.a", "r-raw.b", "r-raw.c ~"]])]);
    const all = "include_indirect=true";
    const unchanged = ["r-raw.b > r-mart.a", "r-raw.c ~> r-mart.a"];
    expect(await at.walk("r-mart", "upstream", all)).toEqual(unchanged);
    await at.post([columnJob("r-job")]);
    expect(await at.walk("r-mart", "upstream", all)).toEqual(unchanged);
    await at.post([columnJob("r-job", [])]);
    expect(await at.walk("r-mart", "upstream", all)).toEqual([]);
    const past = await historyOf("r-job");
    expect(past).toHaveLength(3);
    for (const { since, until } of past) expect(until >= since).toBe(true);
  });

  it("has its effect once: a redelivered part, and the same item again, change nothing", async () => {
    const record = httpRecord([columnJob("i-job", [["i-mart.a", "i-raw.a"]])]);
    const state = () => at.rows("SELECT * FROM column_edge WHERE target_dataset = $1", mart);
    await at.pipeline.process(record);
    const mart = await at.id("i-mart");
    const first = await state();
    expect(first).toHaveLength(1);
    await at.pipeline.process({ ...record, offset: record.offset + 1 });
    await at.post([columnJob("i-job", [["i-mart.a", "i-raw.a"]])]);
    expect(await state()).toEqual(first);
    expect(await historyOf("i-job")).toEqual([]);
  });

  it("keeps no second copy of the edges among the attributes", async () => {
    await at.post([columnJob("s-job", [["s-mart.a", "s-raw.a"]])]);
    const { attributes } = await at.entity(catrnOf("s-job"));
    expect(attributes).toEqual({ data_transformer: { inputs: [], outputs: [] } });
  });
});

describe("what an entity declares", () => {
  it("is told page by page, with the columns and datasets that it names", async () => {
    const targets = Array.from({ length: 5 }, (_, n) => `o-mart.c${n}`);
    await at.post([columnJob("o-job", targets.map((target) => [target, "o-raw.a"]))]);
    const path = `/api/dataentities/${await at.id("o-job")}/columns/lineage`;
    const all = await at.api.get(path);
    expect(arrowsOf(all)).toEqual(targets.map((target) => `o-raw.a > ${target}`));
    expect(all.json.page_info).toEqual({ total: 5, hasNext: false });
    const pages = [await at.api.get(`${path}?size=3`), await at.api.get(`${path}?size=3&page=2`)];
    expect(pages.map(({ json }) => [json.edges.length, json.page_info.hasNext]))
      .toEqual([[3, true], [2, false]]);
    expect(pages.flatMap(arrowsOf).sort()).toEqual(arrowsOf(all));
    expect(pages[1]!.json.datasets).toHaveLength(2);
  });

  it("is empty for an entity that declares none, and 404 for an unknown or hollow one", async () => {
    await at.post([columnTable("o-plain", "a")]);
    const of = (id: number) => at.api.get(`/api/dataentities/${id}/columns/lineage`);
    expect((await of(await at.id("o-plain"))).json)
      .toEqual({
        columns: [],
        datasets: [],
        edges: [],
        not_traced: [],
        page_info: { total: 0, hasNext: false },
      });
    expect([(await of(999_999_999)).status, (await of(await at.id("o-raw"))).status])
      .toEqual([404, 404]);
  });
});
