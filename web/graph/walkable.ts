import { type Adjacency, adjacencyOf } from "#web/graph/adjacency.ts";
import type { Model } from "#web/graph/model.ts";

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
