import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HostRefused } from "#platform/connections/hosts.ts";
import { catrnsOf } from "#platform/naming/openlineage/names.ts";
import { distributed } from "#test/support/engines/engines.ts";
import type { Item } from "../../connector.ts";
import { allOf, itemsOf } from "../../testing/source.ts";
import { relationCatrn } from "../postgresql/names.ts";
import { checkCluster } from "./check.ts";
import { readCluster } from "./read.ts";
import { recordedServer } from "../../testing/server.ts";
import { type ShopCluster, shopCluster } from "./testing/cluster.ts";
import { recordedAnswers } from "./testing/recorded.ts";

const warehouse = "//postgresql/host/db.example/databases/shop";

if (distributed()) {
  let shop: ShopCluster;
  let items: Map<string, Item>;
  beforeAll(async () => {
    shop = await shopCluster();
    items = new Map(itemsOf(await read()).map((item) => [item.name, item]));
  });
  afterAll(() => shop?.drop());

  const read = async (more: Parameters<ShopCluster["session"]>[0] = {}) =>
    await allOf(readCluster(shop.session(more)));
  const topic = (name: string) => items.get(`${shop.prefix}.${name}`)!;

  describe("reading Kafka", () => {
    it("names topics as OpenLineage does", () => {
      const { settings, naming } = shop.session();
      const name = `${shop.prefix}.orders`;
      expect(topic("orders").catrn)
        .toBe(catrnsOf({ namespace: `kafka://${settings.brokers[0]}`, name }, naming).catrn);
    });

    it("gives partitions, configuration and the schemas of keys and values", () => {
      expect(topic("orders").metadata![0]!.metadata).toMatchObject({
        partitions: 3,
        replication_factor: 1,
        "retention.ms": "3600000",
        "cleanup.policy": "delete",
        value_schema: `${shop.prefix}.orders-value, AVRO, version 3`,
      });
      const fields = topic("orders").dataset!.field_list;
      expect(fields.map(({ catrn }) => catrn.slice(topic("orders").catrn.length))).toEqual([
        "/keys/value",
        "/columns/id",
        "/columns/state",
        "/columns/placed",
        "/columns/lines",
        "/columns/lines/price",
        "/columns/lines/parent",
      ]);
      expect(fields).toMatchObject([
        { is_key: true, type: { type: "TYPE_STRING" } },
        { description: "Its number", type: { type: "TYPE_INTEGER", is_nullable: false } },
        { enum_values: [{ name: "NEW" }, { name: "PAID" }], default_value: '"NEW"' },
        { type: { type: "TYPE_DATETIME", logical_type: "timestamp-millis", is_nullable: true } },
        { type: { type: "TYPE_LIST", logical_type: "array<Line>" } },
        { type: { type: "TYPE_NUMBER", logical_type: "decimal(10,2)" } },
        { type: { type: "TYPE_STRUCT", logical_type: "Order", is_nullable: true } },
      ]);
    });

    it("reads JSON Schema and Protobuf, and topics without a schema", () => {
      expect(topic("visits").dataset!.field_list).toMatchObject([
        { name: "at", type: { type: "TYPE_DATETIME", is_nullable: false } },
        { name: "page", type: { type: "TYPE_STRUCT", is_nullable: true } },
        { name: "url", parent_field_catrn: expect.stringMatching(/\/columns\/page$/) },
      ]);
      expect(topic("events").dataset!.field_list).toMatchObject([
        { name: "id", type: { type: "TYPE_STRING" } },
        { name: "tags", type: { type: "TYPE_LIST" } },
        { name: "name" },
      ]);
      expect(topic("shop.customers").dataset!.field_list).toEqual([]);
    });

    it("gives consumer groups with the topics that they read", () => {
      expect(items.get(`${shop.prefix}-billing`)).toMatchObject({
        type: "MICROSERVICE",
        data_transformer: { inputs: [topic("orders").catrn, topic("visits").catrn], outputs: [] },
      });
    });

    it("gives connectors between topics and the tables of their databases", () => {
      const table = (schema: string, name: string) =>
        relationCatrn(warehouse, { schema, name, kind: "r" });
      expect(items.get(`${shop.prefix}-sink`)!.data_transformer).toEqual({
        inputs: [topic("orders").catrn],
        outputs: [table("reports", "orders")],
      });
      expect(items.get(`${shop.prefix}-source`)!.data_transformer).toEqual({
        inputs: [table("shop", "customers")],
        outputs: [topic("shop.customers").catrn],
      });
      expect(JSON.stringify([...items.values()])).not.toContain("s3cret");
    });

    it("names a broken connector and reads the others", async () => {
      const problems = (await read()).filter(({ kind }) => kind === "problem");
      expect(problems).toMatchObject([{
        problem: { object: "connector broken" },
        catrn: expect.stringMatching(/\/connectors\/broken$/),
      }]);
    });

    it("names a connector whose topics cannot be listed now, so that it stays as it was", async () => {
      const { connect: recorded } = recordedAnswers(shop.prefix);
      const rebalancing = await recordedServer((request, path) =>
        path.endsWith("/topics") ? 409 : recorded(request, path)
      );
      const findings = await read({ settings: { connect_url: rebalancing.url } });
      await rebalancing.close();
      expect(findings.flatMap((one) => one.kind === "problem" ? [one.problem.object] : []).sort())
        .toEqual([
          "connector broken",
          ...["sink", "source"].map((one) => `connector ${shop.prefix}-${one}`),
        ]);
    });

    it("takes the topics of its configuration where Kafka Connect does not track them", async () => {
      const { connect: recorded } = recordedAnswers(shop.prefix);
      const untracked = await recordedServer((request, path) =>
        path.endsWith("/topics") ? 403 : recorded(request, path)
      );
      const found = itemsOf(await read({ settings: { connect_url: untracked.url } }));
      await untracked.close();
      expect(found.find(({ name }) => name === `${shop.prefix}-sink`)!.data_transformer!.inputs)
        .toEqual([topic("orders").catrn]);
    });

    it("is not complete while Kafka Connect is away, and fails while the registry is", async () => {
      const findings = await read({ settings: { connect_url: "http://127.0.0.1:1" } });
      const problem = { object: "Kafka Connect", reason: "the connection is refused" };
      expect(findings.filter(({ kind }) => kind === "problem")).toMatchObject([{ problem }]);
      await expect(read({ settings: { registry_url: "http://127.0.0.1:1" } }))
        .rejects.toMatchObject({ reason: "the connection is refused" });
    });

    it("connects to no broker whose host is not allowed, also where a host is an address", async () => {
      const address = (host: string) => Promise.reject(new HostRefused(host, "is refused", "Ask"));
      await expect(read({ address })).rejects.toMatchObject({
        reason: expect.stringMatching(/is refused$/),
        remedy: "Ask",
      });
    });
  });

  it("the check of a cluster tells what it reaches", async () => {
    expect(await checkCluster(shop.session())).toMatchObject([
      { name: "Connect", outcome: "OK", detail: expect.stringMatching(/answers, 1 brokers$/) },
      { name: "Topics", outcome: "OK", detail: expect.stringMatching(/^4 topics of \d+$/) },
      { name: "Groups", outcome: "OK" },
      { name: "Schema registry", outcome: "OK", detail: "4 subjects" },
      { name: "Kafka Connect", outcome: "OK", detail: "3 connectors" },
    ]);
  });
} else {
  describe("reading Kafka", () => {
    it("is not tested in this run: only the embedded engines are", () => {
      expect(distributed()).toBe(false);
    });
  });
}
