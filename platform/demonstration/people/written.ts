import { dashboard } from "../catalogue/consumers.ts";
import { shopTable } from "../catalogue/shop.ts";
import { martTable } from "../catalogue/warehouse.ts";

/** What the people of the demonstration wrote. Every name here is made up. */

export interface WrittenTerm {
  namespace: string;
  name: string;
  definition: string;
  owner: string;
  tags: string[];
}

export const terms: WrittenTerm[] = [
  {
    namespace: "Shop",
    name: "Order",
    definition: "What a customer has committed to buy. A basket is no order yet.",
    owner: "Mara Lindqvist",
    tags: ["core"],
  },
  {
    namespace: "Shop",
    name: "Customer",
    definition: "A person who has placed at least one [[Shop:Order]], or has signed up.",
    owner: "Mara Lindqvist",
    tags: ["core", "personal data"],
  },
  {
    namespace: "Finance",
    name: "Revenue",
    definition:
      "Order totals without tax, less vouchers, at the time of the [[Shop:Order]]. Refunds are *not* " +
      "taken off; see [[Finance:Net amount]].",
    owner: "Teo Okafor",
    tags: ["core"],
  },
  {
    namespace: "Finance",
    name: "Net amount",
    definition: "What remains of a payment after refunds and chargebacks.",
    owner: "Teo Okafor",
    tags: [],
  },
  {
    namespace: "Logistics",
    name: "Time in transit",
    definition: "Hours from handing a parcel to the carrier until its first delivery attempt.",
    owner: "Yuki Tanaka",
    tags: [],
  },
];

export interface WrittenEntity {
  catrn: string;
  name?: string;
  description?: string;
  owner?: { name: string; title: string };
  tags?: string[];
  /** Terms linked by hand, as `namespace:name`. */
  terms?: string[];
  metadata?: { name: string; type: string; value: string }[];
}

export const entities: WrittenEntity[] = [
  {
    catrn: shopTable("orders"),
    name: "Orders of the shop",
    description:
      "One row for each [[Shop:Order]], from the moment it is placed.\n\n- `status` follows the events in " +
      "`order_events`\n- `total` is what [[Finance:Revenue]] is made of, **with** tax",
    owner: { name: "Mara Lindqvist", title: "Data steward" },
    tags: ["core", "finance"],
    metadata: [
      { name: "review due", type: "DATETIME", value: "2027-01-15T09:00:00Z" },
      { name: "contains tax", type: "BOOLEAN", value: "true" },
    ],
  },
  {
    catrn: shopTable("customers"),
    description:
      "Every [[Shop:Customer]]. Names and addresses are removed two years after the last order.",
    owner: { name: "Mara Lindqvist", title: "Data steward" },
    tags: ["personal data", "core"],
  },
  {
    catrn: shopTable("payments"),
    description: "Payments as the provider confirmed them; chargebacks come days later.",
    owner: { name: "Teo Okafor", title: "Owner" },
    tags: ["finance"],
    terms: ["Finance:Net amount"],
  },
  {
    catrn: martTable("fct_orders"),
    description:
      "Where [[Finance:Revenue]] is computed. Everybody who reports revenue reads it here.",
    owner: { name: "Teo Okafor", title: "Owner" },
    tags: ["core", "finance"],
  },
  {
    catrn: martTable("fct_shipments"),
    owner: { name: "Yuki Tanaka", title: "Owner" },
    terms: ["Logistics:Time in transit"],
  },
  {
    catrn: dashboard("Board pack"),
    description: "What the board sees on the first Monday of the month.",
    owner: { name: "Teo Okafor", title: "Owner" },
    terms: ["Finance:Revenue"],
  },
];

export interface WrittenExample {
  definition: string;
  query: string;
  /** CATRNs of datasets. */
  datasets: string[];
  terms: string[];
}

export const examples: WrittenExample[] = [
  {
    definition: "Revenue by day, of the last thirty days",
    query: "SELECT day, sum(revenue) AS revenue\n  FROM marts.fct_orders\n" +
      " WHERE day >= current_date - 30\n GROUP BY day ORDER BY day",
    datasets: [martTable("fct_orders")],
    terms: ["Finance:Revenue"],
  },
  {
    definition: "Orders that were paid and refunded on the same day",
    query: "SELECT o.id FROM sales.orders o\n  JOIN payments p ON p.order_id = o.id\n" +
      "  JOIN refunds r ON r.payment_id = p.id AND r.day = p.day",
    datasets: [shopTable("orders"), shopTable("payments")],
    terms: ["Shop:Order"],
  },
];

/** A table that people keep themselves, and its rows as a file. */
export const lookupTable = {
  namespace: "Logistics",
  name: "Carriers by country",
  description: "Which carrier delivers where, and what it promises. Kept by the logistics team.",
  columns: [
    { name: "country", field_type: "VARCHAR", is_nullable: false, is_unique: true },
    { name: "carrier", field_type: "VARCHAR", is_nullable: false },
    { name: "promised_days", field_type: "INTEGER" },
    { name: "since", field_type: "DATE" },
  ],
  csv: "country,carrier,promised_days,since\n" +
    "NO,Fjordpost,2,2024-03-01\nSE,Fjordpost,2,2024-03-01\nDK,Nordwind,1,2023-09-15\n" +
    "DE,Nordwind,3,2023-09-15\nNL,Kanaalkoerier,2,2025-01-10\nGB,Harbour Mail,4,2022-06-01\n",
};
