// What spreadsheets take for a formula when a cell begins with it (OWASP, "CSV Injection").
const guarded = /^'*[=+\-@\t\r\n＝＋－＠]/;
const unguarded = /^'+[=+\-@\t\r\n＝＋－＠]/;

/**
 * A text that no spreadsheet takes for a formula: an apostrophe stands before what would begin one.
 * `withoutGuard` takes it away again, for every text.
 */
export function withGuard(text: string): string {
  return guarded.test(text) ? `'${text}` : text;
}

/** The text as it was before `withGuard`. */
export function withoutGuard(text: string): string {
  return unguarded.test(text) ? text.slice(1) : text;
}

/** A line of CSV (RFC 4180). */
export function csvLine(cells: string[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
