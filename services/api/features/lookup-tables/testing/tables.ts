import { expect } from "vitest";
import type { LookupFieldType } from "#contract/catalogue/lookup-tables.ts";
import type { TestApi } from "#test/support/http/api.ts";

export interface Field {
  name: string;
  field_type: LookupFieldType;
  is_nullable?: boolean | null;
  is_unique?: boolean | null;
  default_value?: string | null;
  description?: string | null;
}

export const base = "/api/referencedata/table";

/** A table by its path, with the ids of its columns by name. */
export interface CreatedTable {
  id: number;
  dataset: number;
  path: string;
  columns: Record<string, number>;
}

let made = 0;

/** What tests of lookup tables do over and over; `at` is the API under test. */
export function lookupTables(at: () => TestApi) {
  const create = async (name = `table ${++made}`, namespace_name = "shared") => {
    const answer = await at().post(base, { name, namespace_name });
    expect(answer.text).toContain("table_id");
    return answer.json;
  };
  const addColumns = (table: number, fields: Field[]) =>
    at().post(`${base}/${table}/columns`, fields);
  const withColumns = async (...fields: Field[]): Promise<CreatedTable> => {
    const { table_id: id, dataset_id: dataset } = await create();
    const answer = fields.length > 0
      ? await addColumns(id, fields)
      : await at().get(`${base}/${id}`);
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
    const columns = Object.fromEntries(
      answer.json.fields.map((f: { name: string; field_id: number }) => [f.name, f.field_id]),
    );
    return { id, dataset, path: `${base}/${id}`, columns };
  };
  const form = (table: CreatedTable, row: Record<string, string | null>) => ({
    items: Object.entries(row).map(([name, value]) => ({ field_id: table.columns[name], value })),
  });
  const add = (table: CreatedTable, ...rows: Record<string, string | null>[]) =>
    at().post(`${table.path}/data`, rows.map((row) => form(table, row)));
  /** Rows as objects by column name, the newest first. */
  const rows = async (table: CreatedTable, page = "page=1&size=1000") => {
    const { status, json } = await at().get(`${table.path}/data?${page}`);
    expect(status).toBe(200);
    return rowsOf(table, json);
  };
  return { create, addColumns, withColumns, form, add, rows };
}

/** The rows of an answer as objects by column name. */
export function rowsOf(
  table: CreatedTable,
  json: { items: { items: { field_id: number; value: string }[] }[] },
): Record<string, string>[] {
  const names = new Map(Object.entries(table.columns).map(([name, id]) => [id, name]));
  return json.items.map(({ items }) =>
    Object.fromEntries(items.map(({ field_id, value }) => [names.get(field_id), value]))
  );
}
