import { createServer, type Server } from "node:net";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectorConformance } from "#test/conformance/connector.ts";
import { distributed } from "#test/support/engines/engines.ts";
import type { Connector, Session } from "../../connector.ts";
import { connectors } from "../all.ts";
import { type ShopCluster, shopCluster } from "./testing/cluster.ts";

type More = Parameters<ShopCluster["session"]>[0];

if (distributed()) {
  let shop: ShopCluster;
  let silent: Server;
  beforeAll(async () => {
    shop = await shopCluster();
    silent = createServer(() => {});
    await new Promise<void>((done) => silent.listen(0, "127.0.0.1", done));
  });
  afterAll(async () => {
    silent?.close();
    await shop?.drop();
  });
  const over = (more: More = {}) => shop.session(more) as Session;
  const silentBroker = () => `127.0.0.1:${(silent.address() as AddressInfo).port}`;
  connectorConformance("Kafka", () => ({
    connector: connectors.kafka as Connector,
    // A connector of Kafka Connect is broken, which other tests are about.
    session: (more = {}) => over(more as More),
    failing: {
      "wrong password of the registry": () =>
        over({ secrets: new Map([["registry_password", "not-the-s3cret"]]) }),
      "unreachable": () => over({ settings: { brokers: ["127.0.0.1:1"] } }),
      "TLS that is not offered": () => over({ settings: { tls: "require" } }),
    },
    excluded: () => over({ settings: { exclude: ["*"] } }),
    slow: () => over({ settings: { brokers: [silentBroker()] }, statementTimeoutMs: 200 }),
  }));
} else {
  describe("Kafka as a connector", () => {
    it("is not tested in this run: only the embedded engines are", () => {
      expect(distributed()).toBe(false);
    });
  });
}
