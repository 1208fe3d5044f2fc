import { type Adjacency, adjacencyOf, degree } from "#web/graph/adjacency.ts";
import {
  type Order,
  type OrderingGraph,
  type Proper,
  updatePositions,
} from "#web/graph/layout/columns.ts";
import { type FramesOf, gatherFrames } from "#web/graph/layout/frames.ts";

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
  const countCrossings = crossingsIn(ordering);
  const rounds = roundsFor(sequence.length + (proper.segments.length >> 1));
  let best = sequence.slice();
  let min = countCrossings();
  for (let round = 0, idle = 0; round < rounds && idle < maxStale && min > 0; round++) {
    const rightwards = round % 2 === 0;
    for (let at = 1; at < columns; at++) {
      sortColumn(ordering, rightwards ? at : columns - 1 - at, rightwards ? "up" : "down");
    }
    transposed(ordering);
    const now = countCrossings();
    idle = now < min ? 0 : idle + 1;
    if (now >= min) continue;
    min = now;
    best = sequence.slice();
  }
  sequence.set(best);
  for (let column = 0; column < columns; column++) updatePositions(ordering, column);
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
    updatePositions(ordering, column);
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
  updatePositions(ordering, column);
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

/** Counts how often lines cross (Barth, Jünger and Mutzel 2002, with a Fenwick tree). */
function crossingsIn({ starts, sequence, positions, down }: OrderingGraph): () => number {
  let widest = 0;
  for (let c = 1; c < starts.length; c++) widest = Math.max(widest, starts[c]! - starts[c - 1]!);
  const max = sequence.reduce((max, node) => Math.max(max, degree(down, node)), 0);
  const tree = new Uint32Array(widest + 1);
  const indexes = new Uint32Array(max);

  const after = (column: number) => {
    const width = starts[column + 2]! - starts[column + 1]!;
    tree.fill(0, 0, width + 1);
    let crossings = 0;
    let lines = 0;
    for (let at = starts[column]!; at < starts[column + 1]!; at++) {
      const [first, last] = [down.offsets[sequence[at]!]!, down.offsets[sequence[at]! + 1]!];
      for (let i = first; i < last; i++) {
        const place = positions[down.ends[i]!]!;
        indexes[i - first] = place;
        let above = 0;
        for (let t = place + 1; t > 0; t &= t - 1) above += tree[t]!;
        crossings += lines - above;
      }
      for (let i = 0; i < last - first; i++) {
        for (let t = indexes[i]! + 1; t <= width; t += t & -t) tree[t]!++;
      }
      lines += last - first;
    }
    return crossings;
  };

  return () => {
    let crossings = 0;
    for (let column = 0; column + 2 < starts.length; column++) crossings += after(column);
    return crossings;
  };
}

/** Rounds over a column; more find little. */
const maxRounds = 4;

/** Changes neighbours in a column wherever fewer lines cross so; two nodes with a rank never change places. */
function transposed(ordering: OrderingGraph): void {
  const above = new Uint32Array(ordering.up.ends.length);
  const below = new Uint32Array(ordering.down.ends.length);
  for (let column = 0; column + 1 < ordering.starts.length; column++) {
    positionsOf(ordering, column, ordering.up, above);
    positionsOf(ordering, column, ordering.down, below);
    for (let round = 0; round < maxRounds; round++) {
      if (!transposeColumn(ordering, column, above, below)) break;
    }
  }
}

/** The places of the neighbours of each node of a column, sorted. */
function positionsOf(
  { starts, sequence, positions }: OrderingGraph,
  column: number,
  { offsets, ends }: Adjacency,
  indexes: Uint32Array,
): void {
  for (let at = starts[column]!; at < starts[column + 1]!; at++) {
    const [first, last] = [offsets[sequence[at]!]!, offsets[sequence[at]! + 1]!];
    for (let i = first; i < last; i++) {
      const place = positions[ends[i]!]!;
      let to = i;
      if (last - first <= 16) {
        for (; to > first && indexes[to - 1]! > place; to--) indexes[to] = indexes[to - 1]!;
      }
      indexes[to] = place;
    }
    if (last - first > 16) indexes.subarray(first, last).sort();
  }
}

function transposeColumn(
  { starts, sequence, positions, up, down, ranks }: OrderingGraph,
  column: number,
  above: Uint32Array,
  below: Uint32Array,
): boolean {
  const start = starts[column]!;
  let changed = false;
  for (let at = start; at + 1 < starts[column + 1]!; at++) {
    const [upper, lower] = [sequence[at]!, sequence[at + 1]!];
    if (!Number.isNaN(ranks[upper]!) && !Number.isNaN(ranks[lower]!)) continue;
    const gain = balance(up.offsets, above, upper, lower) +
      balance(down.offsets, below, upper, lower);
    if (gain <= 0) continue;
    sequence[at] = lower;
    sequence[at + 1] = upper;
    positions[lower] = at - start;
    positions[upper] = at + 1 - start;
    changed = true;
  }
  return changed;
}

/** Crossings of the lines of two nodes, `upper` above `lower`, less those the other way round. */
function balance(offsets: Uint32Array, indexes: Uint32Array, upper: number, lower: number): number {
  const [upperEnd, lowerEnd] = [offsets[upper + 1]!, offsets[lower + 1]!];
  let below = offsets[lower]!;
  let equalFrom = below;
  let sum = 0;
  for (let i = offsets[upper]!; i < upperEnd; i++) {
    const place = indexes[i]!;
    while (below < lowerEnd && indexes[below]! < place) below++;
    equalFrom = Math.max(equalFrom, below);
    while (equalFrom < lowerEnd && indexes[equalFrom]! === place) equalFrom++;
    // Those before cross now; those after would cross.
    sum += (below - offsets[lower]!) - (lowerEnd - equalFrom);
  }
  return sum;
}
