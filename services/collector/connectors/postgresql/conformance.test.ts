import { afterAll, beforeAll } from "vitest";
import type { Connector, Session } from "../../connector.ts";
import { connectorConformance } from "#test/conformance/connector.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { sessionOver, shop } from "../../testing/source.ts";
import { connectors } from "../all.ts";

let source: TestDatabase;
beforeAll(async () => {
  source = await testDatabase(2);
  await source.db.query(shop);
});
afterAll(() => source.drop());

const over = (more: Parameters<typeof sessionOver>[1] = {}) =>
  sessionOver(source.url, more) as Session;

connectorConformance("PostgreSQL", () => ({
  connector: connectors.postgresql as Connector,
  session: (more = {}) => over(more as Parameters<typeof sessionOver>[1]),
  failing: {
    "wrong password": () => over({ secrets: new Map([["password", "not-the-s3cret"]]) }),
    "unknown database": () => over({ settings: { database: "no_such_database" } }),
    "unreachable": () => over({ settings: { port: 1 } }),
  },
  excluded: () => over({ settings: { exclude: ["*"] } }),
  // No server lists a hundred tables with their comments in a millisecond.
  slow: () => over({ settings: { include: [] }, statementTimeoutMs: 1 }),
}));
