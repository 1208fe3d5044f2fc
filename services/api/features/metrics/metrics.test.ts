import { expect, test } from "vitest";
import { MetricSet } from "#contract/catalogue/metrics.ts";
import { metricRoutes } from "#services/api/features/metrics/routes.ts";
import { featureUnderTest } from "#test/support/http/feature.ts";
import { seedField } from "#test/support/seed/seed-dataset.ts";
import { seedEntity } from "#test/support/seed/seed.ts";

const { api, database } = featureUnderTest(metricRoutes);

async function seedSeries(catrn: string, family: string, labels: unknown, point: unknown) {
  await database.db.query(
    `WITH f AS (INSERT INTO metric_family (name, type, unit, description)
       VALUES ($2, 'GAUGE', 'bytes', 'told') ON CONFLICT (name, type, unit)
       DO UPDATE SET description = 'told' RETURNING id)
     INSERT INTO metric_series (family_id, catrn, labels, labels_hash, point, point_time)
     SELECT id, $1, $3::text::jsonb, decode(md5($3::text), 'hex'), $4, '2026-01-02T03:04:05.678Z' FROM f`,
    [catrn, family, JSON.stringify(labels), JSON.stringify(point)],
  );
}

test("getDataEntityMetrics 200: families with the latest point of each series", async () => {
  const id = await seedEntity(database.db, { catrn: "//m/entity" });
  await seedSeries("//m/entity", "size", [{ name: "disk", value: "a" }], {
    gauge_value: { value: 1.5 },
  });
  await seedSeries("//m/entity", "size", [], { gauge_value: { value: 2 } });
  await seedSeries("//m/entity", "age", [], { gauge_value: { value: 3 } });
  await seedSeries("//m/other", "size", [], { gauge_value: { value: 4 } });
  const answer = await api.get(`/api/dataentities/${id}/metrics`);
  expect(answer.status).toBe(200);
  const set = MetricSet.parse(answer.json);
  expect(set.metric_families.map((f) => [f.name, f.metrics.length])).toEqual([
    ["age", 1],
    ["size", 2],
  ]);
  expect(set.metric_families[1]).toMatchObject({
    type: "GAUGE",
    unit: "bytes",
    description: "told",
    metrics: [
      {
        labels: [{ name: "disk", value: "a" }],
        metric_point: {
          timestamp: "2026-01-02T03:04:05.678Z",
          gauge_value: { value: 1.5 },
          counter_value: null,
        },
      },
      { labels: [] },
    ],
  });
});

test("getDataEntityMetrics 200: none", async () => {
  const id = await seedEntity(database.db);
  expect((await api.get(`/api/dataentities/${id}/metrics`)).json).toEqual({ metric_families: [] });
});

test("getDataEntityMetrics 404: unknown and hollow", async () => {
  const hollow = await seedEntity(database.db, { hollow: true });
  for (const id of [hollow, 999_999_999]) {
    expect((await api.get(`/api/dataentities/${id}/metrics`)).status).toBe(404);
  }
});

test("getDataEntityMetrics 400: an id that is none", async () => {
  expect((await api.get("/api/dataentities/x/metrics")).status).toBe(400);
});

test("getDatasetFieldMetrics 200: by the CATRN of the field", async () => {
  const dataset = await seedEntity(database.db);
  const field = await seedField(database.db, dataset, { catrn: "//m/field" });
  await seedSeries("//m/field", "nulls", [], { gauge_value: { value: 7 } });
  const answer = await api.get(`/api/datasetfields/${field}/metrics`);
  expect(answer.status).toBe(200);
  const set = MetricSet.parse(answer.json);
  expect(set.metric_families[0]!.metrics[0]!.metric_point.gauge_value).toEqual({ value: 7 });
});

test("getDatasetFieldMetrics 404: unknown", async () => {
  expect((await api.get("/api/datasetfields/999999999/metrics")).status).toBe(404);
});

test("getDatasetFieldMetrics 400: an id that is none", async () => {
  expect((await api.get("/api/datasetfields/x/metrics")).status).toBe(400);
});
