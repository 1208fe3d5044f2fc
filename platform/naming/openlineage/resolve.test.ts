import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { noMetrics } from "#kit/metrics.ts";
import { Config } from "#platform/config/schema.ts";
import { maxChildren, noMemory } from "#platform/naming/catalogue.ts";
import { countedDatabase } from "#test/support/statements/counted.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { seedEntity, seedSource } from "#test/support/seed/seed.ts";
import { namingMemory, namingSettings, resolveNames } from "./names.ts";

const settings = namingSettings(Config.parse({}).openlineage);
const shop = "//postgresql/host/Db.Example:5433/databases/shop";
const athena = "//athena/cloud/aws/account/111122223333/region/eu-west-1";
const brokers = "//kafka/host/b1.example:9092,b2.example:9092/clusters/main";
const snowflake = "//snowflake/host/XY12345.EU-CENTRAL-1.snowflakecomputing.com/databases/SHOP";
const redshift = "//redshift/host/wh.abc123.eu-west-1.redshift.amazonaws.com/databases/shop";

let test: TestDatabase;
beforeAll(async () => {
  test = await testDatabase();
  const catalogued: [string, string[]][] = [
    [shop, [
      "schemas/public/tables/orders",
      "schemas/public/views/totals",
      "schemas/sales/tables/Only",
    ]],
    ["//postgresql/host/multi.example/databases/a", ["schemas/public/tables/twice"]],
    ["//postgresql/host/multi.example/databases/b", ["schemas/public/tables/twice"]],
    ["//postgresql/host/multi.example/databases/b", ["schemas/public/tables/once"]],
    ["//collector/of/its/own", ["//mysql/host/plain.example/databases/shop/tables/carts"]],
    [athena, ["catalogs/AwsDataCatalog/databases/shop/tables/orders"]],
    ["//gcs/cloud/gcp/project/p1", ["buckets/lake/keys/raw\\\\a", "buckets/both/keys/x"]],
    ["//gcs/cloud/gcp/project/p2", ["buckets/both/keys/x"]],
    [brokers, ["topics/paid"]],
    [snowflake, ["schemas/PUBLIC/tables/ORDERS"]],
    [redshift, ["schemas/public/tables/orders"]],
    ["//duckdb/host/box", ["catalogs/shop/schemas/main/tables/orders"]],
    ["//mssql/host/ms/databases/shop", ["schemas/sales/tables/orders"]],
    ["//openlineage/namespaces/x", ["//hive/host/h/databases/shop/tables/orders"]],
  ];
  const sources = new Map<string, number>();
  for (const [source, entities] of catalogued) {
    const sourceId = sources.get(source) ?? await seedSource(test.db, { catrn: source });
    sources.set(source, sourceId);
    for (const below of entities) {
      const catrn = below.startsWith("//") ? below : `${source}/${below}`;
      await seedEntity(test.db, { catrn, sourceId });
    }
  }
});
afterAll(() => test.drop());

const resolved = async (namespace: string, name: string) =>
  (await resolveNames(test.db, [{ namespace, name }], settings, noMemory))[0]!;

describe("resolveNames, what a collector holds", () => {
  it.each<[string, string, string, string]>([
    [
      "another port and case of the host",
      "postgres://db.example:5432",
      "shop.public.orders",
      `${shop}/schemas/public/tables/orders`,
    ],
    [
      "the name in another case",
      "postgres://db.example",
      "SHOP.PUBLIC.ORDERS",
      `${shop}/schemas/public/tables/orders`,
    ],
    [
      "a view",
      "postgres://db.example",
      "shop.public.totals",
      `${shop}/schemas/public/views/totals`,
    ],
    [
      "no database",
      "postgres://db.example",
      "public.orders",
      `${shop}/schemas/public/tables/orders`,
    ],
    ["no schema either", "postgres://db.example", "Only", `${shop}/schemas/sales/tables/Only`],
    [
      "no database, one of two",
      "postgres://multi.example",
      "public.once",
      "//postgresql/host/multi.example/databases/b/schemas/public/tables/once",
    ],
    [
      "no data source above it",
      "mysql://PLAIN.example",
      "shop.CARTS",
      "//mysql/host/plain.example/databases/shop/tables/carts",
    ],
    [
      "an account",
      "awsathena://athena.eu-west-1.amazonaws.com",
      "shop.orders",
      `${athena}/catalogs/AwsDataCatalog/databases/shop/tables/orders`,
    ],
    ["a project", "gs://lake", "raw/a", "//gcs/cloud/gcp/project/p1/buckets/lake/keys/raw\\\\a"],
    ["a broker of several", "kafka://b2.example:9092", "paid", `${brokers}/topics/paid`],
    [
      "a region and cloud more",
      "snowflake://xy12345.eu-central-1.aws",
      "shop.public.orders",
      `${snowflake}/schemas/PUBLIC/tables/ORDERS`,
    ],
    [
      "a region less",
      "snowflake://xy12345",
      "shop.public.orders",
      `${snowflake}/schemas/PUBLIC/tables/ORDERS`,
    ],
    [
      "the short form of an endpoint",
      "redshift://wh.eu-west-1:5439",
      "shop.public.orders",
      `${redshift}/schemas/public/tables/orders`,
    ],
    [
      "another file",
      "duckdb:///tmp/x.duckdb",
      "shop.main.orders",
      "//duckdb/host/box/catalogs/shop/schemas/main/tables/orders",
    ],
    [
      "a guessed schema",
      "mssql://ms:1433/shop",
      "orders",
      "//mssql/host/ms/databases/shop/schemas/sales/tables/orders",
    ],
  ])("%s", async (_, namespace, name, catrn) => {
    expect(await resolved(namespace, name)).toMatchObject({
      catrn,
      match: "loose",
      warnings: [],
      catalogued: true,
    });
  });

  it("the CATRN of the rule outdoes all others", async () => {
    const found = await resolved("postgres://multi.example", "b.public.twice");
    expect(found).toMatchObject({ match: "exact", catalogued: true });
  });
});

describe("resolveNames, what none holds", () => {
  it.each<[string, string, string, string, string[]]>([
    ["several databases", "postgres://multi.example", "public.twice", "generic", [
      "incomplete",
      "ambiguous",
    ]],
    ["several projects", "gs://both", "x", "template", ["incomplete", "ambiguous"]],
    ["another host", "postgres://elsewhere", "shop.public.orders", "template", []],
    ["another broker", "kafka://b3.example", "paid", "template", []],
    ["what OpenLineage itself brought", "hive://h", "shop.orders", "template", []],
    ["another endpoint", "redshift://other.eu-west-1", "shop.public.orders", "template", []],
    ["no rule", "airbyte", "orders", "generic", []],
    ["inherited names", "constructor://__proto__", "toString", "generic", []],
  ])("%s", async (_, namespace, name, match, warnings) => {
    const found = await resolved(namespace, name);
    expect(found).toMatchObject({ match, warnings, catalogued: false });
  });

  it("what has too many schemas is not guessed", async () => {
    const root = "//postgresql/host/wide.example/databases/d";
    await seedSource(test.db, { catrn: root });
    for (let n = 0; n <= maxChildren; n++) {
      await seedEntity(test.db, { catrn: `${root}/schemas/s${n}/tables/t${n}` });
    }
    expect((await resolved("postgres://wide.example/d", "t7")).warnings).toContain("ambiguous");
  });

  it("a schema is found whatever stands next to it", async () => {
    const root = "//postgresql/host/beside.example/databases/d";
    await seedSource(test.db, { catrn: root });
    for (const schema of ["a", "a-b", "a0", "a b", "aü", "b"]) {
      await seedEntity(test.db, { catrn: `${root}/schemas/${schema}` });
      await seedEntity(test.db, { catrn: `${root}/schemas/${schema}/tables/in ${schema}` });
      const { catrn } = await resolved("postgres://beside.example/d", `in ${schema}`);
      expect(catrn).toBe(`${root}/schemas/${schema}/tables/in ${schema}`);
    }
  });
});

describe("resolveNames, many at once", () => {
  let now = 1_000_000;
  const clock = { now: () => now, sleep: () => Promise.resolve() };
  let memory: ReturnType<typeof namingMemory>;
  beforeEach(() => void (memory = namingMemory({ clock, metrics: noMetrics })));

  it("takes as many statements as one", async () => {
    const { db, during } = countedDatabase(test.db);
    const refs = Array.from({ length: 500 }, (_, n) => ({
      namespace: `postgres://h${n % 7}`,
      name: n % 2 ? `d.s.t${n}` : `s.t${n}`,
    }));
    const { statements } = await during(() => resolveNames(db, refs, settings, memory));
    expect(statements.length).toBeLessThanOrEqual(6);
    const repeated = await during(() => resolveNames(db, refs, settings, memory));
    expect(repeated.statements).toEqual([]);
  });

  it("looks again after a minute, and answers in the order of the names", async () => {
    const refs = ["t1", "t2", "t1"].map((name) => ({
      namespace: "mysql://late",
      name: `d.${name}`,
    }));
    const matches = async () =>
      (await resolveNames(test.db, refs, settings, memory)).map(({ match }) => match);
    expect(await matches()).toEqual(["template", "template", "template"]);
    await seedEntity(test.db, { catrn: "//mysql/host/late/databases/d/tables/t1" });
    now += 59_999;
    expect(await matches()).toEqual(["template", "template", "template"]);
    now += 1;
    expect(await matches()).toEqual(["exact", "template", "exact"]);
  });
});
