import type { FirstNeighbours } from "#graph/first-level.ts";
import type { Degrees, Direction, EdgePair, Walk } from "#graph/port.ts";

/** What a walk met, nearest first; the lists belong together by index. */
export interface Reached {
  ids: number[];
  /** Levels from the nearest root. */
  distances: number[];
  /** Distinct neighbours in the whole graph. */
  parents: number[];
  children: number[];
  /** Neighbours in the direction of the walk; filled where they were followed. */
  far: number[][];
}

export interface Extent {
  position: number;
  /** Last level of which everything was met. */
  whole: number;
  /** The budget that ended the walk, if one did. */
  reason?: "nodes" | "time";
}

/** How far a walk of one query got, that asked for one entity more than its budget. */
export function extentOf(
  reached: Reached,
  depth: number,
  maxNodes: number,
): Omit<Extent, "position"> {
  const first = reached.distances[maxNodes];
  if (first === undefined || first > depth) return { whole: depth };
  return { whole: first - 1, reason: "nodes" };
}

/** The port's answer: every edge up to the last whole level. */
export function toWalk(
  reached: Reached,
  extent: Extent,
  asked: { direction: Direction; depth: number },
): Walk {
  const edges: EdgePair[] = [];
  const degrees = new Map<number, Degrees>();
  const at: { id: number; remainingDepth: number }[] = [];
  const downstream = asked.direction === "downstream";
  for (let i = 0; i < reached.ids.length && reached.distances[i]! <= extent.whole; i++) {
    const id = reached.ids[i]!;
    const degree = { parents: reached.parents[i]!, children: reached.children[i]! };
    degrees.set(id, degree);
    if (reached.distances[i]! < extent.whole) {
      for (const far of reached.far[i]!) edges.push(downstream ? [id, far] : [far, id]);
    } else if ((downstream ? degree.children : degree.parents) > 0) {
      at.push({ id, remainingDepth: asked.depth - extent.whole });
    }
  }
  const answer: Walk = { position: extent.position, edges, degrees };
  if (!extent.reason || at.length === 0) return answer;
  return { ...answer, truncated: { reason: extent.reason, at } };
}

/** Neighbours of roots with their degrees, and the ends of the edges from the roots to them. */
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
 * The bound to splice into a walk of `depth` levels: the depth itself up to 20, which people ask for,
 * beyond it the next power of two. So the plan cache holds at most 31 texts a direction; what lies
 * farther than the depth is cut off by its distance.
 */
export function boundFor(depth: number): number {
  if (depth <= 20) return depth;
  return Math.min(2 ** Math.ceil(Math.log2(depth)), 2 ** 31 - 1);
}
