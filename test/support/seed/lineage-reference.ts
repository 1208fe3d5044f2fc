import type { EdgePair, WalkRequest } from "#graph/port.ts";

/**
 * The answer to a walk, worked out the slow and plain way: level by level over a list of distinct
 * edges, ended by the node budget alone.
 */
export function referenceWalk(edges: EdgePair[], request: Omit<WalkRequest, "timeoutMs">) {
  const downstream = request.direction === "downstream";
  const ends = ([parent, child]: EdgePair) => downstream ? [parent, child] : [child, parent];
  const followed = (ids: Set<number>) => edges.filter((e) => ids.has(ends(e)[0]!));
  const reached = new Set(request.roots);
  const answer: EdgePair[] = [];
  let frontier = new Set(request.roots);
  for (let level = 0; level < request.depth && frontier.size > 0; level++) {
    const next = followed(frontier);
    const found = next.map((e) => ends(e)[1]!).filter((id) => !reached.has(id));
    if (reached.size + new Set(found).size > request.maxNodes) {
      const capacity = request.maxNodes - reached.size;
      if (level === 0 && capacity > 0) return firstLevel(edges, request, capacity);
      const at = [...frontier].filter((id) => edges.some((e) => ends(e)[0] === id));
      return { edges: answer, at: at.map((id) => ({ id, remainingDepth: request.depth - level })) };
    }
    answer.push(...next);
    frontier = new Set(found);
    for (const id of found) reached.add(id);
  }
  return { edges: answer, at: [] };
}

/** As many neighbours of the roots as there is room for, by id. */
function firstLevel(edges: EdgePair[], request: Omit<WalkRequest, "timeoutMs">, capacity: number) {
  const ends = ([parent, child]: EdgePair) =>
    request.direction === "downstream" ? [parent, child] as const : [child, parent] as const;
  const roots = new Set(request.roots);
  const fromRoots = edges.filter((e) => roots.has(ends(e)[0]));
  const far = new Set(fromRoots.map((e) => ends(e)[1]).filter((id) => !roots.has(id)));
  const taken = new Set([...far].sort((a, b) => a - b).slice(0, capacity));
  const drawn = fromRoots.filter((e) => roots.has(ends(e)[1]) || taken.has(ends(e)[1]));
  const left = new Set(fromRoots.filter((e) => !drawn.includes(e)).map((e) => ends(e)[0]));
  const more = request.depth === 1
    ? []
    : [...taken].filter((id) => edges.some((e) => ends(e)[0] === id));
  const at = [
    ...[...left].map((id) => ({ id, remainingDepth: request.depth })),
    ...more.map((id) => ({ id, remainingDepth: request.depth - 1 })),
  ];
  return { edges: drawn, at };
}

/** Distinct neighbours of `id`. */
export function referenceDegrees(edges: EdgePair[], id: number) {
  return {
    parents: edges.filter(([, child]) => child === id).length,
    children: edges.filter(([parent]) => parent === id).length,
  };
}
