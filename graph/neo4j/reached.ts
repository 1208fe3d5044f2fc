import type { FirstNeighbours } from "#graph/first-level.ts";
import type { Degrees, Direction, EdgePair, Walk } from "#graph/port.ts";

/** The entities that a walk reached, nearest first; the lists are parallel. */
export interface WalkResult {
  ids: number[];
  /** Levels from the nearest root. */
  distances: number[];
  /** Number of distinct neighbours in the whole graph. */
  parents: number[];
  children: number[];
  /** Neighbours in the direction of the walk; filled for entities whose neighbours the walk followed. */
  far: number[][];
}

export interface Extent {
  position: number;
  /** Last level that was reached completely. */
  whole: number;
  /** The budget that ended the walk, if any. */
  reason?: "nodes" | "time";
}

/** How far a single-query walk got; the query asked for one entity more than the budget. */
export function extentOf(
  reached: WalkResult,
  depth: number,
  maxNodes: number,
): Omit<Extent, "position"> {
  const first = reached.distances[maxNodes];
  if (first === undefined || first > depth) return { whole: depth };
  return { whole: first - 1, reason: "nodes" };
}

/** The result as the port defines it: every edge up to the last complete level. */
export function toWalk(
  reached: WalkResult,
  extent: Extent,
  request: { direction: Direction; depth: number },
): Walk {
  const edges: EdgePair[] = [];
  const degrees = new Map<number, Degrees>();
  const at: { id: number; remainingDepth: number }[] = [];
  const downstream = request.direction === "downstream";
  for (let i = 0; i < reached.ids.length && reached.distances[i]! <= extent.whole; i++) {
    const id = reached.ids[i]!;
    const degree = { parents: reached.parents[i]!, children: reached.children[i]! };
    degrees.set(id, degree);
    if (reached.distances[i]! < extent.whole) {
      for (const far of reached.far[i]!) edges.push(downstream ? [id, far] : [far, id]);
    } else if ((downstream ? degree.children : degree.parents) > 0) {
      at.push({ id, remainingDepth: request.depth - extent.whole });
    }
  }
  const answer: Walk = { position: extent.position, edges, degrees };
  if (!extent.reason || at.length === 0) return answer;
  return { ...answer, truncated: { reason: extent.reason, at } };
}

/** Neighbours of roots with their degrees, and the ends of the edges between roots and neighbours. */
export interface FirstLevel {
  ids: number[];
  parents: number[];
  children: number[];
  near: number[];
  far: number[];
}

export function toFirstNeighbours(row: FirstLevel, direction: Direction): FirstNeighbours {
  const downstream = direction === "downstream";
  return {
    edges: row.near.map((near, i) => downstream ? [near, row.far[i]!] : [row.far[i]!, near]),
    degrees: new Map(
      row.ids.map((id, i) => [id, { parents: row.parents[i]!, children: row.children[i]! }]),
    ),
  };
}

/**
 * The bound in the query text for a walk of `depth` levels: the depth itself up to 20, the usual range, and
 * beyond it the next power of two. So the plan cache holds at most 31 queries per direction; entities farther
 * than the depth are removed by their distance.
 */
export function boundFor(depth: number): number {
  if (depth <= 20) return depth;
  return Math.min(2 ** Math.ceil(Math.log2(depth)), 2 ** 31 - 1);
}
