import { afterAll, beforeAll } from "vitest";
import type { Connector, Session } from "../../connector.ts";
import { connectorConformance } from "#test/conformance/connector.ts";
import { superuserOf, type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { sessionOver, shop } from "../../testing/source.ts";
import { connectors } from "../all.ts";

let source: TestDatabase;
let slow: TestDatabase;
beforeAll(async () => {
  [source, slow] = [await testDatabase(2), await testDatabase(2)];
  await source.db.query(shop);
  // A function of the catalogue that waits: as a server under heavy load does.
  await superuserOf(slow.name).query(
    `SET allow_system_table_mods = on;
     CREATE OR REPLACE FUNCTION pg_catalog.pg_get_userbyid(oid) RETURNS name LANGUAGE sql AS
       $$SELECT 'owner'::name FROM pg_sleep(2)$$`,
  );
});
afterAll(() => Promise.all([source.drop(), slow.drop()]));

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
  slow: () =>
    sessionOver(slow.url, { settings: { include: [] }, statementTimeoutMs: 200 }) as Session,
}));
