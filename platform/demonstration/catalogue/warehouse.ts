import { own } from "#kit/own.ts";
import { dataset, group, type Item, item, type Source, transformer } from "./items.ts";
import { type Mart, marts, metricsMarts } from "./marts.ts";
import { shopTables } from "./tables.ts";

/** Column lineage of one target column, in the form in which collectors send it. */
type Entry = Record<string, unknown>;

const root = "//snowflake/host/harbour.example/warehouses/analytics/databases/dwh";
const catrnOf = (schema: string, kind: string, name: string) =>
  `${root}/schemas/${schema}/${kind}/${name}`;

/** CATRNs of the three layers of the warehouse. */
export const raw = (name: string): string => catrnOf("raw", "tables", `shop_${name}`);
const staging = (name: string): string => catrnOf("staging", "views", `stg_${name}`);
export const martTable = (name: string): string => catrnOf("marts", "tables", name);

const martNamed = (name: string) => [...marts, ...metricsMarts].find((m) => m.name === name);

/** An input of a mart: another mart by name, everything else through its staging view. */
const inputOf = (name: string) => (martNamed(name) ? martTable(name) : staging(name));

export function martInputs(mart: Mart): string[] {
  return mart.from.map(inputOf);
}

/** From which columns those of a mart are made: those of `madeColumns`, else that of its name in the first input with one. */
export function martLineage(mart: Mart): Entry[] {
  const target = martTable(mart.name);
  return mart.columns.flatMap(([field]) => {
    const sourceNames = own(madeColumns, `${mart.name}.${field}`);
    const copy = mart.from.find((input) => columnsOf(input).includes(field));
    const named = sourceNames?.split(" ") ?? (copy === undefined ? [] : [`${copy}.${field}`]);
    if (named.length === 0) return [];
    const sources = named.map((name) => {
      const [input = "", column = ""] = name.split(".");
      const subtype = sourceNames === undefined ? "IDENTITY" : "TRANSFORMATION";
      return { dataset_catrn: inputOf(input), field: column, type: "DIRECT", subtype };
    });
    return [{ target: { dataset_catrn: target, field }, sources }];
  });
}

/** How columns of marts are made that are not copies: `mart.column` from `input.column …`. */
const madeColumns: Record<string, string> = {
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

function columnsOf(input: string): string[] {
  const table = martNamed(input) ?? shopTables.find(({ name }) => name === input)!;
  return table.columns.map(([column]) => column);
}

/** The analytical warehouse: raw copies, staging views, marts. */
export function warehouse(): Source {
  const all = [...marts, ...metricsMarts];
  const layers: [string, Item[]][] = [
    ["raw", shopTables.map((t) => rawTable(t.name))],
    ["staging", shopTables.map((t) => stagingView(t.name))],
    ["marts", all.map(martItem)],
  ];
  const schemas = layers.map(([name, items]) =>
    item(`${root}/schemas/${name}`, name, "DATABASE_SERVICE", {
      description: `Schema ${name} of the warehouse`,
    }, group(items.map((i) => String(i.catrn)), root))
  );
  const database = item(root, "dwh", "DATABASE_SERVICE", {
    description: "The analytical warehouse",
  }, group(schemas.map((s) => String(s.catrn))));
  return {
    catrn: root,
    name: "Analytics warehouse",
    description: "Snowflake, filled by Airflow and dbt",
    items: [...layers.flatMap(([, items]) => items), ...schemas, database],
  };
}

function rawTable(name: string): Item {
  const source = shopTables.find((t) => t.name === name)!;
  return item(raw(name), `shop_${name}`, "TABLE", {
    description: `Copy of ${source.schema}.${name} as extracted`,
    metadata: { loaded_by: "airflow", retention_days: 400, encrypted: true },
  }, dataset(raw(name), [...source.columns, ["_loaded_at", "TYPE_DATETIME"]], source.rows));
}

function stagingView(name: string): Item {
  const source = shopTables.find((t) => t.name === name)!;
  const sql =
    `select * from raw.shop_${name} qualify row_number() over (partition by id order by _loaded_at desc) = 1`;
  return item(staging(name), `stg_${name}`, "VIEW", {
    description: `The newest version of each row of ${source.schema}.${name}`,
    tags: ["dbt"],
  }, {
    ...dataset(staging(name), source.columns),
    ...withColumns(transformer([raw(name)], [], sql), [
      ...copied(raw(name), staging(name), source.columns.map(([column]) => column)),
      chosenBy(raw(name), staging(name), "id", "_loaded_at"),
    ]),
  });
}

function martItem(mart: Mart): Item {
  const tags = mart.dashboards.includes("Board pack") ? ["dbt", "certified"] : ["dbt"];
  return item(martTable(mart.name), mart.name, "TABLE", {
    description: mart.description,
    tags,
    metadata: { materialisation: "incremental", sla_hours: 6 },
  }, dataset(martTable(mart.name), mart.columns, mart.columns.length * 120_000));
}

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
function chosenBy(from: string, to: string, ...columns: string[]): Entry {
  const sources = columns.map((field) => ({
    dataset_catrn: from,
    field,
    type: "INDIRECT",
    subtype: "FILTER",
  }));
  return { target: { dataset_catrn: to }, sources };
}
