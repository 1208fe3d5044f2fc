// What spreadsheets take for a formula when a cell begins with it (OWASP, "CSV Injection"). Where the list separator of the
// system is not a comma they split cells elsewhere, and know quotes only at the beginning of what they take for a cell.
const guardedStart = /^([ "]*)(?='*[=+\-@\t\r\n＝＋－＠])/;
const unguardedStart = /^([ "]*)'(?='*[=+\-@\t\r\n＝＋－＠])/;
const guardedWithin = /([;|\t\r\n][ "]*)(?='*[=+\-@＝＋－＠])/g;
const unguardedWithin = /([;|\t\r\n][ "]*)'(?='*[=+\-@＝＋－＠])/g;

/**
 * A text of which no spreadsheet takes anything for a formula: an apostrophe stands before what would begin one, at its
 * beginning and after a separator within it. `withoutGuard` takes them away again, for every text.
 */
export function withGuard(text: string): string {
  return text.replaceAll(guardedWithin, "$1'").replace(guardedStart, "$1'");
}

/** The text as it was before `withGuard`. */
export function withoutGuard(text: string): string {
  return text.replace(unguardedStart, "$1").replaceAll(unguardedWithin, "$1");
}

/** A line of CSV (RFC 4180). */
export function csvLine(cells: string[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
