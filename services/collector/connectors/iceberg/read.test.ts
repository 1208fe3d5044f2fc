import { afterEach, describe, expect, it } from "vitest";
import type { Item } from "../../connector.ts";
import type { RecordedServer } from "../../testing/server.ts";
import { allOf, itemsOf } from "../../testing/source.ts";
import { schemaHistory } from "./items.ts";
import { readCatalog } from "./read.ts";
import { icebergServer, icebergSession, type Lake, lake, plainTable } from "./testing/server.ts";

let server: RecordedServer;
afterEach(() => server?.close());

async function read(tables: Lake = lake(), more: Parameters<typeof icebergSession>[1] = {}) {
  server = await icebergServer(tables);
  const session = icebergSession(server, more);
  const findings = await allOf(readCatalog(session));
  const items = new Map(itemsOf(findings).map((item): [string, Item] => [item.catrn, item]));
  return { findings, items, source: session.source };
}

const orders = "//s3/cloud/aws/buckets/lake/keys/warehouse\\\\sales\\\\orders";

describe("a read of an Iceberg catalog", () => {
  it("gives a table the name of its location, as events of Spark do", async () => {
    const { items, source } = await read();
    expect([...items.keys()].filter((catrn) => !catrn.includes("/namespaces/"))).toEqual([
      orders,
      "//s3/cloud/aws/buckets/lake/keys/warehouse\\\\sales\\\\stock",
      "//filesystem/host/localhost/path/\\\\srv\\\\warehouse\\\\customers",
    ]);
    expect(items.has(`${source}/namespaces/tmp/tables/scratch`)).toBe(true);
    expect(source).toBe(`//iceberg/host/${new URL(server.url).host}/catalogs/lake`);
  });

  it("gives rows, size and time of the current snapshot, partitions, owner and words", async () => {
    const { items } = await read();
    expect(items.get(orders)).toMatchObject({
      name: "orders",
      type: "TABLE",
      description: "Orders of the shop",
      owners: [{ name: "ana" }],
      updated_at: "2030-01-01T00:00:00.000Z",
      metadata: [{
        metadata: {
          namespace: "sales",
          partitioning: ["day(placed)", "bucket[16](id)"],
          size_bytes: 65_536,
          data_files: 3,
          snapshot_operation: "append",
          schema_id: 2,
        },
      }],
      dataset: { rows_number: 1_200 },
    });
  });

  it("gives columns with types, nested ones by the path that events use", async () => {
    const { items } = await read();
    const fields = items.get(orders)!.dataset!.field_list.map(({ catrn, type, ...more }) => [
      catrn.slice(orders.length),
      type.type,
      type.logical_type,
      type.is_nullable,
      more.is_primary_key ?? false,
    ]);
    expect(fields).toEqual([
      ["/columns/id", "TYPE_INTEGER", "long", false, true],
      ["/columns/quantity", "TYPE_INTEGER", "long", true, false],
      ["/columns/placed", "TYPE_DATETIME", "date", true, false],
      ["/columns/lines", "TYPE_LIST", "list<struct>", true, false],
      ["/columns/lines.price", "TYPE_NUMBER", "decimal(10, 2)", false, false],
      ["/columns/lines.product", "TYPE_STRING", "string", true, false],
      ["/columns/marks", "TYPE_MAP", "map<string, struct>", true, false],
      ["/columns/marks.at", "TYPE_DATETIME", "timestamptz", true, false],
      ["/columns/raw", "TYPE_BINARY", "fixed[16]", true, false],
    ]);
  });

  it("tells what each schema changed, by the numbers of the columns", async () => {
    const { items } = await read();
    expect(items.get(orders)!.metadata![0]!.metadata.schema_history).toEqual([
      "1: renamed qty to quantity, quantity from int to long, added old",
      "2: added lines, added marks, added raw, removed old",
    ]);
    expect(schemaHistory({ "format-version": 1, properties: new Map() })).toEqual([]);
  });

  it("gives namespaces as groups of their tables and namespaces", async () => {
    const { items, source } = await read();
    expect(items.get(`${source}/namespaces/sales`)!.data_entity_group!.entities_list).toEqual([
      orders,
      "//s3/cloud/aws/buckets/lake/keys/warehouse\\\\sales\\\\stock",
      `${source}/namespaces/sales.emea`,
    ]);
  });

  it.each(["%2E", "%1F", "%2F", "::"])(
    "joins the levels of a namespace by the separator that the server names: %s",
    async (separator) => {
      server = await icebergServer(lake(), separator);
      const items = itemsOf(await allOf(readCatalog(icebergSession(server))));
      expect(items.map(({ name }) => name)).toContain("customers");
    },
  );

  it("asks for no more of the catalog than is taken, so that memory stays flat", async () => {
    server = await icebergServer();
    const reading = readCatalog(icebergSession(server));
    await reading.next();
    expect(server.requests.filter((one) => one.includes("/tables/"))).toHaveLength(1);
    await reading.return(undefined);
  });

  it("reads only what patterns include", async () => {
    const { items } = await read(lake(), { settings: { include: ["sales.emea.*"] } });
    expect([...items.values()].map(({ name }) => name)).toEqual([
      "customers",
      "sales.emea",
      "sales",
    ]);
  });

  it("names a table that cannot be read, and goes on; one that is dropped meanwhile is left out", async () => {
    const tables = lake().set("sales.orders", 500).set("sales.stock", 404).set("tmp.scratch", {});
    const { findings, items } = await read(tables);
    const problems = findings.flatMap((one) => one.kind === "problem" ? [one.problem] : []);
    expect(problems.map(({ object, reason }) => [object, reason])).toEqual([
      ["table sales.orders", "the server answers with status 500"],
      ["table tmp.scratch", "the answer is not that of an Iceberg catalog"],
    ]);
    expect([...items.values()].map(({ name }) => name)).toEqual([
      "customers",
      "sales.emea",
      "sales",
    ]);
  });

  it("gives a second table at one location a name of the catalog", async () => {
    const tables = lake().set("sales.twin", plainTable("s3://lake/warehouse/sales/orders/"));
    const { items, source } = await read(tables);
    expect(items.has(`${source}/namespaces/sales/tables/twin`)).toBe(true);
  });

  it("repeats no credentials of files that the server sends", async () => {
    const { findings } = await read();
    expect(JSON.stringify(findings)).not.toContain("s3cret");
  });
});
