import type { Schema } from "#web/api/client.ts";
import { type PlainKey, t } from "#web/messages/text.ts";

export type LookupTable = Schema<"LookupTable">;
export type Column = Schema<"LookupTableField">;
export type Row = Schema<"LookupTableRow">;

type ColumnType = Column["field_type"];

const typeTexts: Record<ColumnType, PlainKey> = {
  VARCHAR: "lookup-tables.text",
  INTEGER: "lookup-tables.integer",
  SERIAL: "lookup-tables.autoIncrement",
  DECIMAL: "lookup-tables.decimal",
  BOOLEAN: "lookup-tables.boolean",
  DATE: "lookup-tables.date",
  TIME: "lookup-tables.dateAndTime",
  JSON: "lookup-tables.json",
  UUID: "lookup-tables.uuid",
};
const columnTypes = Object.keys(typeTexts) as ColumnType[];

/** Values and texts for a choice of types. */
export const columnTypeOptions = () => columnTypes.map((type) => [type, typeText(type)] as const);

/** What people call a type; one that is not known here goes by its name in the API. */
export function typeText(type: ColumnType): string {
  return Object.hasOwn(typeTexts, type) ? t(typeTexts[type]) : type;
}

const examples: Partial<Record<ColumnType, string>> = {
  INTEGER: "42",
  DECIMAL: "3.14",
  BOOLEAN: "true",
  DATE: "2024-02-29",
  TIME: "2024-02-29 23:59:59",
  JSON: '{"a": 1}',
  UUID: "0190a5b0-…",
};

/** What a cell of a type may hold. */
export function exampleOf(type: ColumnType): string | undefined {
  if (type === "VARCHAR") return t("lookup-tables.anyText");
  return type === "SERIAL" ? t("lookup-tables.numbersItself") : examples[type];
}

/** What a column asks of its cells, in words. */
export function rulesOf(
  { is_nullable, is_unique, is_primary_key, default_value }: Column,
): string[] {
  return [
    is_primary_key && t("lookup-tables.ruleKey"),
    !is_primary_key && is_nullable === false && t("lookup-tables.ruleNotEmpty"),
    !is_primary_key && is_unique && t("lookup-tables.ruleUnique"),
    default_value != null && t("lookup-tables.ruleDefault", { value: default_value }),
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
