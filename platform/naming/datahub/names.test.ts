import { expect, it } from "vitest";
import { Config } from "#platform/config/schema.ts";
import { datahubNaming, nameDataset } from "./names.ts";
import { datasetOf, fieldOf, parseUrn } from "./urn.ts";

const hosts =
  "postgres=db.example:5433, postgres/eu=db.eu.example, postgres/DEV=db.dev.example, kafka=b:9092";
const naming = datahubNaming(Config.parse({ instance: "x", datahub: { hosts } }));
const without = datahubNaming(Config.parse({ instance: "x" }));
const urn = (platform: string, name: string, env = "PROD") =>
  datasetOf(`urn:li:dataset:(urn:li:dataPlatform:${platform},${name},${env})`)!;

it.each([
  [
    "postgres",
    "shop.public.orders",
    "PROD",
    "//postgresql/host/db.example:5433/databases/shop/schemas/public/tables/orders",
  ],
  [
    "postgres",
    "eu.shop.public.orders",
    "PROD",
    "//postgresql/host/db.eu.example/databases/shop/schemas/public/tables/orders",
  ],
  [
    "postgres",
    "shop.public.orders",
    "DEV",
    "//postgresql/host/db.dev.example/databases/shop/schemas/public/tables/orders",
  ],
  ["kafka", "orders", "PROD", "//kafka/host/b:9092/clusters/b:9092/topics/orders"],
  ["sqlite", "main.orders", "PROD", "//datahub/platforms/sqlite/datasets/main.orders"],
  [
    "sqlite",
    "main.orders",
    "QA",
    "//datahub/platforms/sqlite/environments/QA/datasets/main.orders",
  ],
])("%s %s of %s is %s", (platform, name, env, catrn) => {
  expect(nameDataset(urn(platform, name, env), naming)).toMatchObject({ catrn });
});

it("a bucket needs no host, and is named as by OpenLineage", () => {
  const { catrn, lacksHost } = nameDataset(urn("s3", "shop/raw/orders"), without);
  expect([catrn, lacksHost]).toEqual([expect.stringMatching(/^\/\/s3\//), undefined]);
});

it("without a host any host of the catalogue may be meant, unless it is of an instance or an environment", () => {
  const usual = nameDataset(urn("postgres", "shop.public.orders"), without);
  expect(usual.lacksHost).toBe("postgres");
  expect(usual.candidateName).not.toBeNull();
  const dev = nameDataset(urn("postgres", "shop.public.orders", "DEV"), without);
  expect([dev.lacksHost, dev.candidateName]).toEqual(["postgres/DEV", null]);
  const instance = nameDataset(
    { ...urn("postgres", "eu.shop.public.orders"), instance: "eu" },
    without,
  );
  expect([instance.lacksHost, instance.candidateName]).toEqual(["postgres/eu", null]);
});

it("urns are parsed, those of fields with parentheses and commas in their paths too", () => {
  const dataset = "urn:li:dataset:(urn:li:dataPlatform:hive,a%2Cb,PROD)";
  expect(datasetOf(dataset)).toEqual({ platform: "hive", name: "a,b", env: "PROD" });
  expect(fieldOf(`urn:li:schemaField:(${dataset},x%2Cy)`)).toEqual({ dataset, path: "x,y" });
  expect(parseUrn("urn:li:tag:a:b")).toEqual({ type: "tag", parts: ["a:b"] });
  expect([parseUrn("urn:li:tag:"), parseUrn("tag"), fieldOf(dataset)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
