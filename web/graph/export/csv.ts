/** A cell: text is guarded and quoted, numbers stay numbers, null is empty. */
export type Cell = string | number | boolean | null;

// Spreadsheets take text that begins so as a formula; also behind spaces, which some of them drop.
const formula = /^[\s\u00a0\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/;
// Where their separator is not a comma they split cells elsewhere, and know quotes only at the beginning of such a cell.
const formulaWithin = /([;|\t\r\n][ \u00a0\ufeff"]*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g;

/**
 * Rows as CSV by RFC 4180, lines ending in CRLF, with a mark of UTF-8 in front for spreadsheets. Text that one of
 * them would run as a formula gets an apostrophe in front, by which they know text.
 */
export function csvText(header: readonly string[], rows: Iterable<readonly Cell[]>): string {
  const lines = [header.map(cellText).join(",")];
  for (const row of rows) lines.push(row.map(cellText).join(","));
  return `\ufeff${lines.join("\r\n")}\r\n`;
}

function cellText(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell !== "string") return String(cell);
  const within = cell.replaceAll(formulaWithin, "$1'");
  const text = (formula.test(cell) ? `'${within}` : within).toWellFormed().replaceAll("\0", "");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
