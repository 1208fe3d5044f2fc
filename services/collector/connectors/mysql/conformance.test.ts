import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectorConformance } from "#test/conformance/connector.ts";
import { hasMariadb, type MariaServer, startMariadb } from "#test/support/engines/mariadb.ts";
import type { Connector, Session } from "../../connector.ts";
import { connectors } from "../all.ts";
import { mysqlSession, shop } from "./testing/shop.ts";

type More = Parameters<typeof mysqlSession>[1];

/** More columns than a server lists in a millisecond. */
const wide = [
  "CREATE DATABASE wide",
  `CREATE TABLE wide.t0 (${Array.from({ length: 1_000 }, (_, n) => `c${n} int`).join(", ")})`,
  ...Array.from({ length: 9 }, (_, n) => `CREATE TABLE wide.t${n + 1} LIKE wide.t0`),
];

if (hasMariadb()) {
  let server: MariaServer;
  beforeAll(async () => {
    server = await startMariadb();
    await server.run(...shop, ...wide);
  });
  afterAll(() => server?.stop());
  const over = (more: More = {}) => mysqlSession(server, more) as Session;
  connectorConformance("MySQL", () => ({
    connector: connectors.mysql as Connector,
    session: (more = {}) => over(more as More),
    failing: {
      "wrong password": () => over({ secrets: new Map([["password", "not-the-s3cret"]]) }),
      "TLS that is not offered": () => over({ settings: { tls: "require" } }),
      "unreachable": () => over({ settings: { port: 1 } }),
    },
    excluded: () => over({ settings: { exclude: ["*"] } }),
    slow: () => over({ statementTimeoutMs: 1 }),
  }));
} else {
  describe("MySQL as a connector", () => {
    it("is not tested in this run: there is no MariaDB", () => {
      expect(hasMariadb()).toBe(false);
    });
  });
}
