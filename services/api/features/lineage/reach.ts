import type { Direction, EdgePair } from "#graph/port.ts";

interface Reach {
  /** Both ends of all edges; there may be more. */
  ends: ReadonlySet<number>;
  roots: Iterable<number>;
  direction: Direction;
  /** The visible entities. */
  visible: ReadonlySetLike<number>;
}

/**
 * Drops edges that touch an invisible entity, then edges that the roots no longer reach; the same list when
 * none is dropped. Linear in the number of edges, and of ends while all of them are visible.
 */
export function stillReached(
  edges: EdgePair[],
  { ends, roots, direction, visible }: Reach,
): EdgePair[] {
  if (ends.isSubsetOf(visible)) return edges;
  const seen = edges.filter(([parent, child]) => visible.has(parent) && visible.has(child));
  if (seen.length === edges.length) return edges;
  const [near, far] = direction === "downstream" ? [0, 1] as const : [1, 0] as const;
  const onward = new Map<number, EdgePair[]>();
  for (const edge of seen) {
    const list = onward.get(edge[near]);
    if (list) list.push(edge);
    else onward.set(edge[near], [edge]);
  }
  const reached = new Set([...roots].filter((id) => visible.has(id)));
  const remaining: EdgePair[] = [];
  // Iterating a set includes elements added meanwhile, which makes this a breadth-first search.
  for (const id of reached) {
    for (const edge of onward.get(id) ?? []) {
      remaining.push(edge);
      reached.add(edge[far]);
    }
  }
  return remaining;
}

/** Edges from the nearest root to each entity that the roots reach in a direction. */
export function distancesFrom(
  edges: readonly EdgePair[],
  roots: Iterable<number>,
  direction: Direction,
): Map<number, number> {
  const [near, far] = direction === "downstream" ? [0, 1] as const : [1, 0] as const;
  const onward = Map.groupBy(edges, (edge) => edge[near]);
  const found = new Map<number, number>([...roots].map((id) => [id, 0]));
  // Iterating a map includes entries added meanwhile, which makes this a breadth-first search.
  for (const [id, distance] of found) {
    for (const edge of onward.get(id) ?? []) {
      if (!found.has(edge[far])) found.set(edge[far], distance + 1);
    }
  }
  return found;
}

/** The edges that lie on a walk of at most `depth` edges from the roots. */
export function withinDepth(
  edges: EdgePair[],
  roots: Iterable<number>,
  direction: Direction,
  depth: number,
): EdgePair[] {
  const [near, far] = direction === "downstream" ? [0, 1] as const : [1, 0] as const;
  const onward = Map.groupBy(edges, (edge) => edge[near]);
  const remaining: EdgePair[] = [];
  const reached = new Set(roots);
  let level = [...reached];
  for (let at = 0; at < depth && level.length > 0; at++) {
    const next: number[] = [];
    for (const edge of level.flatMap((id) => onward.get(id) ?? [])) {
      remaining.push(edge);
      if (reached.has(edge[far])) continue;
      reached.add(edge[far]);
      next.push(edge[far]);
    }
    level = next;
  }
  return remaining;
}

/** Both ends of all edges, without duplicates. */
export function endsOf(edges: readonly EdgePair[]): Set<number> {
  const ends = new Set<number>();
  for (const [parent, child] of edges) ends.add(parent).add(child);
  return ends;
}

/** The connected components of the members, ordered by their smallest id (union-find). */
export function connectedComponents(
  members: number[],
  edges: readonly EdgePair[],
): { members: number[]; edges: EdgePair[] }[] {
  const leader = new Map(members.map((id) => [id, id]));
  const find = (id: number): number => {
    let at = id;
    while (leader.get(at) !== at) {
      const next = leader.get(leader.get(at)!)!;
      leader.set(at, next);
      at = next;
    }
    return at;
  };
  for (const [a, b] of edges) {
    const [x, y] = [find(a), find(b)];
    if (x !== y) leader.set(Math.max(x, y), Math.min(x, y));
  }
  const components = new Map<number, { members: number[]; edges: EdgePair[] }>();
  for (const id of [...members].sort((a, b) => a - b)) {
    const root = find(id);
    if (!components.has(root)) components.set(root, { members: [], edges: [] });
    components.get(root)!.members.push(id);
  }
  for (const edge of edges) components.get(find(edge[0]))!.edges.push(edge);
  return [...components.values()];
}
