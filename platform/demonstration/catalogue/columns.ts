/** A column: name, type and description. */
export type Column = [name: string, type: string, description?: string];

export interface Table {
  schema: string;
  name: string;
  description: string;
  rows: number;
  columns: Column[];
}

const id: Column = ["id", "TYPE_INTEGER", "Primary key"];
const created: Column = ["created_at", "TYPE_DATETIME"];
const updated: Column = ["updated_at", "TYPE_DATETIME"];
export const money = (
  name: string,
): Column => [name, "TYPE_NUMBER", "In minor units of the currency"];
export const text = (...names: string[]): Column[] => names.map((name) => [name, "TYPE_STRING"]);
export const ref = (...names: string[]): Column[] =>
  names.map((name) => [`${name}_id`, "TYPE_INTEGER"]);

export const table = (
  schema: string,
  name: string,
  rows: number,
  description: string,
  ...columns: Column[]
): Table => ({ schema, name, rows, description, columns: [id, ...columns, created, updated] });
