import type { ColumnEdge, Content } from "#web/graph/cards/content.ts";
import { rowMiddle, type Rows } from "#web/graph/cards/rows.ts";
import { pointsOf, wayOf } from "#web/graph/cards/ways.ts";
import { rectOf, type Scene } from "#web/graph/scene.ts";

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

/** Where a column is drawn: its box, and its row there. */
export interface ColumnPosition {
  box: number;
  row: number;
}

/** The place of each column of the cards that are drawn, by its key. */
export function positionsOf(
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
export function columnLines(
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
  const way = wayOf(scene, from, to, [mean("start"), mean("end")]);
  return lines.map(({ edges, start, end }, at) => ({
    edges,
    points: pointsOf(way, start, end, lines.length > 1 ? at / (lines.length - 1) : 0.5),
    backwards: way.backwards,
    round: way.round,
  }));
}
