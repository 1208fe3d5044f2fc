import {
  cardHeight,
  type Column,
  type ColumnEdge,
  type ColumnPath,
  columnPath,
  type Content,
  lastText,
  rowAt,
  rowMiddle,
  type Rows,
  rowsOf,
} from "#web/graph/cards/content.ts";
import { clampTo, type Rect } from "#web/graph/geometry.ts";
import { rectOf, type Scene } from "#web/graph/scene.ts";

export interface SceneRow {
  text: string;
  type: string;
  /** Null for the row that stands for columns which have none. */
  column: Column | null;
  /** Whether it is the chosen one, on its path, or neither; null where none is chosen. */
  emphasis: "chosen" | "path" | "aside" | null;
}

/** A line between rows of two opened cards; it stands for several edges where columns have no row of their own. */
export interface ColumnLine {
  edges: ColumnEdge[];
  /** x, y, x, y … */
  points: number[];
  /** Drawn from right to left. */
  backwards: boolean;
  /** To a card above or below: one curve of four points. */
  round: boolean;
}

/** Opened cards of a drawing. What depends on a scene, or on what is chosen, is made when it is first asked for. */
export class OpenedCards {
  readonly content: Content;
  readonly #rows: ReadonlyMap<string, Rows>;
  readonly #columns: ReadonlyMap<string, Column>;
  readonly #lines = new WeakMap<Scene, ColumnLine[]>();
  readonly #paths = new Map<string, ColumnPath>();

  constructor(content: Content) {
    this.content = content;
    this.#rows = new Map(content.cards.map((card) => [`e${card.dataset}`, rowsOf(card)]));
    this.#columns = new Map(
      content.cards.flatMap(({ columns }) => columns.map((column) => [column.key, column])),
    );
  }

  heightOf(key: string): number | undefined {
    const rows = this.#rows.get(key);
    return rows && cardHeight(rows);
  }

  /** The row at a height of the drawing: a column, or undefined for the one that stands for others; null for no row. */
  rowAt(scene: Scene, box: number, y: number): { column: Column | undefined } | null {
    const rows = this.#rows.get(scene.boxes[box]!.key);
    const at = rows ? rowAt(rows, rectOf(scene, box), y) : -1;
    return at < 0 ? null : { column: rows!.columns[at] };
  }

  /** The lines of columns of a scene. */
  lines(scene: Scene): ColumnLine[] {
    let known = this.#lines.get(scene);
    if (!known) {
      known = columnLines(scene, this.content, columnPositions(this.content, this.#rows, scene));
      this.#lines.set(scene, known);
    }
    return known;
  }

  /** The path of a chosen column; null where none is chosen that an opened card has. */
  path(key: string | null | undefined): ColumnPath | null {
    if (key == null || !this.#columns.has(key)) return null;
    let known = this.#paths.get(key);
    if (!known) this.#paths.set(key, known = columnPath(this.content.edges, key));
    return known;
  }

  /** A column of an opened card by its key. */
  column(key: string): Column | undefined {
    return this.#columns.get(key);
  }

  /** The rows of a box from top to bottom, as they look while a column is chosen; none of one that is not opened. */
  rows(scene: Scene, box: number, chosen: string | null | undefined): SceneRow[] {
    const rows = this.#rows.get(scene.boxes[box]!.key);
    if (!rows) return [];
    const path = this.path(chosen);
    const emphasis = (columns: readonly Column[]): SceneRow["emphasis"] => {
      if (!path) return null;
      if (columns.some(({ key }) => key === chosen)) return "chosen";
      return columns.some(({ key }) => path.columns.has(key)) ? "path" : "aside";
    };
    const shown = rows.columns.map((column): SceneRow => ({
      text: column.name,
      type: column.type ?? "",
      column,
      emphasis: emphasis([column]),
    }));
    const last = lastText(rows);
    if (last === "") return shown;
    return [...shown, { text: last, type: "", column: null, emphasis: emphasis(rows.rest) }];
  }
}

/** Where a column is drawn: its box, and its row there. */
interface ColumnPosition {
  box: number;
  row: number;
}

/** The position of each column of the cards that are drawn, by its key. */
function columnPositions(
  content: Content,
  rows: ReadonlyMap<string, Rows>,
  scene: Scene,
): Map<string, ColumnPosition> {
  const positions = new Map<string, ColumnPosition>();
  for (const { dataset, columns } of content.cards) {
    const [box, own] = [scene.indexOf.get(`e${dataset}`), rows.get(`e${dataset}`)];
    if (box === undefined || !own) continue;
    for (const { key } of columns) positions.set(key, { box, row: own.columns.length });
    for (const [at, { key }] of own.columns.entries()) positions.set(key, { box, row: at });
  }
  return positions;
}

/** The lines of a scene between the columns of its opened cards. */
function columnLines(
  scene: Scene,
  content: Content,
  positions: ReadonlyMap<string, ColumnPosition>,
): ColumnLine[] {
  const drawn = content.edges.flatMap((edge) => {
    const [from, to] = [positions.get(edge.from), positions.get(edge.to)];
    return from && to ? [{ edge, from, to }] : [];
  });
  const pairs = Map.groupBy(drawn, ({ from, to }) => `${from.box} ${to.box}`);
  return [...pairs.values()].flatMap((pair) => bundleOf(scene, pair));
}

/** All lines from one card to another one. */
function bundleOf(
  scene: Scene,
  pair: { edge: ColumnEdge; from: ColumnPosition; to: ColumnPosition }[],
): ColumnLine[] {
  const [from, to] = [pair[0]!.from.box, pair[0]!.to.box];
  const height = ({ box, row }: ColumnPosition) => rowMiddle(rectOf(scene, box), row);
  const lines = [...Map.groupBy(pair, (one) => `${one.from.row} ${one.to.row}`).values()]
    .map((of) => ({
      edges: of.map(({ edge }) => edge),
      start: height(of[0]!.from),
      end: height(of[0]!.to),
    }))
    .sort((a, b) => a.start + a.end - b.start - b.end);
  const mean = (of: "start" | "end") => lines.reduce((sum, a) => sum + a[of], 0) / lines.length;
  const route = routeOf(scene, from, to, [mean("start"), mean("end")]);
  return lines.map(({ edges, start, end }, at) => ({
    edges,
    points: pointsOf(route, start, end, lines.length > 1 ? at / (lines.length - 1) : 0.5),
    backwards: route.backwards,
    round: route.round,
  }));
}

/** Free space that lines of columns keep to boxes which they pass. */
const clearance = 6;

/** How far the sheets of a fold stand out below it. */
const sheetDepth = 8;

/** How far the outermost lines of a bundle are apart where they pass boxes. */
const bundleWidth = 6;

/** How far the handles of a curve stand out that leads to a card above or below; it bulges three quarters as far. */
const curveReach = 44;

/** The free heights between two boxes, for a bundle of lines from one to the other. */
interface BundleRoute {
  from: Rect;
  to: Rect;
  /** Drawn from the left side of its first box to the right side of the second. */
  backwards: boolean;
  /** Columns of boxes that are passed, from left to right, and the height at which they are. */
  gates: { left: number; right: number; y: number }[];
  /** Neither box is next to the other: lines go round on the right. */
  round: boolean;
}

/** The way from a box to another one past all that lies between; `want` are the heights that it starts and ends at. */
function routeOf(scene: Scene, from: number, to: number, want: [number, number]): BundleRoute {
  const [a, b] = [rectOf(scene, from), rectOf(scene, to)];
  const backwards = b.x + b.width <= a.x;
  const round = !backwards && b.x < a.x + a.width;
  const route: BundleRoute = { from: a, to: b, backwards, gates: [], round };
  if (round) return route;
  const [left, right] = backwards ? [b, a] : [a, b];
  const [start, end] = backwards ? [want[1], want[0]] : want;
  const between = boxesBetween(scene, left.x + left.width, right.x);
  for (const group of boxColumns(between)) {
    const x = (group.left + group.right) / 2;
    const share = (x - left.x - left.width) / (right.x - left.x - left.width);
    const y = freeHeight(group.boxes, start + (end - start) * clampTo(share, 0, 1));
    route.gates.push({ left: group.left, right: group.right, y });
  }
  return route;
}

/** Boxes that lie wholly between two heights of x. */
function boxesBetween(scene: Scene, left: number, right: number): Rect[] {
  const found: Rect[] = [];
  for (let box = 0; box < scene.boxes.length; box++) {
    const { x, y, width, height } = rectOf(scene, box);
    const stack = scene.boxes[box]!.kind === "fold" ? sheetDepth : 0;
    if (x > left && x + width < right) found.push({ x, y, width, height: height + stack });
  }
  return found.sort((a, b) => a.x - b.x);
}

/** Boxes whose widths overlap, as one column. */
function boxColumns(boxes: Rect[]): { left: number; right: number; boxes: Rect[] }[] {
  const columns: { left: number; right: number; boxes: Rect[] }[] = [];
  for (const box of boxes) {
    const last = columns.at(-1);
    if (last && box.x <= last.right) {
      last.boxes.push(box);
      last.right = Math.max(last.right, box.x + box.width);
    } else columns.push({ left: box.x, right: box.x + box.width, boxes: [box] });
  }
  return columns;
}

/** The height nearest to `want` at which a bundle passes none of the boxes. */
function freeHeight(boxes: Rect[], want: number): number {
  const reach = clearance + bundleWidth / 2;
  const taken = boxes.map(({ y, height }) => [y - reach, y + height + reach] as const)
    .sort((a, b) => a[0] - b[0]);
  let [best, from] = [Infinity, -Infinity];
  for (const [top, bottom] of [...taken, [Infinity, Infinity] as const]) {
    if (top >= from) {
      const y = clampTo(want, from, top);
      if (Math.abs(y - want) < Math.abs(best - want)) best = y;
    }
    from = Math.max(from, bottom);
  }
  return best;
}

/**
 * The points of a line of a route, x, y, x, y …: between two rows, the `place`th (from 0 to 1) of its bundle. The two in
 * the middle of one that goes round are handles of its curve.
 */
function pointsOf(route: BundleRoute, start: number, end: number, place: number): number[] {
  const { from, to, backwards, gates, round } = route;
  if (round) {
    const [a, b] = [from.x + from.width, to.x + to.width];
    const out = Math.max(a, b) + curveReach - 2 * bundleWidth * place;
    return [a, start, out, start, out, end, b, end];
  }
  const points = backwards ? [from.x, start] : [from.x + from.width, start];
  for (const { left, right, y } of backwards ? gates.toReversed() : gates) {
    const at = y + bundleWidth * (place - 0.5);
    points.push(...(backwards ? [right, at, left, at] : [left, at, right, at]));
  }
  points.push(backwards ? to.x + to.width : to.x, end);
  return points;
}
