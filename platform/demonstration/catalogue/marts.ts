import { type Column, columnsOf } from "./tables.ts";

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
  columns: string,
): Mart => ({
  name,
  description,
  from: from.split(" "),
  columns: columnsOf(columns),
  dashboards: dashboards === "" ? [] : dashboards.split("; "),
});

export const marts: Mart[] = [
  mart(
    "fct_orders",
    "orders order_items vouchers channels",
    "Orders today; Board pack",
    "Orders with what they brought",
    "order_id customer_id day:datetime revenue:money discount:money",
  ),
  mart(
    "fct_payments",
    "payments refunds chargebacks",
    "Payment health",
    "Payments with refunds and chargebacks",
    "payment_id order_id net_amount:money",
  ),
  mart(
    "fct_shipments",
    "shipments carriers returns",
    "Delivery performance",
    "Shipments with time on the way",
    "shipment_id order_id hours_in_transit:number",
  ),
  mart(
    "fct_stock",
    "stock_levels warehouses products",
    "Stock cover",
    "Stock and days of cover",
    "product_id warehouse_id days_of_cover:number",
  ),
  mart(
    "fct_reviews",
    "reviews products",
    "Product quality",
    "Reviews by product and week",
    "product_id average_rating:number",
  ),
  mart(
    "dim_customers",
    "customers addresses consents segment_members segments",
    "Customer base",
    "Customers as they are today",
    "customer_id country segment",
  ),
  mart(
    "dim_products",
    "products categories suppliers prices",
    "Assortment",
    "Products with category and supplier",
    "product_id sku category supplier",
  ),
  mart(
    "fct_payouts",
    "payouts payments",
    "Finance reconciliation",
    "Payouts matched to payments",
    "payout_id difference:money",
  ),
];

/** Marts that are built from other marts. */
export const metricsMarts: Mart[] = [
  mart(
    "mrt_daily_revenue",
    "fct_orders fct_payments",
    "Board pack; Revenue",
    "Revenue by day and channel",
    "day:datetime channel revenue:money",
  ),
  mart(
    "mrt_customer_lifetime",
    "fct_orders dim_customers",
    "Customer base; Retention",
    "Lifetime value of customers",
    "customer_id lifetime_value:money orders:integer",
  ),
  mart(
    "mrt_product_margin",
    "fct_orders dim_products fct_stock",
    "Assortment; Margin",
    "Margin by product",
    "product_id margin:money",
  ),
  mart(
    "mrt_delivery_quality",
    "fct_shipments fct_orders",
    "Delivery performance",
    "Promised against delivered",
    "day:datetime on_time_share:number",
  ),
  mart(
    "mrt_churn_features",
    "mrt_customer_lifetime fct_reviews dim_customers",
    "",
    "Features of the churn model",
    "customer_id recency_days:integer frequency:number",
  ),
];
