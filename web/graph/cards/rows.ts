import { type Card, type Column, isLinked } from "#web/graph/cards/content.ts";
import type { Rect } from "#web/graph/geometry.ts";
import { boxSize } from "#web/graph/style.ts";
import { t } from "#web/messages/text.ts";

/** Columns that a card shows, those with lineage first; a last row counts the rest. */
export const maxRows = 10;

/** Lengths of a card below its head. */
export const row = { height: 20, bottom: 6 } as const;

/** The rows of a card from top to bottom; one beyond the last stands for the columns that have none of their own. */
export interface Rows {
  columns: readonly Column[];
  rest: readonly Column[];
}

/** Of very many columns those first that lineage is known of, so that no line begins where nothing is shown. */
export function rowsOf({ columns }: Card, max = maxRows): Rows {
  if (columns.length <= max) return { columns, rest: [] };
  const sorted = [...columns].sort((a, b) => Number(isLinked(b)) - Number(isLinked(a)));
  const visible = new Set(sorted.slice(0, max));
  return {
    columns: columns.filter((column) => visible.has(column)),
    rest: columns.filter((column) => !visible.has(column)),
  };
}

/** How many rows are drawn: one says that there are others, or that there are none. */
function countOf({ columns, rest }: Rows): number {
  return columns.length + (rest.length > 0 || columns.length === 0 ? 1 : 0);
}

export function cardHeight(rows: Rows): number {
  return boxSize.height + countOf(rows) * row.height + row.bottom;
}

/** The middle of a row of a card that lies somewhere. */
export function rowMiddle({ y }: Rect, at: number): number {
  return y + boxSize.height + (at + 0.5) * row.height;
}

/** The row at a height; -1 for none. */
export function rowAt(rows: Rows, { y }: Rect, height: number): number {
  const at = Math.floor((height - y - boxSize.height) / row.height);
  return at >= 0 && at < countOf(rows) ? at : -1;
}

/** The text of the row beyond the columns. */
export function lastText({ columns, rest }: Rows): string {
  if (rest.length > 0) return t("graph.more", { length: rest.length });
  return columns.length === 0 ? t("graph.noColumns") : "";
}
