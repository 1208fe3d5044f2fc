import { own } from "#kit/own.ts";
import type { Item } from "./items.ts";
import type { Mart } from "./marts.ts";

/** Column lineage of one target column, in the form in which collectors send it. */
type Entry = Record<string, unknown>;

/** A part with `column_lineage` added to its transformer. */
export function withColumns(part: Item, column_lineage: Entry[]): Item {
  return { ...part, data_transformer: { ...part.data_transformer as object, column_lineage } };
}

/** Each column as a copy of that of the same name. */
export function copied(from: string, to: string, columns: string[]): Entry[] {
  return columns.map((field) => ({
    target: { dataset_catrn: to, field },
    sources: [{ dataset_catrn: from, field, type: "DIRECT", subtype: "IDENTITY" }],
  }));
}

/** What decides which rows there are at all, without being in any of them. */
export function chosenBy(from: string, to: string, ...columns: string[]): Entry {
  const sources = columns.map((field) => ({
    dataset_catrn: from,
    field,
    type: "INDIRECT",
    subtype: "FILTER",
  }));
  return { target: { dataset_catrn: to }, sources };
}

/** How columns of marts are made that are not copies: `mart.column` from `input.column …`. */
const made: Record<string, string> = {
  "fct_orders.order_id": "orders.id",
  "fct_orders.day": "orders.created_at",
  "fct_orders.revenue": "orders.total order_items.quantity order_items.unit_price vouchers.amount",
  "fct_orders.discount": "vouchers.amount",
  "fct_payments.payment_id": "payments.id",
  "fct_payments.net_amount": "payments.amount refunds.amount",
  "fct_shipments.shipment_id": "shipments.id",
  "fct_shipments.hours_in_transit": "shipments.created_at shipments.updated_at",
  "fct_stock.days_of_cover": "stock_levels.on_hand",
  "fct_reviews.average_rating": "reviews.rating",
  "dim_customers.customer_id": "customers.id",
  "dim_customers.segment": "segments.name",
  "dim_products.product_id": "products.id",
  "dim_products.category": "categories.name",
  "dim_products.supplier": "suppliers.name",
  "fct_payouts.payout_id": "payouts.id",
  "fct_payouts.difference": "payouts.amount payments.amount",
  "mrt_daily_revenue.revenue": "fct_orders.revenue fct_payments.net_amount",
  "mrt_customer_lifetime.lifetime_value": "fct_orders.revenue fct_orders.discount",
  "mrt_customer_lifetime.orders": "fct_orders.order_id",
  "mrt_product_margin.margin": "fct_orders.revenue fct_stock.days_of_cover",
  "mrt_delivery_quality.day": "fct_orders.day",
  "mrt_delivery_quality.on_time_share": "fct_shipments.hours_in_transit",
  "mrt_churn_features.recency_days": "mrt_customer_lifetime.orders",
  "mrt_churn_features.frequency": "mrt_customer_lifetime.orders fct_reviews.average_rating",
};

/**
 * The column lineage of a mart. `columnsOf` tells the columns of an input by its name, `catrnOf` its CATRN;
 * what nothing is reported of is copied from the first input that has a column of that name.
 */
export function martColumns(
  mart: Mart,
  to: string,
  columnsOf: (input: string) => string[],
  catrnOf: (input: string) => string,
): Entry[] {
  return mart.columns.flatMap(([field]) => {
    const sourceName = own(made, `${mart.name}.${field}`);
    const copy = mart.from.find((input) => columnsOf(input).includes(field));
    const named = sourceName?.split(" ") ?? (copy === undefined ? [] : [`${copy}.${field}`]);
    if (named.length === 0) return [];
    const sources = named.map((name) => {
      const [input = "", column = ""] = name.split(".");
      const subtype = sourceName === undefined ? "IDENTITY" : "TRANSFORMATION";
      return { dataset_catrn: catrnOf(input), field: column, type: "DIRECT", subtype };
    });
    return [{ target: { dataset_catrn: to, field }, sources }];
  });
}
