import { clampTo, type Rect } from "#web/graph/geometry.ts";
import { rectOf, type Scene } from "#web/graph/scene.ts";

/** Free space that lines of columns keep to boxes which they pass. */
const margin = 6;

/** How far the sheets of a fold stand out below it. */
const sheets = 8;

/** How far the outermost lines of a bundle are apart where they pass boxes. */
const bundle = 6;

/** How far the handles of a curve stand out that leads to a card above or below; it bulges three quarters as far. */
const aside = 44;

/** The free heights between two boxes, for a bundle of lines from one to the other. */
export interface BundleRoute {
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
export function wayOf(scene: Scene, from: number, to: number, want: [number, number]): BundleRoute {
  const [a, b] = [rectOf(scene, from), rectOf(scene, to)];
  const backwards = b.x + b.width <= a.x;
  const round = !backwards && b.x < a.x + a.width;
  const way: BundleRoute = { from: a, to: b, backwards, gates: [], round };
  if (round) return way;
  const [left, right] = backwards ? [b, a] : [a, b];
  const [start, end] = backwards ? [want[1], want[0]] : want;
  const between = boxesBetween(scene, left.x + left.width, right.x);
  for (const group of columnsOf(between)) {
    const x = (group.left + group.right) / 2;
    const share = (x - left.x - left.width) / (right.x - left.x - left.width);
    const y = freeHeight(group.boxes, start + (end - start) * clampTo(share, 0, 1));
    way.gates.push({ left: group.left, right: group.right, y });
  }
  return way;
}

/** Boxes that lie wholly between two heights of x. */
function boxesBetween(scene: Scene, left: number, right: number): Rect[] {
  const found: Rect[] = [];
  for (let box = 0; box < scene.boxes.length; box++) {
    const { x, y, width, height } = rectOf(scene, box);
    const stack = scene.boxes[box]!.kind === "fold" ? sheets : 0;
    if (x > left && x + width < right) found.push({ x, y, width, height: height + stack });
  }
  return found.sort((a, b) => a.x - b.x);
}

/** Boxes whose widths overlap, as one column. */
function columnsOf(boxes: Rect[]): { left: number; right: number; boxes: Rect[] }[] {
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
  const reach = margin + bundle / 2;
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
 * The points of a line of a way, x, y, x, y …: between two rows, the `place`th (from 0 to 1) of its bundle. The two in the
 * middle of one that goes round are handles of its curve.
 */
export function pointsOf(way: BundleRoute, start: number, end: number, place: number): number[] {
  const { from, to, backwards, gates, round } = way;
  if (round) {
    const [a, b] = [from.x + from.width, to.x + to.width];
    const out = Math.max(a, b) + aside - 2 * bundle * place;
    return [a, start, out, start, out, end, b, end];
  }
  const points = backwards ? [from.x, start] : [from.x + from.width, start];
  for (const { left, right, y } of backwards ? gates.toReversed() : gates) {
    const at = y + bundle * (place - 0.5);
    points.push(...(backwards ? [right, at, left, at] : [left, at, right, at]));
  }
  points.push(backwards ? to.x + to.width : to.x, end);
  return points;
}
