import type { Schema } from "#web/api/client.ts";

export type LookupTable = Schema<"LookupTable">;
export type Column = Schema<"LookupTableField">;
export type Row = Schema<"LookupTableRow">;

/** Types of columns with what a cell of it may hold. */
export const columnTypes: [type: Schema<"LookupTableFieldType">, text: string, example: string][] =
  [
    ["VARCHAR", "Text", "any text"],
    ["INTEGER", "Integer", "42"],
    ["SERIAL", "Auto-increment", "numbers itself"],
    ["DECIMAL", "Decimal", "3.14"],
    ["BOOLEAN", "Boolean", "true"],
    ["DATE", "Date", "2024-02-29"],
    ["TIME", "Date and time", "2024-02-29 23:59:59"],
    ["JSON", "JSON", '{"a": 1}'],
    ["UUID", "UUID", "0190a5b0-…"],
  ];

export function typeText(type: Column["field_type"]): string {
  return columnTypes.find(([known]) => known === type)?.[1] ?? type;
}

/** What a column asks of its cells, in words. */
export function rulesOf(
  { is_nullable, is_unique, is_primary_key, default_value }: Column,
): string[] {
  return [
    is_primary_key && "key",
    !is_primary_key && is_nullable === false && "not empty",
    !is_primary_key && is_unique && "unique",
    default_value != null && `default ${default_value}`,
  ].filter((one) => typeof one === "string");
}

/** Texts of a row by column; what is empty is "". */
export type Draft = Record<number, string>;

export function draftOf(row: Row): Draft {
  return Object.fromEntries(row.items.map(({ field_id, value }) => [field_id, value]));
}

/** A new row has the defaults at first. */
export function blankDraft(columns: Column[]): Draft {
  return Object.fromEntries(columns.map(({ field_id, default_value }) => [
    field_id,
    default_value ?? "",
  ]));
}

/** The form of a row, with an item for each column that can be written, so that errors name its place. */
export function rowForm(columns: Column[], draft: Draft): Schema<"LookupTableRowFormData"> {
  return {
    items: columns.map(({ field_id }) => {
      const text = draft[field_id] ?? "";
      return { field_id, value: text.trim() === "" ? null : text };
    }),
  };
}

/** Rows of all pages, each once: while people add rows, some move to the next page. */
export function rowsOfPages(pages: { items: Row[] }[]): Row[] {
  const rows = new Map(pages.flatMap(({ items }) => items.map((row) => [row.row_id, row])));
  return [...rows.values()].sort((a, b) => b.row_id - a.row_id);
}
