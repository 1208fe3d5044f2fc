import { type Column, money, ref, text } from "./tables.ts";

/** A mart of the warehouse: its inputs and its consumers. */
export interface Mart {
  name: string;
  description: string;
  from: string[];
  columns: Column[];
  dashboards: string[];
}

const mart = (
  name: string,
  from: string,
  dashboards: string,
  description: string,
  ...columns: Column[]
): Mart => ({
  name,
  description,
  from: from.split(" "),
  columns,
  dashboards: dashboards === "" ? [] : dashboards.split("; "),
});
const day: Column = ["day", "TYPE_DATETIME"];

export const marts: Mart[] = [
  mart(
    "fct_orders",
    "orders order_items vouchers channels",
    "Orders today; Board pack",
    "Orders with what they brought",
    ...ref("order", "customer"),
    day,
    money("revenue"),
    money("discount"),
  ),
  mart(
    "fct_payments",
    "payments refunds chargebacks",
    "Payment health",
    "Payments with refunds and chargebacks",
    ...ref("payment", "order"),
    money("net_amount"),
  ),
  mart(
    "fct_shipments",
    "shipments carriers returns",
    "Delivery performance",
    "Shipments with time on the way",
    ...ref("shipment", "order"),
    ["hours_in_transit", "TYPE_NUMBER"],
  ),
  mart(
    "fct_stock",
    "stock_levels warehouses products",
    "Stock cover",
    "Stock and days of cover",
    ...ref("product", "warehouse"),
    ["days_of_cover", "TYPE_NUMBER"],
  ),
  mart(
    "fct_reviews",
    "reviews products",
    "Product quality",
    "Reviews by product and week",
    ...ref("product"),
    ["average_rating", "TYPE_NUMBER"],
  ),
  mart(
    "dim_customers",
    "customers addresses consents segment_members segments",
    "Customer base",
    "Customers as they are today",
    ...ref("customer"),
    ...text("country", "segment"),
  ),
  mart(
    "dim_products",
    "products categories suppliers prices",
    "Assortment",
    "Products with category and supplier",
    ...ref("product"),
    ...text("sku", "category", "supplier"),
  ),
  mart(
    "fct_payouts",
    "payouts payments",
    "Finance reconciliation",
    "Payouts matched to payments",
    ...ref("payout"),
    money("difference"),
  ),
];

/** Marts that are built from other marts. */
export const metricsMarts: Mart[] = [
  mart(
    "mrt_daily_revenue",
    "fct_orders fct_payments",
    "Board pack; Revenue",
    "Revenue by day and channel",
    day,
    ...text("channel"),
    money("revenue"),
  ),
  mart(
    "mrt_customer_lifetime",
    "fct_orders dim_customers",
    "Customer base; Retention",
    "Lifetime value of customers",
    ...ref("customer"),
    money("lifetime_value"),
    ["orders", "TYPE_INTEGER"],
  ),
  mart(
    "mrt_product_margin",
    "fct_orders dim_products fct_stock",
    "Assortment; Margin",
    "Margin by product",
    ...ref("product"),
    money("margin"),
  ),
  mart(
    "mrt_delivery_quality",
    "fct_shipments fct_orders",
    "Delivery performance",
    "Promised against delivered",
    day,
    ["on_time_share", "TYPE_NUMBER"],
  ),
  mart(
    "mrt_churn_features",
    "mrt_customer_lifetime fct_reviews dim_customers",
    "",
    "Features of the churn model",
    ...ref("customer"),
    ["recency_days", "TYPE_INTEGER"],
    ["frequency", "TYPE_NUMBER"],
  ),
];
