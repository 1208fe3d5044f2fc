import type { LayoutInput } from "#web/graph/model.ts";
import { random } from "../lineage/graphs.ts";

/**
 * A lineage as catalogues have them: columns of tables, each with one to three parents, most in the column before and some
 * further left, a few of them popular; 1.9 edges a node.
 */
export function lineageGraph(nodes: number): LayoutInput {
  const next = random(nodes);
  const columns = Math.max(4, Math.round(Math.sqrt(nodes) / 2));
  const width = Math.ceil(nodes / columns);
  const edges: number[] = [];
  for (let id = width; id < nodes; id++) {
    const parents = new Set<number>();
    const wanted = 1 + Math.floor(next() * 3);
    for (let tries = 0; parents.size < wanted && tries < 10; tries++) {
      const back = next() < 0.85 ? 1 : 1 + Math.floor(next() * 4);
      const column = Math.max(0, Math.floor(id / width) - back);
      // Neighbours in the drawing's sense: near the same height, or one of the popular few at the top.
      const near = next() < 0.8
        ? (id % width) + Math.round((next() - 0.5) * 0.4 * width)
        : Math.floor(width * next() ** 3);
      parents.add(column * width + Math.max(0, Math.min(width - 1, near)));
    }
    for (const parent of parents) edges.push(parent, id);
  }
  return {
    widths: new Float32Array(nodes).fill(180),
    heights: new Float32Array(nodes).fill(48),
    edges: Uint32Array.from(edges),
  };
}
