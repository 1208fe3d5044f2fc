import type { LineageNode } from "#web/graph/model.ts";
import type { Hops } from "#web/graph/walks.ts";

/** One entity of a lineage, with its direction and distance from where the question started. */
export interface ImpactRow {
  node: LineageNode;
  /** `both` in a cycle through the start; `beside`: connected some other way. */
  side: "root" | "upstream" | "downstream" | "both" | "beside";
  /** Hops to the nearest root, whichever way; null when there is none. */
  distance: number | null;
  /** The same each way. */
  hops: Hops;
  owners?: readonly string[];
}

/** The columns of the file; `complete`: whether the list is. */
const columns: Record<string, (row: ImpactRow, complete: boolean) => Cell> = {
  id: ({ node }) => node.id,
  name: ({ node }) => node.name,
  type: ({ node }) => node.type,
  classes: ({ node }) => node.classes.join(" "),
  source: ({ node }) => node.source?.name ?? null,
  side: ({ side }) => side,
  distance: ({ distance }) => distance,
  owners: ({ owners }) => owners?.join("; ") ?? null,
  status: ({ node }) => node.status,
  has_alerts: ({ node }) => node.hasAlerts,
  is_stale: ({ node }) => node.stale,
  is_hollow: ({ node }) => node.hollow,
  parents_count: ({ node }) => node.parents,
  children_count: ({ node }) => node.children,
  upstream_distance: ({ hops }) => hops.upstream,
  downstream_distance: ({ hops }) => hops.downstream,
  complete: (_, complete) => complete,
};

/** The rows of the panel as CSV; every row says whether the list is complete. */
export function impactCsv(rows: readonly ImpactRow[], complete: boolean): string {
  const cells = rows.map((row) => Object.values(columns).map((cellOf) => cellOf(row, complete)));
  return csvText(Object.keys(columns), cells);
}

/** A cell: text is guarded and quoted, numbers stay numbers, null is empty. */
type Cell = string | number | boolean | null;

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
