import { expect, it } from "vitest";
import { crumbsOf } from "#web/components/crumbs.ts";

it.each([
  [
    "//snowflake/host/h.example/warehouses/analytics/databases/dwh/schemas/marts/tables/fct_orders",
    ["dwh", "marts"],
  ],
  ["//kafka/host/events.example/topics/orders.placed", []],
  ["//tableau/host/bi.example/sites/harbour/dashboards/board_pack", ["harbour"]],
  ["//s3/cloud/aws/buckets/raw/keys/2026/11/x.csv", ["raw"]],
  ["home-made", []],
  ["//x", []],
])("names the places above %s", (catrn, texts) => {
  expect(crumbsOf(catrn).map(({ text }) => text)).toEqual(texts);
});

it("gives each place the CATRN of what it stands for", () => {
  const [database, schema] = crumbsOf("//pg/host/h/databases/shop/schemas/sales/tables/orders");
  expect(database!.catrn).toBe("//pg/host/h/databases/shop");
  expect(schema!.catrn).toBe("//pg/host/h/databases/shop/schemas/sales");
});
