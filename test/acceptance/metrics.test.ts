import { expect, it } from "vitest";
import { journey } from "#test/acceptance/client.ts";

const source = "//prometheus/host/metrics";
const at = (name: string) => `${source}/${name}`;
const table = (name: string) => ({
  catrn: at(name),
  name,
  type: "TABLE",
  dataset: {
    field_list: [{
      catrn: `${at(name)}/id`,
      name: "id",
      type: { type: "TYPE_INTEGER", is_nullable: false },
    }],
  },
});

journey("metrics", (client) => {
  it("are taken before and after their entity", async () => {
    await client().register(source);
    await client().ingest(source, table("orders"), table("customers"));
    const id = await client().id(at("orders"));
    expect(await client().read(`/api/dataentities/${id}/metrics`)).toEqual({ metric_families: [] });
  });

  it("keeps the latest point of each series of metrics", async () => {
    const post = (catrn: string, type: string, ...points: object[]) =>
      client().post("/ingestion/metrics", {
        items: [{
          catrn,
          metric_families: [{
            name: "rows",
            type,
            unit: "rows",
            help: "how many",
            metrics: [{ labels: [{ name: "zone", value: "é" }], metric_points: points }],
          }],
        }],
      });
    const gauge = (timestamp: string, value: number) => ({ timestamp, gauge_value: { value } });
    const entity = at("orders");
    const first = await post(entity, "GAUGE", gauge("2024-01-02T00:00:00Z", 2));
    expect([first.status, first.text]).toEqual([201, ""]);
    await post(entity, "GAUGE", gauge("2024-01-03T00:00:00Z", 3), gauge("2024-01-01T00:00:00Z", 1));
    await post(`${entity}/id`, "COUNTER", { counter_value: { total: 5 } });
    const id = await client().id(entity);
    const { metric_families } = await client().read(`/api/dataentities/${id}/metrics`);
    expect(metric_families).toMatchObject([{
      name: "rows",
      type: "GAUGE",
      unit: "rows",
      description: "how many",
      metrics: [{
        labels: [{ name: "zone", value: "é" }],
        metric_point: {
          timestamp: "2024-01-03T00:00:00.000Z",
          gauge_value: { value: 3 },
          counter_value: null,
        },
      }],
    }]);
    const structure = await client().read(`/api/datasets/${id}/structure`);
    const field = structure.field_list.find((f: { name: string }) => f.name === "id");
    const own = await client().read(`/api/datasetfields/${field.id}/metrics`);
    expect(own.metric_families[0].metrics[0].metric_point.counter_value.total).toBe(5);
  });

  it("takes histograms and summaries", async () => {
    const entity = at("customers");
    const metric = (name: string, type: string, point: object) => ({
      name,
      type,
      unit: "s",
      metrics: [{ metric_points: [{ timestamp: 1_700_000_000, ...point }] }],
    });
    const answer = await client().post("/ingestion/metrics", {
      items: [{
        catrn: entity,
        metric_families: [
          metric("h", "HISTOGRAM", {
            histogram_value: { sum: 3, count: 2, buckets: [{ count: 2, upper_bound: 5 }] },
          }),
          metric("s", "SUMMARY", {
            summary_value: { sum: 3, count: 2, quantile: [{ quantile: 0.5, value: 1 }] },
          }),
        ],
      }],
    });
    expect(answer.status).toBe(201);
    const { metric_families } = await client().read(
      `/api/dataentities/${await client().id(entity)}/metrics`,
    );
    expect(metric_families.map((f: { type: string }) => f.type).sort())
      .toEqual(["HISTOGRAM", "SUMMARY"]);
  });
});
