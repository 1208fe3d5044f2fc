import { type Adjacency, adjacencyOf } from "#web/graph/adjacency.ts";
import type { Rect } from "#web/graph/geometry.ts";
import type { Order, Proper } from "#web/graph/layout/columns.ts";
import { frameExtent, frameGap, type FramesOf } from "#web/graph/layout/frames.ts";
import { frameDepth, frameSpace, gaps } from "#web/graph/model.ts";

/** Rounds over all columns, there and back; later ones move little. */
const settlingRounds = 5;

/** How much more a line from dummy to dummy, or from a box to a dummy, wants to be straight than one between boxes. */
const straightness = { long: 8, end: 2 };

/** Where nodes lie: left edges and widths of columns, and the heights at which lines meet nodes. */
export interface NodePositions {
  columnX: Float64Array;
  columnWidth: Float64Array;
  middles: Float64Array;
  width: number;
  height: number;
}

export interface PlacedBox extends Rect {
  /** How far below its top its lines end. */
  port: number;
}

/** Heights of boxes, and how far below their tops lines meet them. */
interface Heights {
  heights: Float32Array;
  ports: Float32Array;
  /** Free space around them; `gaps.row` by default. */
  spaces?: Float32Array | undefined;
}

/**
 * Places the columns side by side, each as wide as its widest box, and the nodes of a column one above the other in
 * their order: as near to the middle of their neighbours as the others leave room for.
 */
export function positionsOf(
  proper: Proper,
  order: Order,
  widths: Float32Array,
  heights: Heights,
  framesOf?: FramesOf,
): NodePositions {
  const { starts, sequence } = order;
  const columns = starts.length - 1;
  const columnX = new Float64Array(columns);
  const columnWidth = new Float64Array(columns);
  for (let box = 0; box < proper.boxes; box++) {
    const column = proper.layers[box]!;
    columnWidth[column] = Math.max(columnWidth[column]!, widths[box]!);
  }
  const side = framesOf ? frameDepth * frameSpace.side : 0;
  let width = side;
  for (let column = 0; column < columns; column++) {
    columnX[column] = width;
    width += columnWidth[column]! + gaps.column;
  }
  const middles = middlesOf(proper, order, heights, framesOf);
  let [top, bottom] = [Infinity, -Infinity];
  const { above, below } = reachesOf(proper, heights);
  for (const node of sequence) {
    const frame = framesOf ? frameExtent(framesOf, node) : { above: 0, below: 0 };
    top = Math.min(top, middles[node]! - above(node) - frame.above);
    bottom = Math.max(bottom, middles[node]! + below(node) + frame.below);
  }
  for (let node = 0; node < middles.length; node++) middles[node]! -= top;
  return { columnX, columnWidth, middles, width: width - gaps.column + side, height: bottom - top };
}

function middlesOf(
  proper: Proper,
  order: Order,
  heights: Heights,
  framesOf?: FramesOf,
): Float64Array {
  const { starts } = order;
  const columns = starts.length - 1;
  const nodes = proper.layers.length;
  const middles = new Float64Array(nodes);
  const offsets = offsetsOf(proper, order, heights, framesOf);
  for (let column = 0; column < columns; column++) {
    const [start, end] = [starts[column]!, starts[column + 1]!];
    const half = (offsets[start]! + offsets[end - 1]!) / 2;
    for (let at = start; at < end; at++) middles[order.sequence[at]!] = offsets[at]! - half;
  }
  const up = adjacencyOf(nodes, proper.segments, "to");
  const down = adjacencyOf(nodes, proper.segments, "from");
  const settle = settler(proper, order, offsets, middles);
  for (let round = 0; round < settlingRounds; round++) {
    for (let column = 1; column < columns; column++) settle(column, [up]);
    for (let column = columns - 2; column >= 0; column--) settle(column, [down]);
  }
  for (let column = 0; column < columns; column++) settle(column, [up, down]);
  return middles;
}

/** Middles of the nodes of each column if it is as dense as may be; by place in the sequence. */
function offsetsOf(
  proper: Proper,
  order: Order,
  heights: Heights,
  framesOf?: FramesOf,
): Float64Array {
  const { starts, sequence } = order;
  const offsets = new Float64Array(sequence.length);
  const { above, below } = reachesOf(proper, heights);
  for (let column = 0; column + 1 < starts.length; column++) {
    for (let at = starts[column]! + 1; at < starts[column + 1]!; at++) {
      const [upper, lower] = [sequence[at - 1]!, sequence[at]!];
      const bothBoxes = upper < proper.boxes && lower < proper.boxes;
      const gap = (bothBoxes ? spaceBetween(heights, upper, lower) : gaps.line) +
        (framesOf ? frameGap(framesOf, upper, lower) : 0);
      offsets[at] = offsets[at - 1]! + below(upper) + gap + above(lower);
    }
  }
  return offsets;
}

/** How far a node reaches above and below where lines meet it; dummies are points. */
function reachesOf({ boxes }: Proper, { heights, ports }: Heights) {
  return {
    above: (node: number) => (node < boxes ? ports[node]! : 0),
    below: (node: number) => (node < boxes ? heights[node]! - ports[node]! : 0),
  };
}

function spaceBetween({ spaces }: Heights, upper: number, lower: number): number {
  return spaces ? Math.max(spaces[upper]!, spaces[lower]!) : gaps.row;
}

/**
 * Moves the nodes of a column to where their neighbours want them: least squares under "in this order, and so far apart",
 * which is isotonic regression (pool adjacent violators) of the wishes less the offsets.
 */
function settler(proper: Proper, order: Order, offsets: Float64Array, middles: Float64Array) {
  const { boxes } = proper;
  const { starts, sequence } = order;
  // Pools: mean wish, weight, and how many nodes.
  const means = new Float64Array(offsets.length);
  const weights = new Float64Array(offsets.length);
  const sizes = new Uint32Array(offsets.length);

  // What a node alone would want, as the pool `pool`; one without neighbours barely resists the others.
  const wish = (node: number, offset: number, sides: Adjacency[], pool: number) => {
    let [sum, weight] = [0, 0];
    for (const { offsets, ends } of sides) {
      for (let i = offsets[node]!; i < offsets[node + 1]!; i++) {
        const dummies = (node >= boxes ? 1 : 0) + (ends[i]! >= boxes ? 1 : 0);
        const pull = dummies === 2 ? straightness.long : dummies === 1 ? straightness.end : 1;
        sum += pull * middles[ends[i]!]!;
        weight += pull;
      }
    }
    means[pool] = (weight > 0 ? sum / weight : middles[node]!) - offset;
    weights[pool] = weight > 0 ? weight : 0.01;
  };

  return (column: number, sides: Adjacency[]) => {
    let pools = 0;
    for (let at = starts[column]!; at < starts[column + 1]!; at++) {
      wish(sequence[at]!, offsets[at]!, sides, pools);
      sizes[pools++] = 1;
      while (pools > 1 && means[pools - 2]! > means[pools - 1]!) {
        const [a, b] = [pools - 2, pools - 1];
        const weight = weights[a]! + weights[b]!;
        means[a] = (means[a]! * weights[a]! + means[b]! * weights[b]!) / weight;
        weights[a] = weight;
        sizes[a]! += sizes[b]!;
        pools--;
      }
    }
    let at = starts[column]!;
    for (let pool = 0; pool < pools; pool++) {
      for (let left = sizes[pool]!; left > 0; left--, at++) {
        middles[sequence[at]!] = means[pool]! + offsets[at]!;
      }
    }
  };
}

/** Adds a point of a line. */
type AddPoint = (x: number, y: number) => void;

export const loopPoints = 5;

/** How many points the line of edge e has: its ends, and both sides of every column that it passes. */
export function pointCount({ routeOffsets }: Proper, e: number): number {
  return 2 + 2 * (routeOffsets[e + 1]! - routeOffsets[e]!);
}

/**
 * Adds the points of edge e, from the box that it starts at to the one that it ends at. A reversed edge starts at the left
 * side of its box and runs backwards. Passed columns are crossed level, so that no bend lies behind a box.
 */
export function addLine(
  add: AddPoint,
  e: number,
  [from, to]: [PlacedBox, PlacedBox],
  { proper, positions, reversed, left, top }: {
    proper: Proper;
    positions: NodePositions;
    reversed: boolean;
    left: number;
    top: number;
  },
): void {
  add(from.x + (reversed ? 0 : from.width), from.y + from.port);
  const [first, last] = [proper.routeOffsets[e]!, proper.routeOffsets[e + 1]!];
  for (let at = first; at < last; at++) {
    const dummy = proper.routes[reversed ? first + last - 1 - at : at]!;
    const column = proper.layers[dummy]!;
    const x = left + positions.columnX[column]!;
    const y = top + positions.middles[dummy]!;
    const width = positions.columnWidth[column]!;
    add(reversed ? x + width : x, y);
    add(reversed ? x : x + width, y);
  }
  add(to.x + (reversed ? to.width : 0), to.y + to.port);
}

/** Adds the loop of a box that feeds itself: out to the right, and back from above. */
export function addLoop(add: AddPoint, { x, y, width, port }: PlacedBox): void {
  const right = x + width;
  const inward = Math.min(gaps.loop, width / 2);
  add(right, y + port);
  add(right + gaps.loop, y + port);
  add(right + gaps.loop, y - gaps.loop);
  add(right - inward, y - gaps.loop);
  add(right - inward, y);
}
