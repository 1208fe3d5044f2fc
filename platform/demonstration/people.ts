import type { DemonstrationClient } from "./client.ts";
import { dashboard } from "./catalogue/consumers.ts";
import { shopTable } from "./catalogue/shop.ts";
import { martTable } from "./catalogue/warehouse.ts";

/** Ids of terms by `namespace:name`. */
type Terms = Map<string, number>;

/**
 * Writes what the people of the demonstration know: terms, descriptions, owners, tags, queries, a lookup table. What is
 * there already is left or written again, so that it may run twice.
 */
export async function writePeople(
  client: DemonstrationClient,
  print: (line: string) => void,
): Promise<void> {
  const ids: Terms = new Map();
  for (const term of terms) {
    ids.set(`${term.namespace}:${term.name}`, await writeTerm(client, term));
  }
  for (const entity of entities) await writeEntity(client, ids, entity);
  for (const example of examples) await writeExample(client, ids, example);
  const rows = await writeLookupTable(client);
  print(
    `${terms.length} terms, ${entities.length} descriptions and owners, ${examples.length} queries and a ` +
      `lookup table of ${rows} rows are written.`,
  );
}

async function writeTerm(client: DemonstrationClient, term: WrittenTerm): Promise<number> {
  const { namespace, name, definition, owner, tags } = term;
  const named = `/api/terms/namespaces/${encodeURIComponent(namespace)}/names/${
    encodeURIComponent(name)
  }`;
  const found = await client.ask("GET", named, undefined, [404]);
  const form = { name, namespace_name: namespace, definition };
  const { id } = found ?? await client.ask("POST", "/api/terms", form);
  await client.ask("PUT", `/api/terms/${id}/tags`, { tag_name_list: tags });
  const ownership = { owner_name: owner, title_name: "Owner" };
  await client.ask("POST", `/api/terms/${id}/ownership`, ownership, [400]);
  return id;
}

async function writeEntity(
  client: DemonstrationClient,
  ids: Terms,
  written: WrittenEntity,
): Promise<void> {
  const { id } = await client.find(written.catrn);
  const at = `/api/dataentities/${id}`;
  if (written.name) await client.ask("PUT", `${at}/name`, { internal_name: written.name });
  if (written.description) {
    const form = { internal_description: written.description };
    await client.ask("PUT", `${at}/description`, form);
  }
  if (written.tags) await client.ask("PUT", `${at}/tags`, { tag_name_list: written.tags });
  if (written.owner) {
    const form = { owner_name: written.owner.name, title_name: written.owner.title };
    await client.ask("POST", `${at}/ownership`, form, [400]);
  }
  for (const term of written.terms ?? []) {
    await client.ask("POST", `${at}/terms`, { term_id: ids.get(term) }, [400]);
  }
  for (const value of written.metadata ?? []) {
    await client.ask("POST", `${at}/metadata`, [value], [400]);
  }
}

async function writeExample(
  client: DemonstrationClient,
  ids: Terms,
  written: WrittenExample,
): Promise<void> {
  const { definition, query } = written;
  const params = new URLSearchParams({ page: "1", size: "1", query: definition });
  const { items: [found] } = await client.ask("GET", `/api/queryexample?${params}`);
  const { id } = found ?? await client.ask("POST", "/api/queryexample", { definition, query });
  const link = { query_example_id: id };
  for (const catrn of written.datasets) {
    const dataset = await client.find(catrn);
    await client.ask("POST", `/api/dataentities/${dataset.id}/queryexample`, link, [400]);
  }
  for (const term of written.terms) {
    await client.ask("POST", `/api/terms/${ids.get(term)}/queryexample`, link, [400]);
  }
}

/** Returns its number of rows. */
async function writeLookupTable(client: DemonstrationClient): Promise<number> {
  const { name, namespace, description, columns, csv } = lookupTable;
  const form = { name, namespace_name: namespace, description };
  const made = await client.ask("POST", "/api/referencedata/table", form, [400]);
  const rows = csv.trim().split("\n").length - 1;
  if (!made) return rows;
  const at = `/api/referencedata/table/${made.table_id}`;
  await client.ask("POST", `${at}/columns`, columns);
  await client.ask("POST", `${at}/data/import`, csv);
  return rows;
}

/** What the people of the demonstration wrote. Every name here is made up. */

interface WrittenTerm {
  namespace: string;
  name: string;
  definition: string;
  owner: string;
  tags: string[];
}

const terms: WrittenTerm[] = [
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

interface WrittenEntity {
  catrn: string;
  name?: string;
  description?: string;
  owner?: { name: string; title: string };
  tags?: string[];
  /** Terms linked by hand, as `namespace:name`. */
  terms?: string[];
  metadata?: { name: string; type: string; value: string }[];
}

const entities: WrittenEntity[] = [
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

interface WrittenExample {
  definition: string;
  query: string;
  /** CATRNs of datasets. */
  datasets: string[];
  terms: string[];
}

const examples: WrittenExample[] = [
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
const lookupTable = {
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
