import type { Degrees, EdgePair, Walk, WalkRequest } from "#graph/port.ts";

/** The neighbours of the roots with the smallest ids, without the roots, as an engine returned them. */
export interface FirstNeighbours {
  /** Every edge from a root to another root or to one of the neighbours. */
  edges: EdgePair[];
  degrees: Map<number, Degrees>;
}

/**
 * How many neighbours fit into the budget of a walk whose first level alone exceeds it; 0 for every other
 * walk.
 */
export function capacityForNeighbours(walk: Walk, { roots, maxNodes }: WalkRequest): number {
  if (walk.truncated?.reason !== "nodes" || walk.edges.length > 0) return 0;
  return Math.max(0, maxNodes - new Set(roots).size);
}

/** Adds as much of the first level as the budget allows, so that a hub does not give an empty answer. */
export function withFirstNeighbours(
  walk: Walk,
  { edges, degrees }: FirstNeighbours,
  { direction, depth }: WalkRequest,
): Walk {
  const downstream = direction === "downstream";
  const along = (of: Degrees | undefined) => (downstream ? of?.children : of?.parents) ?? 0;
  const followed = new Map<number, number>();
  for (const [parent, child] of edges) {
    const near = downstream ? parent : child;
    followed.set(near, (followed.get(near) ?? 0) + 1);
  }
  const roots = walk.truncated!.at.filter(({ id }) =>
    along(walk.degrees.get(id)) > (followed.get(id) ?? 0)
  );
  const neighbours = depth === 1 ? [] : [...degrees.keys()]
    .filter((id) => along(degrees.get(id)) > 0)
    .map((id) => ({ id, remainingDepth: depth - 1 }));
  return {
    position: walk.position,
    edges,
    degrees: new Map([...walk.degrees, ...degrees]),
    truncated: { reason: "nodes", at: [...roots, ...neighbours] },
  };
}
