import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Config } from "#platform/config/schema.ts";
import { resolveDatasets } from "#services/trace-gateway/datasets/resolve.ts";
import {
  datasetKey,
  type DatasetRef,
  nameDataset,
} from "#services/trace-gateway/datasets/templates.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { expectLinear } from "#test/support/linear.ts";
import { seedEntity, seedSource } from "#test/support/seed/seed.ts";

const standard = Config.parse({}).traces.datasets;

let test: TestDatabase;
beforeAll(async () => {
  test = await testDatabase();
  for (const catrn of catalogue) await seedEntity(test.db, { catrn });
  for (const catrn of sources) await seedSource(test.db, { catrn });
});
afterAll(() => test.drop());

const pg = "//postgresql/host/db.example/databases/shop";
const mixed = "//postgresql/host/Mixed.Example:5433/databases/shop";
const brokers = "//kafka/host/b1.example:9092,b2.example:9093/clusters/main";
const sources = [
  pg,
  mixed,
  "//kafka/host/bus.example:9092",
  "//mysql/host/my:3307/databases/shop",
  brokers,
  "//mongo/host/docs.example/databases/shop",
  "//mssql/host/ms.example/databases/shop",
  "//oracle/host/ora.example/schemas/SALES/databases/shop",
];
const catalogue = [
  `${pg}/schemas/public/tables/orders`,
  `${pg}/schemas/sales/tables/invoices`,
  `${pg}/schemas/a/tables/twice`,
  `${pg}/schemas/b/tables/twice`,
  `${pg}/schemas/public/views/totals`,
  `${mixed}/schemas/public/tables/orders`,
  `${mixed}/schemas/public/tables/Users`,
  "//kafka/host/bus.example:9092/topics/orders.placed",
  "//mysql/host/my:3307/databases/shop/tables/carts",
  `${brokers}/topics/paid`,
  "//mongo/host/docs.example/databases/shop/collections/users",
  "//mssql/host/ms.example/databases/shop/schemas/dbo/tables/orders",
  "//oracle/host/ora.example/schemas/SALES/databases/shop/tables/ORDERS",
];

const ref = (given: Partial<DatasetRef>): DatasetRef => ({
  kind: "database",
  system: "postgresql",
  address: "db.example:5432",
  database: "shop",
  target: null,
  ...given,
});
const topic = (given: Partial<DatasetRef>) =>
  ref({ kind: "topic", system: "kafka", address: "bus.example:9092", database: null, ...given });

async function resolved(given: DatasetRef, templates = standard): Promise<string | undefined> {
  const all = await resolveDatasets(test.db, templates, [given, ref({ target: "other" })]);
  return all.catrns.get(datasetKey(given));
}

describe("resolveDatasets, what is catalogued", () => {
  it.each<[string, DatasetRef, string]>([
    ["the templated CATRN, schema public", ref({ target: "orders" }), catalogue[0]!],
    ["a schema that the span tells", ref({ target: "sales.invoices" }), catalogue[1]!],
    [
      "a schema in the namespace",
      ref({ database: "shop|sales", target: "invoices" }),
      catalogue[1]!,
    ],
    ["a schema that only the catalogue tells", ref({ target: "invoices" }), catalogue[1]!],
    ["a view", ref({ target: "totals" }), catalogue[4]!],
    [
      "a host of another case and a port",
      ref({ address: "mixed.example:5433", target: "orders" }),
      catalogue[5]!,
    ],
    [
      "a host without its port",
      ref({ address: "mixed.example", target: "orders" }),
      catalogue[5]!,
    ],
    ["a topic by host and port", topic({ target: "orders.placed" }), catalogue[7]!],
    ["a topic without a broker", topic({ address: null, target: "orders.placed" }), catalogue[7]!],
    [
      "a table with its database",
      ref({ system: "mariadb", address: "my:3306", database: null, target: "shop.carts" }),
      catalogue[8]!,
    ],
    [
      "a topic by the second of its brokers",
      topic({ address: "b2.example:9093", target: "paid" }),
      catalogue[9]!,
    ],
    [
      "a collection, as collectors write it",
      ref({ system: "mongodb", address: "docs.example:27017", target: "users" }),
      catalogue[10]!,
    ],
    [
      "a table of SQL Server",
      ref({ system: "mssql", address: "ms.example:1433", target: "orders" }),
      catalogue[11]!,
    ],
    [
      "a table of Oracle in lower case, without its schema",
      ref({ system: "oracle.db", address: "ora.example:1521", target: "orders" }),
      catalogue[12]!,
    ],
  ])("finds %s", async (_what, given, expected) => {
    expect(await resolved(given)).toBe(expected);
  });
});

describe("resolveDatasets, what is not", () => {
  it.each<[string, DatasetRef, string]>([
    ["ambiguous schemas", ref({ target: "twice" }), `${pg}/schemas/public/tables/twice`],
    [
      "another host",
      ref({ address: "elsewhere:5432", target: "orders" }),
      "//postgresql/host/elsewhere/databases/shop/schemas/public/tables/orders",
    ],
    ["no table: the database", ref({}), pg],
    ["no database: the host", ref({ database: null }), "//postgresql/host/db.example"],
    [
      "a MongoDB collection with dots",
      ref({ system: "mongodb", target: "fs.files" }),
      "//mongo/host/db.example/databases/shop/collections/fs.files",
    ],
    [
      "a Redis database, 0 unless told",
      ref({ system: "redis", database: null }),
      "//redis/host/db.example/databases/0",
    ],
    [
      "an S3 bucket",
      ref({ system: "aws.s3", address: null, database: null, target: "raw/2026/x" }),
      "//s3/cloud/aws/buckets/raw",
    ],
    [
      "a database of another kind",
      ref({ system: "Cassandra", target: "events" }),
      "//cassandra/host/db.example/databases/shop/tables/events",
    ],
    [
      "a queue, slashes and braces in its name",
      topic({ system: "rabbitmq", address: "[::1]:5672", target: "a/{host}" }),
      "//rabbitmq/host/[::1]/topics/a\\\\{host}",
    ],
    ...["constructor", "__proto__", "toString", "hasOwnProperty"].map((
      system,
    ): [string, DatasetRef, string] => [
      `a database that calls itself ${system}`,
      ref({ system, target: "t" }),
      `//${system.toLowerCase()}/host/db.example/databases/shop/tables/t`,
    ]),
    [
      "an unknown broker",
      topic({ address: null, target: "x" }),
      "//kafka/host/unknown/clusters/unknown/topics/x",
    ],
    [
      "a broker that tells no port",
      topic({ address: "lone.example", target: "x" }),
      "//kafka/host/lone.example:9092/clusters/lone.example:9092/topics/x",
    ],
    [
      "a table of SQL Server, schema dbo",
      ref({ system: "microsoft.sql_server", target: "orders" }),
      "//mssql/host/db.example/databases/shop/schemas/dbo/tables/orders",
    ],
    [
      "a table of Oracle, schema before database and upper-case",
      ref({ system: "oracle", target: "sales.orders" }),
      "//oracle/host/db.example/schemas/SALES/databases/shop/tables/ORDERS",
    ],
  ])("names %s", async (_what, given, expected) => {
    expect(await resolved(given)).toBe(expected);
  });

  it("follows the templates of the configuration", async () => {
    const { traces } = Config.parse({
      traces: {
        datasets: {
          kafka: "//kafka/cluster/main/topics/{target}",
          others: "cassandra=//cassandra/host/{address}/keyspaces/{database}/tables/{target}",
        },
      },
    });
    expect(await resolved(topic({ target: "x" }), traces.datasets))
      .toBe("//kafka/cluster/main/topics/x");
    expect(await resolved(ref({ system: "cassandra", target: "t" }), traces.datasets))
      .toBe("//cassandra/host/db.example:5432/keyspaces/shop/tables/t");
  });

  it("a template with an unknown placeholder is refused, naming those there are", () => {
    const parsed = Config.safeParse({ traces: { datasets: { kafka: "//kafka/{cluster}" } } });
    expect(parsed.error?.issues[0]?.message).toContain("{host}");
    const others = Config.safeParse({ traces: { datasets: { others: "x=//y/{z}" } } });
    expect(others.error?.issues[0]?.path).toEqual(["traces", "datasets", "others"]);
  });

  it("takes an address of nothing but colons in time that grows with its length", async () => {
    const colons = (size: number) => ref({ address: `${":".repeat(size)}\n` });
    await expectLinear((size) => nameDataset(colons(size), standard), 100);
    expect(await resolved(colons(300))).toMatch(/^\/\/postgresql\/host\/:/);
  });

  it("is cut to what a CATRN may be", async () => {
    const catrn = await resolved(ref({ target: "ü".repeat(2_000) }));
    expect(new TextEncoder().encode(catrn).length).toBeLessThanOrEqual(1_000);
    expect(catrn).toMatch(/~[0-9a-f]{16}$/);
  });
});
