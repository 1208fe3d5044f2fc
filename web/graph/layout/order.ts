import { type Adjacency, adjacencyOf } from "#web/graph/adjacency.ts";
import { Crossings } from "#web/graph/layout/crossings.ts";
import type { Proper } from "#web/graph/layout/dummies.ts";
import { type FramesOf, gatherFrames } from "#web/graph/layout/frames.ts";
import { type Order, type OrderingGraph, place } from "#web/graph/layout/ordering.ts";
import { transposed } from "#web/graph/layout/transpose.ts";

/** Rounds without a better order after which the search ends. */
const maxStale = 4;

/**
 * An order with few crossings: each column in turn is sorted by where its neighbours lie, then neighbours in a column
 * change places where that helps; the best of all rounds counts. Nodes of one column that have a rank stay in that order,
 * but for what frames bring together.
 */
export function orderOf(proper: Proper, ranks: Float32Array, framesOf?: FramesOf): Order {
  const ordering = firstOrder(proper, ranks);
  const { sequence, positions } = ordering;
  const columns = ordering.starts.length - 1;
  const crossings = new Crossings(ordering);
  const rounds = roundsFor(sequence.length + (proper.segments.length >> 1));
  let best = sequence.slice();
  let min = crossings.count();
  for (let round = 0, idle = 0; round < rounds && idle < maxStale && min > 0; round++) {
    const rightwards = round % 2 === 0;
    for (let at = 1; at < columns; at++) {
      sortColumn(ordering, rightwards ? at : columns - 1 - at, rightwards ? "up" : "down");
    }
    transposed(ordering);
    const now = crossings.count();
    idle = now < min ? 0 : idle + 1;
    if (now >= min) continue;
    min = now;
    best = sequence.slice();
  }
  sequence.set(best);
  for (let column = 0; column < columns; column++) place(ordering, column);
  if (framesOf) gatherFrames(ordering, framesOf);
  return { starts: ordering.starts, sequence, positions };
}

/** Large graphs get fewer rounds, so that time grows little faster than they do. */
function roundsFor(size: number): number {
  return Math.max(6, Math.min(24, Math.floor(400_000 / size)));
}

/** Depth first from the left, so that what belongs together starts together. */
function firstOrder({ layers, segments }: Proper, ranks: Float32Array): OrderingGraph {
  const nodes = layers.length;
  const up = adjacencyOf(nodes, segments, "to");
  const down = adjacencyOf(nodes, segments, "from");
  const columns = layers.reduce((max, layer) => Math.max(max, layer), -1) + 1;
  const starts = new Uint32Array(columns + 1);
  for (const layer of layers) starts[layer + 1]!++;
  for (let column = 0; column < columns; column++) starts[column + 1]! += starts[column]!;
  const sequence = new Uint32Array(nodes);
  const free = starts.slice();
  for (const node of depthFirst(nodes, up, down)) sequence[free[layers[node]!]!++] = node;
  const ordering = { starts, sequence, positions: new Uint32Array(nodes), up, down, ranks };
  for (let column = 0; column < columns; column++) {
    keepRanks(ordering, column);
    place(ordering, column);
  }
  return ordering;
}

function depthFirst(nodes: number, up: Adjacency, down: Adjacency): Uint32Array {
  const seen = new Uint8Array(nodes);
  const found = new Uint32Array(nodes);
  const stack: number[] = [];
  let count = 0;
  for (let start = 0; start < nodes; start++) {
    if (up.offsets[start] !== up.offsets[start + 1]) continue;
    stack.push(start);
    while (stack.length > 0) {
      const node = stack.pop()!;
      if (seen[node]) continue;
      seen[node] = 1;
      found[count++] = node;
      for (let i = down.offsets[node + 1]! - 1; i >= down.offsets[node]!; i--) {
        if (!seen[down.ends[i]!]) stack.push(down.ends[i]!);
      }
    }
  }
  return found;
}

/** Sorts a column by the mean place of the neighbours on one side; what has none there stays where it is. */
function sortColumn(ordering: OrderingGraph, column: number, side: "up" | "down"): void {
  const { starts, sequence, positions } = ordering;
  const { offsets, ends } = ordering[side];
  const [start, end] = [starts[column]!, starts[column + 1]!];
  const size = end - start;
  const keys = new Float64Array(size);
  let movable = 0;
  for (let at = start; at < end; at++) {
    const node = sequence[at]!;
    const [first, last] = [offsets[node]!, offsets[node + 1]!];
    if (first === last) continue;
    let sum = 0;
    for (let i = first; i < last; i++) sum += positions[ends[i]!]!;
    // The mean in 1/256, then the place, so that sorting numbers is stable.
    keys[movable++] = Math.round(256 * sum / (last - first)) * size + (at - start);
  }
  const sorted = keys.subarray(0, movable).sort();
  const old = sequence.slice(start, end);
  let next = 0;
  for (let at = start; at < end; at++) {
    const node = old[at - start]!;
    if (offsets[node] !== offsets[node + 1]) sequence[at] = old[sorted[next++]! % size]!;
  }
  keepRanks(ordering, column);
  place(ordering, column);
}

/** Puts the nodes with a rank, in its order, on the places that they have together. */
function keepRanks({ starts, sequence, ranks }: OrderingGraph, column: number): void {
  const ranked: number[] = [];
  for (let at = starts[column]!; at < starts[column + 1]!; at++) {
    if (!Number.isNaN(ranks[sequence[at]!]!)) ranked.push(sequence[at]!);
  }
  if (ranked.length < 2) return;
  ranked.sort((a, b) => ranks[a]! - ranks[b]! || a - b);
  let next = 0;
  for (let at = starts[column]!; at < starts[column + 1]!; at++) {
    if (!Number.isNaN(ranks[sequence[at]!]!)) sequence[at] = ranked[next++]!;
  }
}
