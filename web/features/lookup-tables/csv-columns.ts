import type { ColumnDraft } from "#web/features/lookup-tables/column-draft.ts";
import type { CsvSample } from "#web/features/lookup-tables/csv.ts";

type FieldType = ColumnDraft["field_type"];

const isDay = (text: string) => {
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
};

/**
 * Types with what each of their cells looks like, the narrowest first. Numbers with leading zeros are codes, and words
 * such as `yes` may be more than true and false: both stay text.
 */
const shapes: readonly (readonly [FieldType, (text: string) => boolean])[] = [
  ["BOOLEAN", (text) => /^(true|false)$/i.test(text)],
  [
    "INTEGER",
    (text) => /^(0|-?[1-9]\d{0,9})$/.test(text) && Math.abs(Number(text)) < 2 ** 31,
  ],
  ["DECIMAL", (text) => /^-?(0|[1-9]\d{0,200})(\.\d{1,200})?$/.test(text)],
  ["DATE", (text) => /^\d{4}-\d\d-\d\d$/.test(text) && isDay(text)],
  [
    "TIME",
    (text) =>
      /^\d{4}-\d\d-\d\d[T ]([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/.test(text) && isDay(text.slice(0, 10)),
  ],
  ["UUID", (text) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)],
];

/** The type that all cells of a column have; text where they differ, and where there are none. */
export function typeOfCells(cells: readonly string[]): FieldType {
  const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== "");
  if (filled.length === 0) return "VARCHAR";
  return shapes.find(([, fits]) => filled.every(fits))?.[0] ?? "VARCHAR";
}

/** The columns that a file describes. The key of every table is called `id`, so a column of that name gets another one. */
export function columnsOf({ header, rows }: CsvSample): ColumnDraft[] {
  return header.map((name, at) => ({
    name: name.toLowerCase() === "id" ? "source_id" : name || `column_${at + 1}`,
    description: "",
    field_type: typeOfCells(rows.map((row) => row[at] ?? "")),
    is_nullable: true,
    is_unique: false,
    default_value: "",
  }));
}
