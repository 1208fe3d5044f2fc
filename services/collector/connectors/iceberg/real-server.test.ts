import { createServer, type Server } from "node:net";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectorConformance } from "#test/conformance/connector.ts";
import { type IcebergServer, startIceberg } from "#test/support/sources/iceberg.ts";
import type { Connector, Item, Session } from "../../connector.ts";
import { refusedHosts } from "../../testing/hosts.ts";
import { allOf, itemsOf } from "../../testing/source.ts";
import { connectors } from "../all.ts";
import { readCatalog } from "./read.ts";
import { icebergSession } from "./testing/server.ts";

// The connector against Apache Iceberg's own REST server.

type More = NonNullable<Parameters<typeof icebergSession>[1]>;

let server: IcebergServer;
let silent: Server;
beforeAll(async () => {
  server = await startIceberg();
  await fill(server);
  silent = createServer(() => {});
  await new Promise<void>((done) => silent.listen(0, "127.0.0.1", done));
});
afterAll(async () => {
  silent?.close();
  await server?.stop();
});

const field = (id: number, name: string, type: unknown, required = false) => (
  { id, name, type, required }
);
const struct = (...fields: object[]) => ({ type: "struct", fields });
const quoted = "Bestellungen – 注文 заказы \"quoted\" & 'more'";

/** As large as those that Iceberg gives. */
const snapshotId = 2 ** 62;
const snapshot = {
  "snapshot-id": snapshotId,
  "sequence-number": 1,
  "timestamp-ms": Date.now(),
  "schema-id": 1,
  "manifest-list": "s3://lake/warehouse/sales/orders/metadata/snap-1.avro",
  summary: {
    operation: "append",
    "total-records": "1200",
    "total-files-size": "65536",
    "total-data-files": "3",
  },
};

/** A shop: tables at two levels, one with a history of its schema and a snapshot. */
async function fill(at: IcebergServer): Promise<void> {
  for (const levels of [["sales"], ["sales", "emea"], ["empty"]]) await at.createNamespace(levels);
  await at.createTable(["sales"], "orders", {
    ...struct(
      field(1, "id", "long", true),
      field(2, "qty", "int"),
      field(3, "placed", "timestamp"),
    ),
    "identifier-field-ids": [1],
  }, {
    properties: { owner: "ana", comment: "Orders of the shop" },
    "partition-spec": {
      "spec-id": 0,
      fields: [{ "source-id": 3, "field-id": 1000, name: "placed_day", transform: "day" }],
    },
  });
  const line = struct(field(6, "price", "decimal(10, 2)", true));
  const lines = { type: "list", "element-id": 5, "element-required": true, element: line };
  const newer = {
    ...struct(
      field(1, "id", "long", true),
      field(2, "quantity", "long"),
      field(3, "placed", "timestamp"),
      field(4, "lines", lines),
    ),
    "schema-id": 1,
    "identifier-field-ids": [1],
  };
  await at.commit(["sales"], "orders", [
    { action: "add-schema", schema: newer },
    { action: "set-current-schema", "schema-id": -1 },
  ]);
  await at.commit(["sales"], "orders", [
    { action: "add-snapshot", snapshot },
    { action: "set-snapshot-ref", "ref-name": "main", type: "branch", "snapshot-id": snapshotId },
  ]);
  await at.createTable(["sales"], quoted, struct(field(1, "größe %", "string")));
  await at.createTable(["sales", "emea"], "customers", struct(field(1, "id", "uuid", true)));
}

const over = (more: More = {}) => {
  const { settings, ...rest } = more;
  return icebergSession(server, { settings: { url: server.url, ...settings }, ...rest }) as Session;
};
const silentUrl = () => `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;

// The server takes any credentials: wrong ones are those of the recorded server.
connectorConformance("Iceberg's own server", () => ({
  connector: connectors.iceberg as Connector,
  session: (more = {}) => over(more as More),
  failing: {
    "no catalog": () => over({ settings: { url: `${server.url}/elsewhere` } }),
    "unreachable": () => over({ settings: { url: "http://127.0.0.1:1" } }),
    ...refusedHosts((url, address) => over({ settings: { url }, address })),
  },
  excluded: () => over({ settings: { exclude: ["*"] } }),
  slow: () => over({ settings: { url: silentUrl() }, statementTimeoutMs: 200 }),
}));

const orders = "//s3/cloud/aws/buckets/lake/keys/warehouse\\\\sales\\\\orders";

/** What is read of the shop, or of what `more` includes. */
async function read(more: More = {}) {
  const include = ["sales.*"];
  const session = over({ ...more, settings: { include, ...more.settings } });
  const findings = await allOf(readCatalog(session as ReturnType<typeof icebergSession>));
  const items = new Map(itemsOf(findings).map((item): [string, Item] => [item.name, item]));
  return { findings, items, source: session.source };
}

describe("a read of Iceberg's own server", () => {
  it("gives tables of all levels with names in every script, and namespaces as their groups", async () => {
    const { findings, items, source } = await read();
    expect(findings.filter(({ kind }) => kind !== "item")).toEqual([]);
    expect([...items.keys()].sort()).toEqual(
      [quoted, "customers", "orders", "sales", "sales.emea"].sort(),
    );
    expect(items.get("sales")!.data_entity_group!.entities_list).toEqual(
      expect.arrayContaining([orders, `${source}/namespaces/sales.emea`]),
    );
    expect(items.get("sales.emea")!.data_entity_group!.entities_list).toEqual([
      items.get("customers")!.catrn,
    ]);
    expect(items.get(quoted)!.dataset!.field_list).toMatchObject([{ name: "größe %" }]);
  });

  it("gives the history of a schema, the current snapshot, partitions, owner and comment", async () => {
    const { items } = await read();
    expect(items.get("orders")).toMatchObject({
      catrn: orders,
      description: "Orders of the shop",
      owners: [{ name: "ana" }],
      updated_at: new Date(snapshot["timestamp-ms"]).toISOString(),
      metadata: [{
        metadata: {
          partitioning: ["day(placed)"],
          schema_id: 1,
          schema_history: ["1: renamed qty to quantity, quantity from int to long, added lines"],
          size_bytes: 65_536,
          data_files: 3,
        },
      }],
      dataset: { rows_number: 1_200 },
    });
    const fields = items.get("orders")!.dataset!.field_list;
    expect(fields.map(({ name, type }) => [name, type.logical_type])).toEqual([
      ["id", "long"],
      ["quantity", "long"],
      ["placed", "timestamp"],
      ["lines", "list<struct>"],
      ["price", "decimal(10, 2)"],
    ]);
  });

  it("leaves out a table that is dropped during the read", async () => {
    await server.createNamespace(["short"]);
    const names = ["a", "b"];
    for (const name of names) {
      await server.createTable(["short"], name, struct(field(1, "id", "int")));
    }
    const reading = readCatalog(over({ settings: { include: ["short.*"] } }) as never);
    const found = [(await reading.next()).value];
    await server.dropTable(["short"], "b");
    for await (const finding of reading) found.push(finding);
    expect(found).toMatchObject([
      { kind: "item", item: { name: "a" } },
      { kind: "item", item: { name: "short", data_entity_group: { entities_list: [{}] } } },
    ]);
  });

  it("names a table that the server does not give, and goes on", async () => {
    // The server refuses every path with an encoded slash.
    await server.createNamespace(["odd"]);
    await server.createTable(["odd"], "a/b", struct(field(1, "id", "int")));
    await server.createTable(["odd"], "c", struct(field(1, "id", "int")));
    const { findings, items } = await read({ settings: { include: ["odd.*"] } });
    expect(findings.filter(({ kind }) => kind === "problem")).toMatchObject([
      { problem: { object: "table odd.a/b", reason: "the server answers with status 400" } },
    ]);
    expect([...items.keys()]).toEqual(["c", "odd"]);
  });
});
