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

const header = [
  "id",
  "name",
  "type",
  "classes",
  "source",
  "side",
  "distance",
  "owners",
  "status",
  "has_alerts",
  "is_stale",
  "is_hollow",
  "parents_count",
  "children_count",
  "upstream_distance",
  "downstream_distance",
  "complete",
];

/** The rows of the panel as CSV; every row says whether the list is complete. */
export function impactCsv(rows: Iterable<ImpactRow>, complete: boolean): string {
  return csvText(header, cellsOf(rows, complete));
}

function* cellsOf(rows: Iterable<ImpactRow>, complete: boolean): Generator<Cell[]> {
  for (const { node, side, distance, hops, owners } of rows) {
    yield [
      node.id,
      node.name,
      node.type,
      node.classes.join(" "),
      node.source?.name ?? null,
      side,
      distance,
      owners?.join("; ") ?? null,
      node.status,
      node.hasAlerts,
      node.stale,
      node.hollow,
      node.parents,
      node.children,
      hops.upstream,
      hops.downstream,
      complete,
    ];
  }
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
