import type { EdgePair } from "#graph/port.ts";

/** Beginnings of paths that are looked at; with the distances to the end as a guide, few lead nowhere. */
const maxLooked = 20_000;

/**
 * At most `max` shortest paths without repeated entities along the edges, each as ids from its first to its last
 * entity; the shortest first, equal ones in order of ids.
 */
export function shortestPaths(
  edges: readonly EdgePair[],
  from: number,
  to: number,
  max: number,
): number[][] {
  const left = distancesTo(edges, to);
  const onward = Map.groupBy(edges, ([parent]) => parent);
  // Beginnings by the length of the shortest path that they may become.
  const byLength = new Map<number, number[][]>();
  const add = (path: number[]) => {
    const rest = left.get(path.at(-1)!);
    if (rest === undefined) return;
    const length = path.length - 1 + rest;
    const others = byLength.get(length);
    if (others) others.push(path);
    else byLength.set(length, [path]);
  };
  add([from]);
  const found: number[][] = [];
  let visited = 0;
  while (byLength.size > 0) {
    const length = Math.min(...byLength.keys());
    const path = byLength.get(length)!.pop()!;
    if (byLength.get(length)!.length === 0) byLength.delete(length);
    if (path.at(-1) === to) {
      found.push(path);
      if (found.length === max) break;
      continue;
    }
    if (++visited > maxLooked) break;
    const next = (onward.get(path.at(-1)!) ?? []).map(([, child]) => child)
      .filter((child) => !path.includes(child));
    for (const child of next.sort((a, b) => b - a)) add([...path, child]);
  }
  return found;
}

/** Edges from each entity to the last one, along the shortest path. */
function distancesTo(edges: readonly EdgePair[], to: number): Map<number, number> {
  const back = Map.groupBy(edges, ([, child]) => child);
  const found = new Map([[to, 0]]);
  for (const [id, distance] of found) {
    for (const [parent] of back.get(id) ?? []) {
      if (!found.has(parent)) found.set(parent, distance + 1);
    }
  }
  return found;
}
