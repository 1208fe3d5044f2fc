import "#web/messages/testing/english.ts";
import { expect, test } from "vitest";
import { metricRows } from "#web/components/metrics.ts";

const family = (metrics: object[]) =>
  ({
    metric_families: [{ name: "rows", type: "GAUGE", unit: "row", metrics }],
  }) as Parameters<typeof metricRows>[0];

test("each kind of metric tells its value", () => {
  const points = [
    { gauge_value: { value: 12.5 } },
    { counter_value: { total: 3 } },
    { histogram_value: { count: 4, sum: 10 } },
    { summary_value: { sum: 1, quantile: [{ quantile: 0.99, value: 7 }] } },
    {},
  ];
  const rows = metricRows(family(points.map((metric_point) => ({ metric_point }))));
  expect(rows.map(({ value }) => value))
    .toEqual(["12.5", "3", "4 values, sum 10", "sum 1, p99 7", "–"]);
});

test("labels tell metrics of a family apart", () => {
  const labels = [{ name: "shard", value: "a" }, { name: "zone", value: "b" }];
  const [row] = metricRows(family([{ labels, metric_point: { gauge_value: { value: 1 } } }]));
  expect(row).toMatchObject({ labels: "shard: a, zone: b", unit: "row", name: "rows" });
});
