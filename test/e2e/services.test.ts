import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiService } from "#services/api/service.ts";
import { ingestConsumerService } from "#services/ingest-consumer/service.ts";
import { traceGatewayService } from "#services/trace-gateway/service.ts";
import { eventually } from "#test/support/eventually.ts";
import { type Gateway, grpcAddress, startGateway } from "#test/support/traces/gateway.ts";
import { type ShopServices, startShop } from "#test/support/traces/shop-services.ts";
import { oneSetBySize } from "#test/support/engines/sets-by-size.ts";

const source = "//postgresql/host/db.example/databases/shop";
const table = (name: string) => `${source}/schemas/public/tables/${name}`;
const service = (name: string) => `//microservice/namespaces/shop/services/${name}`;
const call = (of: string, operation: string) => `${service(of)}/calls/${operation}`;
const bus = "bus.example:9092";
const topic = (name: string) => `//kafka/host/${bus}/clusters/${bus}/topics/${name}`;
const dashboard = "//tableau/dashboards/deliveries";

const batch = {
  data_source_catrn: source,
  items: [
    ...["vouchers", "orders", "payments", "products", "shipments", "customers"].map((name) => ({
      catrn: table(name),
      name,
      type: "TABLE",
      dataset: { field_list: [] },
    })),
    {
      catrn: dashboard,
      name: "Deliveries",
      type: "DASHBOARD",
      data_consumer: { inputs: [table("shipments")] },
    },
  ],
};

interface Node {
  id: number;
  catrn: string;
}
interface Stream {
  nodes: Node[];
  edges: { source_id: number; target_id: number }[];
  groups: Node[];
}

describe.each(oneSetBySize())("six services with the stock SDK, %s engines", (set) => {
  let gateway: Gateway;
  let shop: ShopServices;
  beforeAll(async () => {
    gateway = await startGateway(set, { "publish-interval": "200 ms", window: "10 s" }, {
      services: [apiService, ingestConsumerService, traceGatewayService],
    });
    await gateway.send("POST", "/ingestion/datasources", {
      items: [{ catrn: source, name: "Shop" }],
    });
    const posted = await gateway.send("POST", "/ingestion/entities", batch);
    expect(posted.status).toBe(200);
    const grpc = `http://${await grpcAddress(gateway)}`;
    const protocols: Record<string, string> = { orders: "grpc", payments: "http/json" };
    shop = await startShop((name) => {
      const protocol = protocols[name] ?? "http/protobuf";
      return {
        OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
        OTEL_EXPORTER_OTLP_ENDPOINT: protocol === "grpc" ? grpc : gateway.http,
      };
    });
    for (let visit = 0; visit < 3; visit++) await shop.buy();
  });
  afterAll(async () => {
    await shop?.stop();
    await gateway?.stop();
  });

  async function idOf(catrn: string): Promise<number> {
    const query = new URLSearchParams({ catrn, page: "1", size: "1" });
    const list = await gateway.json(`/api/dataentities?${query}`) as { items: Node[] };
    expect([catrn, list.items.length]).toEqual([catrn, 1]);
    return list.items[0]!.id;
  }

  /** Edges `from > to` downstream of an entity, groups opened. */
  async function downstream(catrn: string): Promise<string[]> {
    const path = `/api/dataentities/${await idOf(catrn)}/lineage/downstream?lineage_depth=10`;
    const ask = async (query: string) =>
      (await gateway.json(path + query) as { downstream: Stream }).downstream;
    const { groups } = await ask("");
    const stream = await ask(groups.map(({ id }) => `&expanded_entity_ids=${id}`).join(""));
    const names = new Map(stream.nodes.map(({ id, catrn }) => [id, catrn]));
    return stream.edges.map((e) => `${names.get(e.source_id)} > ${names.get(e.target_id)}`).sort();
  }

  it("a table reaches services, the calls between them, topics, tables and a dashboard", async () => {
    await eventually(async () => {
      expect(await downstream(table("vouchers"))).toEqual([
        `${table("vouchers")} > ${service("orders")}`,
        `${service("orders")} > ${call("orders", "POST %2Forders")}`,
        `${call("orders", "POST %2Forders")} > ${service("storefront")}`,
        `${service("storefront")} > ${call("storefront", "GET %2Fbuy")}`,
        `${service("orders")} > ${table("orders")}`,
        `${service("orders")} > ${topic("orders.placed")}`,
        `${topic("orders.placed")} > ${service("shipping")}`,
        `${service("shipping")} > ${table("shipments")}`,
        `${table("shipments")} > ${dashboard}`,
        `${service("shipping")} > ${topic("shipments.updated")}`,
        `${topic("shipments.updated")} > ${service("notifications")}`,
      ].sort());
    });
  });

  it("a call's way is from who answers to who asks, with its template", async () => {
    expect(await downstream(table("products"))).toEqual([
      `${table("products")} > ${service("recommender")}`,
      `${service("recommender")} > ${call("recommender", "GET %2Ffor%2F{customer}")}`,
      `${call("recommender", "GET %2Ffor%2F{customer}")} > ${service("storefront")}`,
      `${service("storefront")} > ${call("storefront", "GET %2Fbuy")}`,
    ].sort());
  });

  it("a host that is not traced reaches who calls it, once the wait for its half is over", async () => {
    const bank = "//microservice/hosts/api.bank.example/calls/POST %2Fv1%2Fcharges";
    await eventually(async () => {
      expect(await downstream(bank)).toEqual(expect.arrayContaining([
        `${bank} > ${service("payments")}`,
        `${service("payments")} > ${table("payments")}`,
        `${service("payments")} > ${call("payments", "POST %2Fpayments")}`,
        `${call("payments", "POST %2Fpayments")} > ${service("orders")}`,
      ]));
    });
  });

  it("steady traffic posts nothing more", async () => {
    const posted = async () =>
      (await gateway.events.bounds("ingestion.batches")).reduce((sum, { end }) => sum + end, 0);
    const calls = async () => {
      const [row] = await gateway.test.db.query<{ calls: number }>(
        "SELECT sum(calls)::int AS calls FROM service_edge WHERE operation = 'POST /orders'",
      );
      return row!.calls;
    };
    const [before, counted] = [await posted(), await calls()];
    for (let visit = 0; visit < 5; visit++) await shop.buy();
    await eventually(async () => expect(await calls()).toBe(counted + 5));
    expect(await posted()).toBe(before);
  });
});
