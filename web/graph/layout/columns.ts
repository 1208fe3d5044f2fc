import { type Adjacency, adjacencyOf, degree, endsOf } from "#web/graph/adjacency.ts";

/**
 * A graph whose lines all go from one column to the next: longer lines run through dummy points, one for each column
 * between their ends. Nodes are the boxes, then the dummies.
 */
export interface Proper {
  boxes: number;
  /** Column of each node. */
  layers: Uint32Array;
  /** Pairs of nodes, the left one first, each once. */
  segments: Uint32Array;
  /** Edge e runs through the dummies `routes[routeOffsets[e]]` to `routes[routeOffsets[e + 1] - 1]`, left to right. */
  routes: Uint32Array;
  routeOffsets: Uint32Array;
}

/** The nodes of each column from top to bottom. */
export interface Order {
  /** Column c has the nodes `sequence[starts[c]]` to `sequence[starts[c + 1] - 1]`. */
  starts: Uint32Array;
  sequence: Uint32Array;
  /** Place of each node in its column. */
  positions: Uint32Array;
}

/** A graph whose columns are being put in order, with what all steps need. */
export interface OrderingGraph extends Order {
  up: Adjacency;
  down: Adjacency;
  /** Rank that a node keeps among those that have one; NaN where it may go anywhere. */
  ranks: Float32Array;
}

/** How often layers are tightened; a few rounds reach nearly all that there is to gain. */
const tighteningRounds = 6;

/**
 * The column of each node of a graph without cycles: as far left as its parents allow (longest path), then moved
 * between its parents and its children to where its lines are shortest together.
 */
export function layersOf(nodes: number, pairs: Uint32Array): Uint32Array {
  const up = adjacencyOf(nodes, pairs, "to");
  const down = adjacencyOf(nodes, pairs, "from");
  const sorted = topological(nodes, up, down);
  const backwards = sorted.toReversed();
  const layers = new Uint32Array(nodes);
  // The first column right of all parents, and the last one left of all children.
  const afterParents = (node: number) =>
    endsOf(up, node).reduce((layer, parent) => Math.max(layer, layers[parent]! + 1), 0);
  const beforeChildren = (node: number) =>
    endsOf(down, node).reduce((layer, child) => Math.min(layer, layers[child]! - 1), Infinity);
  for (const node of sorted) layers[node] = afterParents(node);
  for (let round = 0; round < tighteningRounds; round++) {
    const moved = round % 2 === 0
      ? tighten(backwards, layers, [down, up], beforeChildren)
      : tighten(sorted, layers, [up, down], afterParents);
    if (!moved && round > 0) break;
  }
  const first = layers.reduce((minimum, layer) => Math.min(minimum, layer), Infinity);
  return layers.map((layer) => layer - first);
}

function topological(nodes: number, up: Adjacency, down: Adjacency): Uint32Array {
  const sorted = new Uint32Array(nodes);
  const waits = new Uint32Array(nodes);
  let filled = 0;
  for (let n = 0; n < nodes; n++) {
    waits[n] = degree(up, n);
    if (waits[n] === 0) sorted[filled++] = n;
  }
  for (let at = 0; at < filled; at++) {
    for (const child of endsOf(down, sorted[at]!)) {
      if (--waits[child]! === 0) sorted[filled++] = child;
    }
  }
  return sorted;
}

/** Moves what has more neighbours on one side than on the other there, in an order in which chains move as one. */
function tighten(
  nodes: Uint32Array,
  layers: Uint32Array,
  [more, fewer]: [Adjacency, Adjacency],
  layerOf: (node: number) => number,
): boolean {
  let moved = false;
  for (const node of nodes) {
    if (degree(more, node) <= degree(fewer, node)) continue;
    const layer = layerOf(node);
    moved ||= layer !== layers[node]!;
    layers[node] = layer;
  }
  return moved;
}

/** So many points, or four for each edge, are between the ends of lines; where it would be more, the longest lines go straight. */
const maxPoints = 60_000;

/**
 * `pairs` are edges by boxes in `layers`, the left one first. Long lines of one box share their dummies, so that a box
 * that feeds a hundred others far away needs one way and not a hundred; lines in `alone` have a way of their own.
 */
export function properGraph(layers: Uint32Array, pairs: Uint32Array, alone: Uint8Array): Proper {
  const boxes = layers.length;
  const edges = pairs.length >> 1;
  const spans = new Uint32Array(edges);
  for (let e = 0; e < edges; e++) spans[e] = layers[pairs[2 * e + 1]!]! - layers[pairs[2 * e]!]!;
  const longest = longestWithin(spans, Math.max(maxPoints, 4 * edges));
  const routeOffsets = new Uint32Array(edges + 1);
  for (let e = 0; e < edges; e++) {
    routeOffsets[e + 1] = routeOffsets[e]! + (spans[e]! <= longest ? spans[e]! - 1 : 0);
  }
  const routes = new Uint32Array(routeOffsets[edges]!);
  const owners = ownersOf(boxes, pairs, spans, longest);
  const shared = new Map<number, number>();
  const dummyLayers: number[] = [];
  const columns = layers.reduce((max, layer) => Math.max(max, layer), 0) + 1;
  for (let e = 0; e < edges; e++) {
    const first = layers[pairs[2 * e]!]! + 1;
    for (let at = routeOffsets[e]!; at < routeOffsets[e + 1]!; at++) {
      const layer = first + at - routeOffsets[e]!;
      const way = owners[e]! * columns + layer;
      let dummy = alone[e] ? undefined : shared.get(way);
      if (dummy === undefined) {
        dummy = boxes + dummyLayers.push(layer) - 1;
        if (!alone[e]) shared.set(way, dummy);
      }
      routes[at] = dummy;
    }
  }
  const all = new Uint32Array(boxes + dummyLayers.length);
  all.set(layers);
  all.set(dummyLayers, boxes);
  const segments = segmentsOf(pairs, spans, longest, routes, routeOffsets, all.length);
  return { boxes, layers: all, segments, routes, routeOffsets };
}

/** The greatest span for which all lines up to it have no more than `max` points between their ends. */
function longestWithin(spans: Uint32Array, max: number): number {
  const sorted = spans.slice().sort();
  let points = 0;
  for (const span of sorted) {
    points += span - 1;
    if (points > max) return span - 1;
  }
  return Infinity;
}

/** Whose way each edge uses: that of its end with more long edges, as twice the box, plus 1 for the right end. */
function ownersOf(boxes: number, pairs: Uint32Array, spans: Uint32Array, longest: number) {
  const long = new Uint32Array(2 * boxes);
  const isLong = (e: number) => spans[e]! > 1 && spans[e]! <= longest;
  for (let e = 0; e < spans.length; e++) {
    if (!isLong(e)) continue;
    long[2 * pairs[2 * e]!]!++;
    long[2 * pairs[2 * e + 1]! + 1]!++;
  }
  const owners = new Uint32Array(spans.length);
  for (let e = 0; e < spans.length; e++) {
    const [left, right] = [2 * pairs[2 * e]!, 2 * pairs[2 * e + 1]! + 1];
    owners[e] = long[left]! >= long[right]! ? left : right;
  }
  return owners;
}

function segmentsOf(
  pairs: Uint32Array,
  spans: Uint32Array,
  longest: number,
  routes: Uint32Array,
  routeOffsets: Uint32Array,
  nodes: number,
): Uint32Array {
  const keys = new Float64Array(routes.length + spans.length);
  let filled = 0;
  for (let e = 0; e < spans.length; e++) {
    if (spans[e]! > longest) continue;
    let last = pairs[2 * e]!;
    for (let at = routeOffsets[e]!; at < routeOffsets[e + 1]!; at++) {
      keys[filled++] = last * nodes + routes[at]!;
      last = routes[at]!;
    }
    keys[filled++] = last * nodes + pairs[2 * e + 1]!;
  }
  const sorted = keys.subarray(0, filled).sort();
  const segments = new Uint32Array(2 * filled);
  let end = 0;
  for (let at = 0; at < filled; at++) {
    if (at > 0 && sorted[at] === sorted[at - 1]) continue;
    segments[end++] = Math.floor(sorted[at]! / nodes);
    segments[end++] = sorted[at]! % nodes;
  }
  return segments.slice(0, end);
}

/** Writes the positions of the nodes of a column, after their sequence. */
export function updatePositions({ starts, sequence, positions }: Order, column: number): void {
  const start = starts[column]!;
  for (let at = start; at < starts[column + 1]!; at++) positions[sequence[at]!] = at - start;
}
