/** A column: name, type and description. */
export type Column = [name: string, type: string, description?: string];

export interface Table {
  schema: string;
  name: string;
  description: string;
  rows: number;
  columns: Column[];
}

const id: Column = ["id", "TYPE_INTEGER", "Primary key"];
const created: Column = ["created_at", "TYPE_DATETIME"];
const updated: Column = ["updated_at", "TYPE_DATETIME"];
export const money = (
  name: string,
): Column => [name, "TYPE_NUMBER", "In minor units of the currency"];
export const text = (...names: string[]): Column[] => names.map((name) => [name, "TYPE_STRING"]);
export const ref = (...names: string[]): Column[] =>
  names.map((name) => [`${name}_id`, "TYPE_INTEGER"]);

const table = (
  schema: string,
  name: string,
  rows: number,
  description: string,
  ...columns: Column[]
): Table => ({ schema, name, rows, description, columns: [id, ...columns, created, updated] });

/** The operational database of an imaginary shop for sailing gear. */
export const shopTables: Table[] = [
  table(
    "sales",
    "orders",
    4_812_330,
    "One row an order, whatever its state",
    ...ref("customer", "channel"),
    ["status", "TYPE_STRING"],
    money("total"),
  ),
  table("sales", "order_items", 14_201_887, "Lines of orders", ...ref("order", "product"), [
    "quantity",
    "TYPE_INTEGER",
  ], money("unit_price")),
  table(
    "sales",
    "order_events",
    30_118_420,
    "Every change of state of an order",
    ...ref("order"),
    ...text("event", "actor"),
  ),
  table("sales", "channels", 9, "Where orders come from", ...text("name", "country")),
  table(
    "sales",
    "vouchers",
    120_417,
    "Vouchers and who used them",
    ...ref("order", "customer"),
    ...text("code"),
    money("amount"),
  ),
  table(
    "customers",
    "customers",
    913_204,
    "People who bought or signed up",
    ...text("email", "first_name", "last_name", "country"),
  ),
  table(
    "customers",
    "addresses",
    1_204_112,
    "Delivery and billing addresses",
    ...ref("customer"),
    ...text("street", "city", "postcode", "country"),
  ),
  table(
    "customers",
    "consents",
    2_718_300,
    "What customers agreed to",
    ...ref("customer"),
    ...text("purpose"),
    ["granted", "TYPE_BOOLEAN"],
  ),
  table("customers", "segments", 48, "Marketing segments", ...text("name", "rule")),
  table(
    "customers",
    "segment_members",
    1_522_908,
    "Who is in which segment",
    ...ref("segment", "customer"),
  ),
  table(
    "catalog",
    "products",
    38_114,
    "What can be bought",
    ...ref("category", "supplier"),
    ...text("sku", "title"),
    money("price"),
  ),
  table(
    "catalog",
    "categories",
    412,
    "Tree of product categories",
    ...ref("parent"),
    ...text("name"),
  ),
  table("catalog", "suppliers", 690, "Who delivers to us", ...text("name", "country")),
  table(
    "catalog",
    "prices",
    402_118,
    "Price history of products",
    ...ref("product"),
    money("price"),
    ["valid_from", "TYPE_DATETIME"],
  ),
  table("catalog", "reviews", 702_551, "Reviews of products", ...ref("product", "customer"), [
    "rating",
    "TYPE_INTEGER",
  ], ...text("body")),
  table(
    "payments",
    "payments",
    5_002_114,
    "Payments and their state",
    ...ref("order"),
    ...text("provider", "status"),
    money("amount"),
  ),
  table(
    "payments",
    "refunds",
    201_330,
    "Money given back",
    ...ref("payment"),
    ...text("reason"),
    money("amount"),
  ),
  table(
    "payments",
    "chargebacks",
    4_021,
    "Payments that a bank took back",
    ...ref("payment"),
    ...text("reason"),
  ),
  table(
    "payments",
    "payouts",
    60_112,
    "Transfers from payment providers",
    ...text("provider", "reference"),
    money("amount"),
  ),
  table(
    "logistics",
    "shipments",
    4_501_778,
    "Parcels on their way",
    ...ref("order", "carrier"),
    ...text("tracking_code", "status"),
  ),
  table("logistics", "carriers", 14, "Who carries parcels", ...text("name", "country")),
  table("logistics", "warehouses", 6, "Where goods lie", ...text("name", "city")),
  table("logistics", "stock_levels", 228_684, "What lies where", ...ref("warehouse", "product"), [
    "on_hand",
    "TYPE_INTEGER",
  ]),
  table(
    "logistics",
    "returns",
    380_212,
    "Goods that came back",
    ...ref("order"),
    ...text("reason", "condition"),
  ),
];
