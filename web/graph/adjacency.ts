import type { Model } from "#web/graph/model.ts";

/** The edges of a graph by one of their ends; nodes and edges are indices. */
export interface Adjacency {
  /** Node n has the entries `offsets[n]` to `offsets[n + 1]`. */
  offsets: Uint32Array;
  /** The other end of each entry. */
  ends: Uint32Array;
  /** The edge of each entry. */
  edges: Uint32Array;
}

/** Edges as pairs (from, to, from, to …), by their first end, or by their second one. */
export function adjacencyOf(nodes: number, pairs: Uint32Array, by: "from" | "to"): Adjacency {
  const near = by === "from" ? 0 : 1;
  const count = pairs.length >> 1;
  const offsets = new Uint32Array(nodes + 1);
  for (let e = 0; e < count; e++) offsets[pairs[2 * e + near]! + 1]!++;
  for (let n = 0; n < nodes; n++) offsets[n + 1]! += offsets[n]!;
  const next = offsets.slice(0, nodes);
  const ends = new Uint32Array(count);
  const edges = new Uint32Array(count);
  for (let e = 0; e < count; e++) {
    const at = next[pairs[2 * e + near]!]!++;
    ends[at] = pairs[2 * e + 1 - near]!;
    edges[at] = e;
  }
  return { offsets, ends, edges };
}

/** The other ends of the edges of a node. */
export function endsOf({ ends, offsets }: Adjacency, node: number): Uint32Array {
  return ends.subarray(offsets[node], offsets[node + 1]);
}

export function degree(adjacency: Adjacency, node: number): number {
  return adjacency.offsets[node + 1]! - adjacency.offsets[node]!;
}

/** A model as numbers, made once for many walks over it. */
export interface Walkable {
  /** Id of each index. */
  ids: number[];
  index: Map<number, number>;
  up: Adjacency;
  down: Adjacency;
}

/** Nodes by their place in the order of the model, and edges by theirs. */
export function walkable({ nodes, edges }: Pick<Model, "nodes" | "edges">): Walkable {
  const ids = [...nodes.keys()];
  const index = new Map(ids.map((id, at) => [id, at]));
  const pairs = new Uint32Array(2 * edges.length);
  for (const [at, { source, target }] of edges.entries()) {
    pairs[2 * at] = index.get(source)!;
    pairs[2 * at + 1] = index.get(target)!;
  }
  const up = adjacencyOf(ids.length, pairs, "to");
  return { ids, index, up, down: adjacencyOf(ids.length, pairs, "from") };
}
