/** Rows as aligned plain text, numbers right-aligned; the first row determines the columns. */
export function table(rows: Record<string, string | number | boolean | null>[]): string {
  const columns = Object.keys(rows[0] ?? {});
  const cells = [columns, ...rows.map((row) => columns.map((c) => oneLine(row[c] ?? "")))];
  const widths = columns.map((_, i) => Math.max(...cells.map((line) => line[i]!.length)));
  const right = columns.map((c) => typeof rows[0]![c] === "number");
  return cells
    .map((line) =>
      line.map((cell, i) => right[i] ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!))
        .join("  ").trimEnd()
    )
    .map((line) => `${line}\n`)
    .join("");
}

const longest = 80;

function oneLine(value: string | number | boolean): string {
  const text = String(value).replaceAll(/\p{Cc}+/gu, " ");
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}
