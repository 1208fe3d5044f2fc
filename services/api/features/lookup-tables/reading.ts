import { pageWindow } from "#contract/http.ts";
import { notFound } from "#kit/errors.ts";
import { retry } from "#kit/retry.ts";
import { classify, type Queryable, sqlState } from "#metadata/postgres/database.ts";
import { pageOfRows, type TextRow } from "./physical/rows.queries.ts";
import type { LookupStore } from "#platform/lookup-store.ts";
import { type Table, tableOf } from "./structure.queries.ts";

/** The table; throws 404 for an unknown and for a deleted one. */
export async function requireTable(db: Queryable, id: number): Promise<Table> {
  const table = await tableOf(db, id);
  if (!table) throw notFound("Lookup table", id);
  return table;
}

/** The columns that are written: all but the key. */
export const writtenColumns = (table: Table) => table.columns.filter(({ key }) => !key);

/**
 * Runs `work` with the table as it stands; again when its columns were changed meanwhile by somebody else, and
 * when it lost against another transaction. `work` must have no effect outside of its transaction.
 */
export function withTable<T>(
  db: Queryable,
  id: number,
  work: (table: Table) => Promise<T>,
): Promise<T> {
  return retry(async () => await work(await requireTable(db, id)), {
    attempts: 4,
    initial: 10,
    max: 200,
    // Undefined column, or undefined table.
    retryable: (error) =>
      ["42703", "42P01"].includes(sqlState(error) ?? "") || classify(error) === "retry",
  });
}

/** LookupTableRowList of one page as JSON text, the newest rows first. */
export function rowsJson(
  table: Table,
  { total, rows }: { total: number; rows: TextRow[] },
  { page, size }: { page: number; size: number },
): string {
  const starts = table.columns.map(({ id }) => `{"field_id":${id},"value":`);
  const items = rows.map(({ id, cells }) => {
    const shown = cells.map((cell, i) => `${starts[i]!}${JSON.stringify(cell ?? "")}}`);
    return `{"row_id":${id},"items":[${shown.join(",")}]}`;
  });
  const info = `{"total":${total},"hasNext":${page * size < total}}`;
  return `{"items":[${items.join(",")}],"page_info":${info}}`;
}

/** LookupTableRowList of one page as JSON text. Throws 404. */
export function readRows(
  db: Queryable,
  store: LookupStore,
  id: number,
  query: { page: number; size: number },
): Promise<string> {
  return withTable(db, id, async (table) => {
    const page = await store.alone((on) => pageOfRows(on, table, pageWindow(query)));
    return rowsJson(table, page, query);
  });
}
