import "#web/messages/testing/english.ts";
import { expect, test } from "vitest";
import {
  blankDraft,
  type Column,
  draftOf,
  rowForm,
  rowsOfPages,
  rulesOf,
} from "#web/features/lookup-tables/tables.ts";

const column = (field_id: number, more: Partial<Column> = {}): Column => ({
  field_id,
  dataset_field_id: field_id,
  name: `c${field_id}`,
  field_type: "VARCHAR",
  is_nullable: true,
  ...more,
});

test("a row is sent whole, blank cells as nothing, in the order of the columns", () => {
  const columns = [column(2, { default_value: "x" }), column(3)];
  expect(rowForm(columns, { ...blankDraft(columns), 3: "  " }).items)
    .toEqual([{ field_id: 2, value: "x" }, { field_id: 3, value: null }]);
  const row = { row_id: 1, items: [{ field_id: 3, value: " a " }] };
  expect(rowForm(columns, draftOf(row)).items)
    .toEqual([{ field_id: 2, value: null }, { field_id: 3, value: " a " }]);
});

test("a row that moved to the next page is there once, the newest first", () => {
  const row = (row_id: number) => ({ row_id, items: [] });
  const rows = rowsOfPages([{ items: [row(5), row(4)] }, { items: [row(4), row(3)] }]);
  expect(rows.map(({ row_id }) => row_id)).toEqual([5, 4, 3]);
});

test("rules are said in words", () => {
  expect(rulesOf(column(1, { is_nullable: false, is_unique: true, default_value: "a" })))
    .toEqual(["not empty", "unique", "default a"]);
  expect(rulesOf(column(1, { is_primary_key: true, is_nullable: false, is_unique: true })))
    .toEqual(["key"]);
});
