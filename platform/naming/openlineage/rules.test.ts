import { describe, expect, it } from "vitest";
import { maxCatrnBytes } from "#contract/entities.ts";
import { Config } from "#platform/config/schema.ts";
import { expectLinear } from "#test/support/linear.ts";
import { catrnsOf, namingSettings, openLineageNameOf } from "./names.ts";
import { fileRows } from "./testing/file-rows.ts";
import type { Row } from "./testing/row.ts";
import { tableRows } from "./testing/table-rows.ts";

const standard = namingSettings(Config.parse({}).openlineage);
const catrnOf = (namespace: string, name: string, settings = standard) =>
  catrnsOf({ namespace, name }, settings).catrn;

describe.each<Row>([...tableRows, ...fileRows])(
  "$rule",
  ({ canonical, catrn, rule, kind, variants, malformed, oneWay }) => {
    const [namespace, name] = canonical;

    it(`${namespace} ${name} is ${catrn}`, () => {
      const found = catrnsOf({ namespace, name }, standard);
      expect(found).toMatchObject({ catrn, rule, kind, generic: false });
    });

    if (!oneWay) {
      it("has the canonical name again, and that the same CATRN", () => {
        expect(openLineageNameOf(catrn)).toEqual({ namespace, name });
      });
    }

    it.each(variants)("%s %s means the same", (otherNamespace, otherName) => {
      expect(catrnOf(otherNamespace, otherName)).toBe(catrn);
    });

    it.each(malformed)("%s is no name of it", (bad) => {
      expect(catrnsOf({ namespace, name: bad }, standard)).toMatchObject({
        generic: true,
        warnings: ["malformed"],
        catrn: expect.stringMatching(/^\/\/openlineage\/namespaces\/[^/]+\/datasets\/[^/]+$/),
      });
    });

    it.each(hostile())("takes %s", (_, bad) => {
      for (const given of [{ namespace, name: bad }, { namespace: namespace + bad, name }]) {
        const { catrn } = catrnsOf(given, standard);
        expect(new TextEncoder().encode(catrn).length).toBeLessThanOrEqual(maxCatrnBytes);
        expect(catrn).not.toContain("\0");
        expect(catrn.isWellFormed()).toBe(true);
        expect(() => openLineageNameOf(catrn)).not.toThrow();
      }
    });
  },
);

function hostile(): [string, string][] {
  return [
    ["nothing", ""],
    ["dots", "..."],
    ["NUL", "a\0b.\0"],
    ["lone surrogates", "\ud800.x.\udc00"],
    ["10,000 letters", "ü".repeat(10_000)],
    ["10,000 dots", ".".repeat(10_000)],
    ["10,000 opened quotes", '".['.repeat(3_400)],
    ["slashes", "a/b//c/../d"],
    ["quotes", `"a.b".[c]]d].\`e\`\`f\`."`],
    ["placeholders", "{host}.{1}.$1"],
    ["an inherited name", "constructor.__proto__.toString"],
    ["percents and backslashes", "%2F.\\\\.%"],
    ["an address", "postgres://me:secret@h/x?y=z#w"],
  ];
}

describe("names of no rule", () => {
  it.each<[string, string, string]>([
    ["airbyte", "orders", "//openlineage/namespaces/airbyte/datasets/orders"],
    ["food://x:1/a", "a/b", "//openlineage/namespaces/food:%2F%2Fx:1%2Fa/datasets/a%2Fb"],
    ["", "", "//openlineage/namespaces/%/datasets/%"],
  ])("%j %j is %s, loss-free", (namespace, name, catrn) => {
    expect(catrnsOf({ namespace, name }, standard)).toMatchObject({ catrn, generic: true });
    expect(openLineageNameOf(catrn)).toEqual({ namespace, name });
  });

  it("no two share a CATRN", () => {
    const names = ["a/b", "a%2Fb", "a\\b", "a\\\\b", "A/B", "ü".repeat(400), "ü".repeat(401)];
    expect(new Set(names.map((name) => catrnOf("x", name))).size).toBe(names.length);
  });

  it("a CATRN is its own name in the namespace tributary", () => {
    const catrn = "//tableau/host/t/dashboards/d";
    expect(catrnsOf({ namespace: "tributary", name: catrn }, standard)).toMatchObject({
      catrn,
      rule: "catrn",
      generic: false,
    });
    expect(openLineageNameOf(catrn)).toBeUndefined();
  });
});

describe("what is stripped", () => {
  it.each<[string, string, string, string]>([
    ["credentials", "postgres://me:pw@h:5432", "d.s.t", "postgres://h:5432"],
    ["a query", "mysql://h:3306?password=x", "d.t", "mysql://h:3306"],
    ["credentials with an at", "kafka://me:p@w@b:9092", "t", "kafka://b:9092"],
    [
      "a password beside a container",
      "abfss://c:pw@a.dfs.core.windows.net",
      "x",
      "abfss://c@a.dfs.core.windows.net",
    ],
    ["credentials of an unknown scheme", "food://me:pw@h", "x", "food://h"],
  ])("%s", (_, namespace, name, expected) => {
    expect(catrnsOf({ namespace, name }, standard).ref).toEqual({ namespace: expected, name });
  });

  it("a query of an address that is a name", () => {
    const given = { namespace: "https://files.example", name: "/a.csv?signature=secret" };
    expect(catrnsOf(given, standard).ref.name).toBe("/a.csv");
  });

  it.each([
    ["/data/orders/day=2026-01-31", "/data/orders"],
    ["/data/orders/day=2026-01-31/hour=3/", "/data/orders"],
    ["/data/orders///", "/data/orders"],
    ["/day=1", "/"],
    ["/data/orders/2026/01", "/data/orders"],
    ["/data/2026/01/orders.csv", "/data/2026/01/orders.csv"],
    ["/data/orders/day=2026-01-31/part-0000.snappy.parquet", "/data/orders"],
    ["/data/orders/day=2026-01-31/hour=3/000000_0", "/data/orders"],
    ["/data/orders/day=2026-01-31/*.parquet", "/data/orders"],
    ["/data/orders/day=*/hour=0[1-3]/x.json.gz", "/data/orders"],
    ["/data/orders/**", "/data/orders"],
    ["/data/orders/*/2026-01-31.csv", "/data/orders"],
    ["/data/orders/part-{0,1}.csv", "/data/orders"],
    ["/data/orders/{draft}.csv", "/data/orders/{draft}.csv"],
    ["/data/orders/[2026-01] final.csv", "/data/orders/[2026-01] final.csv"],
    ["/*.csv", "/"],
    ["/env=prod/orders", "/env=prod/orders"],
    ["/env=prod/orders/day=1/_SUCCESS", "/env=prod/orders"],
  ])("what tells a partition: %s", (path, expected) => {
    const { openlineage } = Config.parse({ openlineage: { "path-patterns": "/\\d{4}/\\d{2}" } });
    const settings = namingSettings(openlineage);
    expect(catrnsOf({ namespace: "hdfs://n:8020", name: path }, settings).ref.name).toBe(expected);
  });
});

describe("what operators tell", () => {
  const configured = (openlineage: Record<string, unknown>) =>
    namingSettings(Config.parse({ openlineage }).openlineage);

  it("gives hosts the names under which they are catalogued", () => {
    const settings = configured({
      hosts: "pg-1=db.example, b1:9093 = bus:9092, lake=minio.example/raw",
    });
    expect(catrnOf("postgres://PG-1:5432", "d.s.t", settings))
      .toBe("//postgresql/host/db.example/databases/d/schemas/s/tables/t");
    expect(catrnOf("kafka://b1:9093", "t", settings))
      .toBe("//kafka/host/bus:9092/clusters/bus:9092/topics/t");
    const custom = "//s3-custom/endpoint/minio.example/buckets/raw/keys/a\\\\b";
    expect(catrnOf("s3://lake", "a/b", settings)).toBe(custom);
  });

  it("gives accounts and projects", () => {
    const settings = configured({ "aws-account": 123456789012, "gcp-project": "acme" });
    expect(catrnOf("awsathena://athena.eu-west-1.amazonaws.com", "c.d.t", settings))
      .toContain("/account/123456789012/");
    expect(catrnOf("gs://b", "k", settings)).toBe("//gcs/cloud/gcp/project/acme/buckets/b/keys/k");
    expect(catrnOf("bigquery", "d.t", settings)).toContain("/project/acme/datasets/d/");
  });

  it("is asked before all rules, the first that matches", () => {
    const settings = configured({
      datasets: [
        { namespace: "app", name: "(?P<schema>\\w+)\\.(\\w+)_\\d{8}", catrn: "//x/{schema}/{2}" },
        { namespace: "app", name: ".*", catrn: "//openlineage/y/{name}" },
      ],
    });
    expect(catrnOf("app", "s.orders_20260131", settings)).toBe("//x/s/orders");
    expect(catrnOf("app", "a/b", settings)).toBe("//openlineage/y/a%2Fb");
    expect(catrnOf("other", "a", settings)).toContain("/namespaces/other/");
  });

  it.each<[string, Record<string, unknown>, RegExp]>([
    ["a pattern that is none", { jobs: [{ namespace: "(", name: "x", catrn: "//x" }] }, /pattern/],
    [
      "a placeholder that is none",
      { jobs: [{ namespace: "x", name: "x", catrn: "//{1}" }] },
      /\{name\}/,
    ],
    ["a CATRN that is none", { datasets: [{ namespace: "x", name: "x", catrn: "x" }] }, /\/\//],
    ["an alias of nothing", { hosts: "=x" }, /alias=host/],
    ["an account that is none", { "aws-account": "12" }, /./],
    ["a pattern of paths that is none", { "path-patterns": ["("] }, /pattern/],
  ])("refuses %s", (_, openlineage, message) => {
    const parsed = Config.safeParse({ openlineage });
    expect(parsed.error?.issues[0]?.message).toMatch(message);
  });
});

describe("the time that a name takes", () => {
  it.each(['".[', ".", "/", "a=b/", "@", "://", ","])(
    "grows with its length: %j",
    async (piece) => {
      await expectLinear((size) => {
        const text = piece.repeat(size);
        catrnsOf({ namespace: `postgres://${text}`, name: text }, standard);
        catrnsOf({ namespace: "s3://b", name: text }, standard);
      }, 200);
    },
  );
});
