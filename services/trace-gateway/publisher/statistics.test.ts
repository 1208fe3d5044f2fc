import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bucketOf } from "../pairing/observations.ts";
import { publisherDeps } from "./deps.ts";
import { writeStatistics } from "./statistics.ts";
import { type PublisherHarness, publisherHarness } from "./testing/harness.ts";

describe("writeStatistics", () => {
  let at: PublisherHarness;
  beforeAll(async () => {
    at = await publisherHarness();
    at.clock.at = Date.parse("2026-11-21T12:10:30Z");
    const call = { service: "web", peer: "orders", operation: "GET /orders" };
    await at.see(call, { ...call, service: "mail" });
    await at.see({ kind: "database", service: "orders", system: "redis", access: "read" });
    const ids = (await at.db.query<{ id: number }>("SELECT id FROM service_edge ORDER BY id"))
      .map((row) => row.id);
    const window = (edge: number, minute: string, calls: number, errors: number, millis: number) =>
      at.db.query(
        "INSERT INTO service_edge_window VALUES ($1, $2, $3, $4, $5, $6)",
        [ids[edge], `2026-11-21T${minute}Z`, calls, errors, [bucketOf(millis * 1_000)], [calls]],
      );
    await window(0, "12:05:00", 90, 1, 10);
    await window(0, "12:09:00", 9, 2, 100);
    await window(1, "12:09:00", 1, 0, 1_000);
    await window(2, "12:09:00", 4, 0, 1);
    await window(0, "12:04:00", 1_000, 1_000, 1);
    await window(0, "12:10:00", 1_000, 1_000, 1);
    await window(0, "11:09:00", 1, 1, 1);
    await writeStatistics(publisherDeps(at.deps));
  });
  afterAll(() => at.drop());

  interface StatisticsRow {
    catrn: string;
    name: string;
    labels: { value: string }[];
    point: Record<string, unknown>;
    [column: string]: unknown;
  }
  const points = async (catrn: string) => {
    const rows = await at.db.query<StatisticsRow>(
      `SELECT f.name, m.labels, m.point FROM metric_series m JOIN metric_family f
         ON f.id = m.family_id WHERE m.catrn = $1`,
      [catrn],
    );
    return new Map(
      rows.map((row) => [[row.name, ...row.labels.map((l) => l.value)].join(" "), row.point]),
    );
  };
  const close = (value: number) => expect.closeTo(value, value < 0.5 ? 2 : 1);

  it("sums the last five whole minutes of an operation over all its callers", async () => {
    const call = await points("//microservice/services/orders/calls/GET %2Forders");
    expect(call.get("calls")).toMatchObject({
      timestamp: "2026-11-21T12:10:00.000Z",
      gauge_value: { value: 100 },
    });
    expect(call.get("errors")).toMatchObject({ gauge_value: { value: 3 } });
    expect(call.get("duration")).toMatchObject({
      summary_value: {
        count: 100,
        quantile: [
          { quantile: 0.5, value: close(0.01) },
          { quantile: 0.95, value: close(0.1) },
          { quantile: 0.99, value: close(0.1) },
        ],
      },
    });
  });

  it("tells apart what a service serves and what it does itself", async () => {
    const orders = await points("//microservice/services/orders");
    expect(orders.get("calls served")).toMatchObject({ gauge_value: { value: 100 } });
    expect(orders.get("calls made")).toMatchObject({ gauge_value: { value: 4 } });
    const web = await points("//microservice/services/web");
    expect([...web.keys()].sort()).toEqual(["calls made", "duration made", "errors made"]);
  });

  it("drops minutes older than an hour", async () => {
    const [row] = await at.db.query("SELECT min(at) AS first FROM service_edge_window");
    expect(row).toEqual({ first: new Date("2026-11-21T12:04:00Z") });
  });
});
