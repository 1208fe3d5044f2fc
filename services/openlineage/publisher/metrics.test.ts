import { afterAll, beforeAll, expect, it } from "vitest";
import { columns, ns, pg, run, tableOf } from "../testing/catalogue.ts";
import { type Harness, harness } from "../testing/harness.ts";

let h: Harness;
beforeAll(async () => void (h = await harness()));
afterAll(() => h.drop());

const name = "shop.public.orders";
const metrics = {
  rowCount: 10,
  columnMetrics: {
    a: { nullCount: 1, min: 2, max: 9.5, quantiles: { 0.5: 4 } },
    unknown: { nullCount: 3 },
  },
};

/** The newest points under a CATRN: value, or quantiles, and time, by name. */
const points = async (catrn: string) =>
  Object.fromEntries(
    (await h.rows<{ name: string; point: Record<string, unknown>; at: Date }>(
      `SELECT f.name, coalesce(s.point #> '{gauge_value,value}', s.point -> 'summary_value') AS point,
              s.point_time AS at
         FROM metric_series s JOIN metric_family f ON f.id = s.family_id
        WHERE s.catrn = $1 ORDER BY f.name`,
      catrn,
    )).map(({ name, point, at }) => [name, [point, at.getTime()]]),
  );

it("what runs read and wrote, and what was measured, are metrics of datasets and columns", async () => {
  const namespace = ns();
  const at = h.clock.at;
  const io = {
    inputs: [{ namespace: pg(namespace), name, inputFacets: { inputStatistics: { rowCount: 7 } } }],
    outputs: [{
      namespace: pg(namespace),
      name: "shop.public.totals",
      facets: columns("a", "b"),
      outputFacets: { outputStatistics: { rowCount: 5, size: 900 }, dataQualityMetrics: metrics },
    }],
  };
  await h.take(run(namespace, "COMPLETE", io));
  expect(await points(tableOf(namespace, "orders"))).toEqual({ "openlineage.input.rows": [7, at] });
  expect(await points(tableOf(namespace, "totals"))).toEqual({
    "openlineage.output.bytes": [900, at],
    "openlineage.output.rows": [5, at],
    "openlineage.quality.rows": [10, at],
  });
  expect(await points(`${tableOf(namespace, "totals")}/columns/a`)).toEqual({
    "openlineage.quality.max": [9.5, at],
    "openlineage.quality.min": [2, at],
    "openlineage.quality.nulls": [1, at],
    "openlineage.quality.quantiles": [{ quantile: [{ quantile: 0.5, value: 4 }] }, at],
  });
  expect(await points(`${tableOf(namespace, "totals")}/columns/unknown`)).toEqual({});
});

it("an older event, or the same again, changes no figure, and a newer one of equal figures their time", async () => {
  const namespace = ns();
  const at = h.clock.at;
  const eventWith = (rowCount: number, n: number, later: number) =>
    run(namespace, "COMPLETE", {
      n,
      eventTime: new Date(at + later).toISOString(),
      outputs: [{
        namespace: pg(namespace),
        name,
        outputFacets: { outputStatistics: { rowCount }, dataQualityMetrics: { rowCount } },
      }],
    });
  const shown = () => points(tableOf(namespace, "orders"));
  const both = (rows: number, later: number) => ({
    "openlineage.output.rows": [rows, at + later],
    "openlineage.quality.rows": [rows, at + later],
  });
  await h.take(eventWith(2, 2, 2_000));
  expect(await shown()).toEqual(both(2, 2_000));
  await h.take(eventWith(1, 1, 1_000));
  await h.take(eventWith(2, 2, 2_000));
  expect(await shown()).toEqual(both(2, 2_000));
  await h.take(eventWith(2, 3, 3_000));
  expect(await shown()).toEqual(both(2, 3_000));
});

it("a dataset that a collector tells of has figures too, and its columns as the collector names them", async () => {
  const namespace = ns();
  const catrn = tableOf(namespace, "orders");
  const field = (own: string) => ({
    name: "a",
    catrn: own,
    type: { type: "TYPE_INTEGER", is_nullable: true },
  });
  await h.collect(`//collector/${namespace}`, {
    catrn,
    name: "orders",
    type: "TABLE",
    dataset: { field_list: [field(`${catrn}/fields/first`)] },
  });
  const outputFacets = { dataQualityMetrics: metrics };
  const posted = await h.take(
    run(namespace, "COMPLETE", { outputs: [{ namespace: pg(namespace), name, outputFacets }] }),
  );
  expect([...posted.keys()].filter((key) => key === catrn)).toEqual([]);
  expect(Object.keys(await points(catrn))).toEqual(["openlineage.quality.rows"]);
  expect(Object.keys(await points(`${catrn}/fields/first`))).toContain("openlineage.quality.nulls");
  expect(
    await h.rows("SELECT FROM data_source WHERE catrn LIKE '%' || $1", `db${namespace}%3A5432`),
  ).toEqual([]);
});
