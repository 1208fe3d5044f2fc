import { type Adjacency, adjacencyOf, degree } from "#web/graph/adjacency.ts";

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
  const layers = new Uint32Array(nodes);
  for (const node of sorted) layers[node] = min(up, layers, node);
  for (let round = 0; round < tighteningRounds; round++) {
    const moved = round % 2 === 0
      ? tightenRight(sorted, up, down, layers)
      : tightenLeft(sorted, up, down, layers);
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
    const node = sorted[at]!;
    for (let i = down.offsets[node]!; i < down.offsets[node + 1]!; i++) {
      const child = down.ends[i]!;
      if (--waits[child]! === 0) sorted[filled++] = child;
    }
  }
  return sorted;
}

/** The first column right of all parents. */
function min(up: Adjacency, layers: Uint32Array, node: number): number {
  let layer = 0;
  for (let i = up.offsets[node]!; i < up.offsets[node + 1]!; i++) {
    layer = Math.max(layer, layers[up.ends[i]!]! + 1);
  }
  return layer;
}

/** The last column left of all children. */
function max(down: Adjacency, layers: Uint32Array, node: number): number {
  let layer = Infinity;
  for (let i = down.offsets[node]!; i < down.offsets[node + 1]!; i++) {
    layer = Math.min(layer, layers[down.ends[i]!]! - 1);
  }
  return layer;
}

/** Moves what has more children than parents to its children; backwards, so that chains move as one. */
function tightenRight(sorted: Uint32Array, up: Adjacency, down: Adjacency, layers: Uint32Array) {
  let moved = false;
  for (let at = sorted.length - 1; at >= 0; at--) {
    const node = sorted[at]!;
    if (degree(down, node) <= degree(up, node)) continue;
    const layer = max(down, layers, node);
    moved ||= layer !== layers[node]!;
    layers[node] = layer;
  }
  return moved;
}

/** Moves what has more parents than children to its parents. */
function tightenLeft(sorted: Uint32Array, up: Adjacency, down: Adjacency, layers: Uint32Array) {
  let moved = false;
  for (const node of sorted) {
    if (degree(up, node) <= degree(down, node)) continue;
    const layer = min(up, layers, node);
    moved ||= layer !== layers[node]!;
    layers[node] = layer;
  }
  return moved;
}
