import type { EdgePair } from "#graph/port.ts";

/** Direct live groups of every entity and group that matters here. */
export interface Membership {
  groupsOf(id: number): readonly number[];
  isGroup(id: number): boolean;
}

/** A lineage answer as it is drawn. */
export interface GroupedView {
  edges: EdgePair[];
  /** What the ends of the edges are drawn as. */
  nodes: Set<number>;
  /** Those of `nodes` that stand for a whole group. */
  collapsed: Set<number>;
}

/**
 * The view of groups over a finished answer. An entity is drawn as the outermost group of its home
 * chain that is not open, else as itself; an edge within one collapsed group is dropped.
 */
export function groupedView(
  edges: readonly EdgePair[],
  membership: Membership,
  open: ReadonlySet<number>,
): GroupedView {
  const home = homeParents(membership);
  const drawn = new Map<number, number>();
  const closed = new Set<number>();
  const drawnAs = (id: number): number => {
    let as = drawn.get(id);
    if (as !== undefined) return as;
    drawn.set(id, as = outermostClosed(id, membership, home, open) ?? id);
    if (isCollapsed(as, membership, open)) closed.add(as);
    return as;
  };
  const view: GroupedView = { edges: [], nodes: new Set(), collapsed: new Set() };
  const seen = new Map<number, Set<number>>();
  for (const edge of edges) {
    const [from, to] = [drawnAs(edge[0]), drawnAs(edge[1])];
    const touchesGroup = closed.has(from) || closed.has(to);
    // Only groups stand for several entities, so only their edges can come twice.
    if (touchesGroup && (from === to || !addPair(seen, from, to))) continue;
    view.edges.push(touchesGroup ? [from, to] : edge);
    view.nodes.add(from).add(to);
  }
  for (const id of closed) if (view.nodes.has(id)) view.collapsed.add(id);
  return view;
}

/** False when the pair was there. */
function addPair(pairs: Map<number, Set<number>>, from: number, to: number): boolean {
  const tos = pairs.get(from);
  if (tos?.has(to)) return false;
  if (tos) tos.add(to);
  else pairs.set(from, new Set([to]));
  return true;
}

function isCollapsed(id: number, membership: Membership, open: ReadonlySet<number>): boolean {
  return membership.isGroup(id) && !open.has(id);
}

function outermostClosed(
  id: number,
  membership: Membership,
  home: (id: number) => number | undefined,
  open: ReadonlySet<number>,
): number | undefined {
  let outermost = isCollapsed(id, membership, open) ? id : undefined;
  for (let at = home(id); at !== undefined; at = home(at)) {
    if (!open.has(at)) outermost = at;
  }
  return outermost;
}

/**
 * The next group of a home chain: the direct group with the smallest id. Where that runs in a loop,
 * the smallest group of the loop has none, so that every chain ends.
 */
function homeParents(membership: Membership): (id: number) => number | undefined {
  const parents = new Map<number, number | undefined>();
  const smallest = (id: number): number | undefined => {
    const groups = membership.groupsOf(id);
    return groups.length === 0 ? undefined : least(groups);
  };
  return (start) => {
    if (membership.groupsOf(start).length === 0) return undefined;
    const path: number[] = [];
    let at: number | undefined = start;
    while (at !== undefined && !parents.has(at) && !path.includes(at)) {
      path.push(at);
      at = smallest(at);
    }
    for (const id of path) parents.set(id, smallest(id));
    const loop = at === undefined ? -1 : path.indexOf(at);
    if (loop >= 0) parents.set(least(path.slice(loop)), undefined);
    return parents.get(start);
  };
}

/** The smallest; no arguments of a function, of which there may be too many. */
function least(ids: readonly number[]): number {
  return ids.reduce((least, id) => Math.min(least, id));
}

/** `ids` and every direct and indirect group of them. */
export function withGroupsAbove(ids: Iterable<number>, membership: Membership): Set<number> {
  const above = new Set(ids);
  for (const id of above) for (const group of membership.groupsOf(id)) above.add(group);
  return above;
}
