import { type Batch, type Item, newBatch } from "../ingest/items.ts";

/** Words that names are made of: a search for one finds a twentieth of all, for two a four-hundredth. */
export const words = [
  ...["orders", "customers", "payments", "shipments", "refunds", "visits", "prices", "stock"],
  ...["invoices", "carriers", "returns", "baskets", "campaigns", "clicks", "sessions", "reviews"],
  ...["suppliers", "contracts", "warehouses", "employees"],
];

/**
 * A batch of new tables and jobs of a source, as `newBatch` makes them, but that views read a table of their own batch: one table that
 * all of ten million read is no catalogue. `changed`: the same items with another description.
 */
export function growthBatch(source: string, round: number, size: number, changed = false): Batch {
  const { items } = newBatch(source, `round_${round}`, size);
  const shaped = items.map((item, at) => shape(item, items, at, round, changed));
  return {
    source,
    items: shaped,
    body: JSON.stringify({ data_source_catrn: source, items: shaped }),
  };
}

function shape(item: Item, items: Item[], at: number, round: number, changed: boolean): Item {
  const n = round * items.length + at;
  const [one, other] = [
    words[n % words.length],
    words[Math.floor(n / words.length) % words.length],
  ];
  const dataset = item.dataset && { field_list: item.dataset.field_list };
  // Two before it, at the end of five, is a table; the one before it a job.
  const parent = item.type === "VIEW" && at > 1 ? items[at - 2]!.catrn : undefined;
  const about = changed ? "Reviewed. " : "";
  return {
    ...item,
    name: `${one}_${other}_${n}`,
    description:
      `${about}Rows of ${one} by ${other}, part ${n}: what was sold, when, at what price.`,
    ...(dataset ? { dataset: parent ? { ...dataset, parent_catrn: parent } : dataset } : {}),
  };
}
