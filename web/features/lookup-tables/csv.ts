/** What of a CSV file decides the columns of a table. */
export interface CsvSample {
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
