/** A column: name, type and description. */
export type Column = [name: string, type: string, description?: string];

export interface Table {
  schema: string;
  name: string;
  description: string;
  rows: number;
  columns: Column[];
}

/** Columns from their names, each with its type (`day:datetime`) unless it is a text, or an integer that is called `…_id`. */
export function columnsOf(names: string): Column[] {
  return names.split(" ").map((written): Column => {
    const [name = "", type = name.endsWith("_id") ? "integer" : "string"] = written.split(":");
    if (type === "money") return [name, "TYPE_NUMBER", "In minor units of the currency"];
    return [name, `TYPE_${type.toUpperCase()}`];
  });
}

const id: Column = ["id", "TYPE_INTEGER", "Primary key"];

/** The tables of a schema by their names; columns that all tables have are left out. */
function schema(
  schema: string,
  tables: Record<string, [rows: number, description: string, columns: string]>,
): Table[] {
  return Object.entries(tables).map(([name, [rows, description, names]]) => {
    const columns = [id, ...columnsOf(`${names} created_at:datetime updated_at:datetime`)];
    return { schema, name, rows, description, columns };
  });
}

/** The operational database of an imaginary shop for sailing gear. */
export const shopTables: Table[] = [
  ...schema("sales", {
    orders: [
      4_812_330,
      "One row an order, whatever its state",
      "customer_id channel_id status total:money",
    ],
    order_items: [
      14_201_887,
      "Lines of orders",
      "order_id product_id quantity:integer unit_price:money",
    ],
    order_events: [30_118_420, "Every change of state of an order", "order_id event actor"],
    channels: [9, "Where orders come from", "name country"],
    vouchers: [120_417, "Vouchers and who used them", "order_id customer_id code amount:money"],
  }),
  ...schema("customers", {
    customers: [913_204, "People who bought or signed up", "email first_name last_name country"],
    addresses: [
      1_204_112,
      "Delivery and billing addresses",
      "customer_id street city postcode country",
    ],
    consents: [2_718_300, "What customers agreed to", "customer_id purpose granted:boolean"],
    segments: [48, "Marketing segments", "name rule"],
    segment_members: [1_522_908, "Who is in which segment", "segment_id customer_id"],
  }),
  ...schema("catalog", {
    products: [38_114, "What can be bought", "category_id supplier_id sku title price:money"],
    categories: [412, "Tree of product categories", "parent_id name"],
    suppliers: [690, "Who delivers to us", "name country"],
    prices: [402_118, "Price history of products", "product_id price:money valid_from:datetime"],
    reviews: [702_551, "Reviews of products", "product_id customer_id rating:integer body"],
  }),
  ...schema("payments", {
    payments: [5_002_114, "Payments and their state", "order_id provider status amount:money"],
    refunds: [201_330, "Money given back", "payment_id reason amount:money"],
    chargebacks: [4_021, "Payments that a bank took back", "payment_id reason"],
    payouts: [60_112, "Transfers from payment providers", "provider reference amount:money"],
  }),
  ...schema("logistics", {
    shipments: [4_501_778, "Parcels on their way", "order_id carrier_id tracking_code status"],
    carriers: [14, "Who carries parcels", "name country"],
    warehouses: [6, "Where goods lie", "name city"],
    stock_levels: [228_684, "What lies where", "warehouse_id product_id on_hand:integer"],
    returns: [380_212, "Goods that came back", "order_id reason condition"],
  }),
];
