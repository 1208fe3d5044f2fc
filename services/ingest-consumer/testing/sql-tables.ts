import type { SqlDataset } from "#services/ingest-consumer/sql-lineage/model.ts";
import { readSql } from "#services/ingest-consumer/sql-lineage/parse/read.ts";

const root = "//postgresql/host/db/databases/shop/schemas";

/** A table by `schema.name`, with its columns. */
export const table = (id: number, name: string, ...fields: string[]): SqlDataset => {
  const [schema, own] = name.split(".") as [string, string];
  return { id, catrn: `${root}/${schema}/tables/${own}`, name: own, fields };
};
export const orders = table(1, "public.orders", "Id", "Customer", "Total", "State");
export const customers = table(2, "public.customers", "id", "name");
const unknown = table(3, "public.unknown");
export const totals = table(9, "mart.totals");

/** The edges found in SQL, as `orders.total > totals.net`, `~>` when INDIRECT; or why there are none. */
export function lineageOf(
  sql: string,
  more: { inputs?: SqlDataset[]; outputs?: SqlDataset[] } = {},
) {
  const job = { sql, inputs: [orders, customers, unknown], outputs: [totals], ...more };
  const named = new Map(job.inputs.map((one) => [one.id, one.name]));
  const reading = readSql(job);
  if ("refused" in reading) return reading.refused;
  return [
    ...new Set(reading.edges.map(({ source, target, kind }) => {
      const to = target.path === undefined ? "all" : target.path;
      const from = `${named.get(source.dataset)}.${source.path}`.toLowerCase();
      return `${from} ${kind === "DIRECT" ? ">" : "~>"} ${to.toLowerCase()}`;
    })),
  ].sort();
}
