import type { ColumnDraft } from "#web/features/lookup-tables/column-grid.tsx";

/** What of a CSV file decides the columns of a table. */
interface CsvSample {
  header: string[];
  /** Whole rows after the header, as far as the sample goes. */
  rows: string[][];
  /** Characters of the header with its line end, which the file begins with. */
  headerLength: number;
}

/** Bytes of a file that are read to find its columns and their types. */
export const maxSampleBytes = 4 * 1_024 * 1_024;

/**
 * Reads the beginning of a CSV file (RFC 4180: commas, cells between double quotes may hold commas, quotes and line
 * ends). `isWhole`: the text is the whole file, so that its last row is whole too. Undefined for a text without a header.
 */
export function readSample(text: string, isWhole: boolean): CsvSample | undefined {
  const records: string[][] = [];
  let headerLength = 0;
  for (const { cells, end, isClosed } of recordsOf(text)) {
    if (!isClosed && !isWhole) break;
    if (records.length === 0) headerLength = end;
    if (records.length === 0 || cells.length > 1 || cells[0] !== "") records.push(cells);
  }
  const [header, ...rows] = records;
  if (!header || header.every((name) => name.trim() === "")) return undefined;
  return { header: header.map((name) => name.trim()), rows, headerLength };
}

/** Records in their order; `end` is the place after the line end, `isClosed` whether there is one. */
function* recordsOf(text: string): Generator<{ cells: string[]; end: number; isClosed: boolean }> {
  const token = /"((?:[^"]|"")*)"|([^",\r\n]*)/y;
  let at = text.startsWith("\uFEFF") ? 1 : 0;
  while (at < text.length) {
    const cells: string[] = [];
    for (;;) {
      token.lastIndex = at;
      const [, quoted, plain = ""] = token.exec(text) ?? [];
      cells.push(quoted?.replaceAll('""', '"') ?? plain);
      at = Math.max(token.lastIndex, at);
      if (text[at] !== ",") break;
      at++;
    }
    const ends = /\r\n|\n|\r/y;
    ends.lastIndex = at;
    const isClosed = ends.test(text);
    // A quote that is not closed: what follows belongs to no record.
    if (!isClosed && at < text.length) return;
    at = isClosed ? ends.lastIndex : at;
    yield { cells, end: at, isClosed };
  }
}

/** A line of a CSV file. */
export function csvLine(cells: readonly string[]): string {
  return cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(",") + "\n";
}

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
