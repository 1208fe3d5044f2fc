import type { EdgePair } from "#graph/port.ts";

/** The direct live groups of every relevant entity and group. */
export interface Membership {
  groupsOf(id: number): readonly number[];
  isGroup(id: number): boolean;
}

/** A lineage answer with groups collapsed, as it is displayed. */
export interface GroupedView {
  edges: EdgePair[];
  /** The entities and groups that the ends of the edges are displayed as. */
  nodes: Set<number>;
  /** The ids in `nodes` that represent a whole group. */
  collapsed: Set<number>;
}

/**
 * Collapses groups in a finished answer. An entity is displayed as the outermost collapsed group in
 * its chain of home groups, else as itself. Edges within one collapsed group are dropped.
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
    // Only groups represent several entities, so only their edges can be duplicates.
    if (touchesGroup && (from === to || !addPair(seen, from, to))) continue;
    view.edges.push(touchesGroup ? [from, to] : edge);
    view.nodes.add(from).add(to);
  }
  for (const id of closed) if (view.nodes.has(id)) view.collapsed.add(id);
  return view;
}

/** False when the pair was there already. */
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
 * The next group in the chain of home groups: the direct group with the smallest id. In a membership
 * cycle the smallest group gets no parent, so that every chain ends.
 */
function homeParents(membership: Membership): (id: number) => number | undefined {
  const parents = new Map<number, number | undefined>();
  const smallest = (id: number): number | undefined => {
    const groups = membership.groupsOf(id);
    return groups.length === 0 ? undefined : min(groups);
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
    if (loop >= 0) parents.set(min(path.slice(loop)), undefined);
    return parents.get(start);
  };
}

/** The smallest id. Avoids `Math.min(...ids)`, which fails for too many arguments. */
function min(ids: readonly number[]): number {
  return ids.reduce((minimum, id) => Math.min(minimum, id));
}

/** `ids` and all their direct and indirect groups. */
export function withGroupsAbove(ids: Iterable<number>, membership: Membership): Set<number> {
  const above = new Set(ids);
  for (const id of above) for (const group of membership.groupsOf(id)) above.add(group);
  return above;
}
