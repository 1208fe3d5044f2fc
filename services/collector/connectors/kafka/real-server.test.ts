import { writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Server } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectorConformance } from "#test/conformance/connector.ts";
import { distributed, kafkaBrokers } from "#test/support/engines/engines.ts";
import { eventually } from "#test/support/eventually.ts";
import { type KafkaConnectServer, startKafkaConnect } from "#test/support/sources/kafka-connect.ts";
import type { Connector, Session } from "../../connector.ts";
import { allOf, itemsOf } from "../../testing/source.ts";
import { connectors } from "../all.ts";
import { checkCluster } from "./check.ts";
import { readCluster } from "./read.ts";
import { type ShopCluster, shopCluster } from "./testing/cluster.ts";

// The connector against a broker and Kafka Connect itself; the schema registry is recorded.

type More = NonNullable<Parameters<ShopCluster["session"]>[0]>;

if (distributed()) {
  let shop: ShopCluster;
  let connect: KafkaConnectServer;
  let silent: Server;
  beforeAll(async () => {
    shop = await shopCluster();
    connect = await startKafkaConnect(kafkaBrokers());
    await fill();
    silent = createServer(() => {});
    await new Promise<void>((done) => silent.listen(0, "127.0.0.1", done));
  });
  afterAll(async () => {
    silent?.close();
    await connect?.stop();
    await shop?.drop();
  });

  const source = () => join(connect.folder, "orders.txt");
  const sink = () => join(connect.folder, "visits.txt");
  const idle = () => join(connect.folder, "idle.txt");

  /** A connector that has written a topic, one that reads one, and one that has done nothing yet. */
  const fill = async () => {
    writeFileSync(source(), "1\n2\n");
    await connect.create(`${shop.prefix} orders ü`, {
      "connector.class": "FileStreamSource",
      file: source(),
      topic: `${shop.prefix}.orders`,
    });
    await connect.create(`${shop.prefix}-visits`, {
      "connector.class": "org.apache.kafka.connect.file.FileStreamSinkConnector",
      file: sink(),
      topics: `${shop.prefix}.visits`,
      "database.password": "s3cret-config",
    });
    await connect.create(`${shop.prefix}-idle`, {
      "connector.class": "FileStreamSource",
      file: idle(),
      topic: `${shop.prefix}.events`,
    });
    const path = `connectors/${encodeURIComponent(`${shop.prefix} orders ü`)}/topics`;
    await eventually(async () => {
      const answer = await (await fetch(`${connect.url}/${path}`)).text();
      expect(answer).toContain(`${shop.prefix}.orders`);
    });
  };

  const session = ({ settings, ...more }: More = {}) =>
    shop.session({ settings: { connect_url: connect.url, ...settings }, ...more });
  const over = (more: More = {}) => session(more) as Session;

  connectorConformance("Kafka and Kafka Connect themselves", () => ({
    connector: connectors.kafka as Connector,
    session: (more = {}) => over(more as More),
    failing: {
      "unreachable": () => over({ settings: { brokers: ["127.0.0.1:1"] } }),
      "TLS that is not offered": () => over({ settings: { tls: "require" } }),
    },
    excluded: () => over({ settings: { exclude: ["*"] } }),
    slow: () =>
      over({
        settings: { brokers: [`127.0.0.1:${(silent.address() as AddressInfo).port}`] },
        statementTimeoutMs: 200,
      }),
  }));

  describe("a read of Kafka Connect itself", () => {
    const jobs = async () => {
      const findings = await allOf(readCluster(session()));
      expect(findings.filter(({ kind }) => kind === "problem")).toEqual([]);
      const items = new Map(itemsOf(findings).map((item) => [item.name, item]));
      const topic = (name: string) => items.get(`${shop.prefix}.${name}`)!.catrn;
      return { items, topic };
    };
    const file = (path: string) =>
      `//filesystem/host/localhost/path/${path.replaceAll("/", "\\\\")}`;

    it("gives connectors, also under the short name of their class, between topics and files", async () => {
      const { items, topic } = await jobs();
      expect(items.get(`${shop.prefix} orders ü`)!.data_transformer).toEqual({
        inputs: [file(source())],
        outputs: [topic("orders")],
      });
      expect(items.get(`${shop.prefix}-visits`)!.data_transformer).toEqual({
        inputs: [topic("visits")],
        outputs: [file(sink())],
      });
      expect(JSON.stringify([...items.values()])).not.toContain("s3cret");
    });

    it("gives a connector of a source that has written nothing yet by the topic of its configuration", async () => {
      const { items, topic } = await jobs();
      expect(items.get(`${shop.prefix}-idle`)!.data_transformer).toEqual({
        inputs: [file(idle())],
        outputs: [topic("events")],
      });
    });

    it("tells in its check what it reaches", async () => {
      expect(await checkCluster(session())).toContainEqual(
        { name: "Kafka Connect", outcome: "OK", detail: "3 connectors" },
      );
    });
  });
} else {
  describe("Kafka Connect itself", () => {
    it("is not tested in this run: only the embedded engines are", () => {
      expect(distributed()).toBe(false);
    });
  });
}
