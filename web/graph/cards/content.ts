import type { Rect } from "#web/graph/geometry.ts";
import { boxSize } from "#web/graph/style.ts";
import { t } from "#web/messages/text.ts";

/** One side of the column lineage of a dataset, as far as it is used. */
export interface ApiColumns {
  columns: readonly {
    id: number;
    dataset_id: number;
    name?: string | null;
    field_id?: number | null;
    type?: { type: string; logical_type?: string | null } | null;
  }[];
  datasets: readonly {
    id: number;
    catrn: string;
    external_name?: string | null;
    internal_name?: string | null;
  }[];
  edges: readonly { source_id: number; target_id: number }[];
}

/** A column related to another one, in any dataset. */
export interface RelatedColumn {
  key: string;
  dataset: number;
  name: string;
  /** Of the newest structure; null where no structure knows the column. */
  field: number | null;
}

export interface Column extends RelatedColumn {
  /** In words of its source; null where it is not known. */
  type: string | null;
  /** Which columns it is made from, and which it goes into; in the catalogue, not in the drawing alone. */
  from: RelatedColumn[];
  into: RelatedColumn[];
}

/** An opened card; its columns in the order of its structure. */
export interface Card {
  dataset: number;
  columns: Column[];
}

/** One column goes into another one; both are of opened cards. */
export interface ColumnEdge {
  from: string;
  to: string;
}

/** What opened cards show: columns of datasets, and which of them are made from which. */
export interface Content {
  cards: Card[];
  edges: ColumnEdge[];
  /** Names of datasets, also of those that are not drawn. */
  names: ReadonlyMap<number, string>;
}

/** What cards show of these answers, each with all that was read of one dataset. */
export function contentOf(
  opened: readonly { dataset: number; answers: readonly ApiColumns[] }[],
): Content {
  const columns = new Map<string, Column>();
  const edges = new Map<string, ColumnEdge>();
  const sets = new Set(opened.map(({ dataset }) => dataset));
  for (const { answers } of opened) {
    for (const answer of answers) addAnswer(answer, sets, columns, edges);
  }
  const cards = opened.map(({ dataset }): Card => {
    const own = [...columns.values()].filter((column) => column.dataset === dataset);
    return { dataset, columns: own.sort(inStructure) };
  });
  const known = [...edges.values()].filter(({ from, to }) => columns.has(from) && columns.has(to));
  return { cards, edges: known, names: namesOf(opened.flatMap(({ answers }) => answers)) };
}

function namesOf(answers: readonly ApiColumns[]): ReadonlyMap<number, string> {
  return new Map(
    answers.flatMap(({ datasets }) =>
      datasets.map(({ id, internal_name, external_name, catrn }) =>
        [id, internal_name || external_name || catrn] as const
      )
    ),
  );
}

/** Fields are numbered in the order of the structure; what no structure knows comes after them, by name. */
function inStructure(a: RelatedColumn, b: RelatedColumn): number {
  return (a.field ?? Infinity) - (b.field ?? Infinity) || (a.name < b.name ? -1 : 1);
}

function addAnswer(
  answer: ApiColumns,
  sets: ReadonlySet<number>,
  columns: Map<string, Column>,
  edges: Map<string, ColumnEdge>,
): void {
  const nearOf = new Map<number, RelatedColumn>();
  for (const { id, dataset_id: dataset, name, field_id, type } of answer.columns) {
    // Without a name: the dataset as a whole.
    if (name == null) continue;
    const near = { key: columnKey(dataset, name), dataset, name, field: field_id ?? null };
    nearOf.set(id, near);
    if (!sets.has(dataset) || columns.has(near.key)) continue;
    columns.set(near.key, { ...near, type: type ? wordOf(type) : null, from: [], into: [] });
  }
  for (const { source_id, target_id } of answer.edges) {
    const [from, to] = [nearOf.get(source_id), nearOf.get(target_id)];
    if (!from || !to || edges.has(`${from.key} > ${to.key}`)) continue;
    edges.set(`${from.key} > ${to.key}`, { from: from.key, to: to.key });
    columns.get(to.key)?.from.push(from);
    columns.get(from.key)?.into.push(to);
  }
}

function wordOf({ type, logical_type }: { type: string; logical_type?: string | null }): string {
  return logical_type || type.replace(/^TYPE_/, "").toLowerCase().replaceAll("_", " ");
}

/** Whether it is made from another column, or another one from it. */
export function isLinked({ from, into }: Column): boolean {
  return from.length + into.length > 0;
}

/** The key of a column over all answers: its dataset, and its name without letter case. */
export function columnKey(dataset: number, name: string): string {
  return `${dataset}.${name.toLowerCase()}`;
}

export function datasetOf(key: string): number {
  return Number(key.slice(0, key.indexOf(".")));
}

/** Columns that a card shows, those with lineage first; a last row counts the rest. */
export const maxRows = 10;

/** Lengths of a card below its head: of each row, and what is free below the last. */
export const rowLengths = { height: 20, bottom: 6 } as const;

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
function rowCount({ columns, rest }: Rows): number {
  return columns.length + (rest.length > 0 || columns.length === 0 ? 1 : 0);
}

export function cardHeight(rows: Rows): number {
  return boxSize.height + rowCount(rows) * rowLengths.height + rowLengths.bottom;
}

/** The middle of a row of a card that lies somewhere. */
export function rowMiddle({ y }: Rect, at: number): number {
  return y + boxSize.height + (at + 0.5) * rowLengths.height;
}

/** The row at a height; -1 for none. */
export function rowAt(rows: Rows, { y }: Rect, height: number): number {
  const at = Math.floor((height - y - boxSize.height) / rowLengths.height);
  return at >= 0 && at < rowCount(rows) ? at : -1;
}

/** The text of the row beyond the columns. */
export function lastText({ columns, rest }: Rows): string {
  if (rest.length > 0) return t("graph.more", { length: rest.length });
  return columns.length === 0 ? t("graph.noColumns") : "";
}

/** What a chosen column is made from and what it goes into, over opened cards, at whatever distance. */
export interface ColumnPath {
  columns: ReadonlySet<string>;
  edges: ReadonlySet<ColumnEdge>;
}

/** The path of a column, both ways; of a column without edges itself alone. */
export function columnPath(edges: readonly ColumnEdge[], key: string): ColumnPath {
  const found = { columns: new Set([key]), edges: new Set<ColumnEdge>() };
  for (const [near, far] of [["from", "to"], ["to", "from"]] as const) {
    const adjacent = Map.groupBy(edges, (edge) => edge[near]);
    const reached = new Set([key]);
    for (const at of reached) {
      for (const edge of adjacent.get(at) ?? []) {
        found.edges.add(edge);
        reached.add(edge[far]);
      }
    }
    for (const each of reached) found.columns.add(each);
  }
  return found;
}
