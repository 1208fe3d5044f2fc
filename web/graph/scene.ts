import type { framesOf, SceneFrame } from "#web/graph/frames.ts";
import { type Rect, rectOf, union } from "#web/graph/geometry.ts";
import { type ClassKey, classOf, type IconKey, iconOf } from "#web/graph/icons.ts";
import type {
  Layout,
  LineageGroup,
  LineageNode,
  View,
  ViewEdge,
  ViewNode,
} from "#web/graph/model.ts";
import {
  boundsOfAll,
  boundsOfLines,
  heightIn,
  orderOf,
  type SceneCards,
} from "#web/graph/scene-bounds.ts";
import { boxSize, handle, rowHandle } from "#web/graph/style.ts";
import { shown } from "#web/graph/text.ts";
export { rectOf } from "#web/graph/geometry.ts";
export { paddingOf, type SceneCards, sizeIn } from "#web/graph/scene-bounds.ts";

/** One box with the facts that its look depends on; where it lies is in the arrays of the scene. */
export interface SceneBox {
  key: string;
  kind: ViewNode["kind"];
  members: readonly number[];
  label: string;
  detail: string;
  colour: ClassKey;
  /** Id of the source; null when it has none, or its members have several. */
  source: number | null;
  icon: IconKey;
  /** Null when it is not known, or its members have several. */
  technology: string | null;
  /** Members with open alerts. */
  alerts: number;
  /** True only if it is so of all members. */
  hollow: boolean;
  stale: boolean;
  deleted: boolean;
  /** What became of it since, where two times are compared. */
  change: ViewNode["change"];
  /** Where the question started. */
  root: boolean;
  /** Neighbours on the left and on the right that are not drawn. */
  left: number;
  right: number;
  /** Of these neighbours those that are loaded. */
  paged: ViewNode["paged"];
  /** Sides whose neighbours can be put away again. */
  closes: Sides;
  /** One line of text instead of a card; opened cards are excluded. */
  form: ViewNode["form"];
  /** At zoom 1; that of an opened card is its own. */
  height: number;
}

export interface Sides {
  left: boolean;
  right: boolean;
}

interface SceneLine {
  key: string;
  /** Indices of boxes. */
  from: number;
  to: number;
  label: string;
  jobs: readonly number[];
  /** It closes a cycle. */
  reversed: boolean;
  since: ViewEdge["since"];
  /** How many lines it bundles. */
  weight: number;
}

/** What finds the frames of a drawing. */
interface SceneFraming {
  framesOf: typeof framesOf;
}

/** A drawing without its colours: what is where, and which facts its look depends on. */
export interface Scene extends SceneGeometry {
  boxes: readonly SceneBox[];
  lines: readonly SceneLine[];
  /** Outlines of groups, the outer ones first; none while boxes are on their way. */
  frames: readonly SceneFrame[];
  /** How groups are framed, where there are some; who paints frames knows more (`framing.ts`). */
  framing?: SceneFraming | null;
  indexOf: ReadonlyMap<string, number>;
  /** Opened cards, if there are any. */
  cards?: SceneCards | null;
}

/** Where boxes and lines lie, by their indices. */
interface SceneGeometry {
  /** Upper left corner, width and height of box i at 4i. */
  rects: Float32Array;
  columns: Uint32Array;
  /** Line i has the points `offsets[i]` to `offsets[i + 1]`, two numbers each. */
  points: Float32Array;
  offsets: Uint32Array;
  /** Minimum x and y, greatest x and y of line i at 4i. */
  lineBounds: Float32Array;
  bounds: Rect;
  /** Boxes by column, then from top to bottom. */
  order: Uint32Array;
}

interface SceneInput {
  view: View;
  layout: Layout;
  nodes: ReadonlyMap<number, LineageNode>;
  groups?: ReadonlyMap<number, LineageGroup>;
  /** How groups are framed, which is loaded where there are some; without it there are no frames. */
  framing?: SceneFraming | null;
  roots: ReadonlySet<number>;
  /** Sides that were opened, by key of box. */
  opened?: ReadonlyMap<string, Sides>;
  /** Additional space next to each box, for the labels of lines. */
  padding?: number;
  cards?: SceneCards | null;
}

const noSides: Sides = { left: false, right: false };

/** Puts a view, its layout and what is known of the entities together. Linear in boxes, lines and points. */
export function buildScene(input: SceneInput): Scene {
  const { view, layout, nodes, groups = new Map(), roots, opened, padding = 0, cards } = input;
  const { framing } = input;
  const indexOf = new Map(view.nodes.map(({ key }, index) => [key, index]));
  const boxes = view.nodes.map((node) =>
    boxOf(node, nodes, roots, opened?.get(node.key) ?? noSides, heightIn(cards, node))
  );
  const lines = view.edges.map((edge, index) =>
    lineOf(edge, indexOf, layout.reversed[index] === 1)
  );
  const geometry = geometryOf({ boxes, lines }, layout, padding);
  const frames = framing?.framesOf(view, geometry, groups) ?? [];
  const bounds = frames.reduce((all, { rect }) => union(all, rect), geometry.bounds);
  return { boxes, lines, frames, framing, indexOf, cards, ...geometry, bounds };
}

/** The same boxes and lines elsewhere, as on their way to a new layout. */
export function moved(scene: Scene, layout: Layout, padding = 0): Scene {
  return { ...scene, frames: [], ...geometryOf(scene, layout, padding) };
}

function geometryOf(
  { boxes, lines }: Pick<Scene, "boxes" | "lines">,
  layout: Layout,
  padding: number,
): SceneGeometry {
  const rects = new Float32Array(4 * layout.x.length);
  for (let index = 0; index < layout.x.length; index++) {
    const { height } = boxes[index]!;
    rects.set([layout.x[index]! + padding, layout.y[index]!, boxSize.width, height], 4 * index);
  }
  const points = padding === 0 ? layout.points : reachingBoxes(lines, layout, padding);
  const lineBounds = boundsOfLines(points, layout.offsets, lines.length);
  return {
    rects,
    columns: layout.layers,
    points,
    offsets: layout.offsets,
    lineBounds,
    bounds: boundsOfAll(rects, lineBounds),
    order: orderOf(layout.layers, rects),
  };
}

function boxOf(
  node: ViewNode,
  nodes: ReadonlyMap<number, LineageNode>,
  roots: ReadonlySet<number>,
  closes: Sides,
  height: number,
): SceneBox {
  const known = node.members.map((id) => nodes.get(id)).filter((found) => found !== undefined);
  const first = known[0];
  const all = (holds: (member: LineageNode) => boolean) => known.length > 0 && known.every(holds);
  return {
    key: node.key,
    kind: node.kind,
    members: node.members,
    label: shown(node.label),
    detail: node.detail === "" ? "" : shown(node.detail),
    colour: first ? classOf(first) : "UNKNOWN",
    source: all(({ source }) => source?.id === first?.source?.id)
      ? first?.source?.id ?? null
      : null,
    icon: first ? iconOf(first) : "unknown",
    technology: all(({ technology }) => technology === first?.technology)
      ? first?.technology ?? null
      : null,
    alerts: known.filter(({ hasAlerts }) => hasAlerts).length,
    hollow: all(({ hollow }) => hollow),
    stale: all(({ stale }) => stale),
    deleted: all(({ status }) => status === "DELETED"),
    change: node.change,
    root: node.members.some((id) => roots.has(id)),
    left: node.hiddenParents,
    right: node.hiddenChildren,
    paged: node.paged,
    closes,
    form: height < boxSize.height ? node.form : undefined,
    height,
  };
}

function lineOf(edge: ViewEdge, indexOf: Map<string, number>, reversed: boolean): SceneLine {
  const [from, to] = [indexOf.get(edge.from), indexOf.get(edge.to)];
  if (from === undefined || to === undefined) throw new Error(`line ${edge.key} ends at no box`);
  const label = edge.label === "" ? "" : shown(edge.label);
  const { key, jobs, since, weight = 1 } = edge;
  return { key, from, to, label, jobs, reversed, since, weight };
}

/** The layout ended lines where the room of a box ends; here they go on to the box itself. */
function reachingBoxes(
  lines: readonly SceneLine[],
  { points, offsets }: Layout,
  padding: number,
): Float32Array {
  const longer = points.slice();
  for (const [line, { from, to, reversed }] of lines.entries()) {
    const [start, end] = [2 * offsets[line]!, 2 * offsets[line + 1]! - 2];
    if (from === to) {
      for (let at = start; at <= end; at += 2) longer[at]! -= padding;
      continue;
    }
    longer[start]! += reversed ? padding : -padding;
    longer[end]! += reversed ? -padding : padding;
  }
  return longer;
}

/** Where the "+n" of a side stands, whether it has one or not: below where lines end. */
export function handleRect(
  scene: Pick<Scene, "rects" | "boxes">,
  box: number,
  side: keyof Sides,
): Rect {
  const { x, y, width, height } = rectOf(scene, box);
  const size = scene.boxes[box]!.form ? rowHandle : handle;
  return {
    x: side === "left" ? x - size.gap - size.width : x + width + size.gap,
    y: y + Math.min(height, boxSize.height) - size.height + size.below,
    width: size.width,
    height: size.height,
  };
}

/** Whether a side has neighbours to show, or to put away again. */
export function hasHandle({ boxes }: Scene, box: number, side: keyof Sides): boolean {
  return boxes[box]![side] > 0 || boxes[box]!.closes[side];
}
