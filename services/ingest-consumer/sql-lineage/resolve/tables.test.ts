import { expect, it } from "vitest";
import { dialectOf } from "../parse/read.ts";
import { namedDatasets } from "./tables.ts";

const dataset = (id: number, catrn: string, name: string | null = null) => ({
  id,
  catrn,
  name,
  fields: [],
});
const shop = "//postgresql/host/db/databases/shop/schemas";
const found = (name: string, ...datasets: ReturnType<typeof dataset>[]) =>
  namedDatasets(datasets).find(name.split("."))?.id;

it.each([
  ["orders", true],
  ["ORDERS", true],
  ["public.orders", true],
  ["shop.public.orders", true],
  ["db.shop.public.orders", true],
  ["other.orders", false],
  ["warehouse.public.orders", false],
  ["order", false],
  ["tables.order", false],
])("a table of PostgreSQL, by %s: %s", (name, is) => {
  expect(found(name, dataset(1, `${shop}/public/tables/Orders`))).toBe(is ? 1 : undefined);
});

it("one of several that end alike is told by more of its name, or not at all", () => {
  const both = [1, 2].map((id) => dataset(id, `${shop}/${"ab"[id - 1]}/tables/orders`));
  expect([found("a.orders", ...both), found("B.orders", ...both)]).toEqual([1, 2]);
  expect(found("orders", ...both)).toBeUndefined();
});

it.each([
  [
    "in Oracle's order",
    "sales.orders",
    "//oracle/host/h/schemas/sales/databases/ORCL/tables/orders",
  ],
  ["in no order of labels", "public.orders", "//wh/public/orders"],
  ["that tells less than the SQL", "public.orders", "//wh/orders"],
  ["with a percent-encoded part", "we/ird", `${shop}/public/tables/we%2Fird`],
  ["with a slash as collectors write it", "we/ird", `${shop}/public/tables/we\\\\ird`],
])("a CATRN %s", (_, name, catrn) => expect(found(name, dataset(1, catrn))).toBe(1));

it("a CATRN that tells nothing has lower precedence than what its dataset is called", () => {
  const opaque = dataset(1, "//s3/cloud/aws/buckets/b/keys/0f8c", "shop.Orders");
  expect(found("shop.orders", opaque)).toBe(1);
  expect(found("orders", opaque)).toBe(1);
  expect(found("returns", opaque)).toBeUndefined();
});

it("the dialect is that of what is written, then of what is read", () => {
  const [s3, snowflake, mssql] = ["//s3/x", "//snowflake/x", "//mssql/x"].map((catrn, id) =>
    dataset(id, catrn)
  ) as [ReturnType<typeof dataset>, ReturnType<typeof dataset>, ReturnType<typeof dataset>];
  expect(dialectOf([s3, snowflake], [mssql])).toBe("snowflake");
  expect(dialectOf([s3], [mssql])).toBe("tsql");
  expect(dialectOf([s3], [])).toBe("generic");
});
