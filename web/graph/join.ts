import type { LineageFragment, LoadedNode } from "#web/graph/answer.ts";
import { type LineageEdge, type LineageNode, type Model, reach } from "#web/graph/model.ts";
import { PairSet } from "#web/graph/pairs.ts";

/** Nothing is loaded yet. */
export function emptyModel(): Model {
  return {
    roots: [],
    nodes: new Map(),
    edges: [],
    groups: new Map(),
    truncatedAt: new Set(),
    reached: new Map(),
  };
}

/**
 * The model with what was loaded added to it; the given one stays as it is. What is repeated changes nothing
 * but what the server tells differently now. Ends of edges that no answer describes are left out with their edges.
 */
export function merge(model: Model, loaded: LineageFragment): Model {
  const nodes = new Map(model.nodes);
  for (const node of loaded.nodes) nodes.set(node.id, latest(nodes.get(node.id), node));
  const groups = new Map(model.groups);
  for (const group of loaded.groups) groups.set(group.id, group);
  const roots = [...new Set([...model.roots, ...loaded.roots])].filter((id) => nodes.has(id));
  const reached = new Map(model.reached);
  for (const [id, bits] of loaded.reached) {
    if (nodes.has(id)) reached.set(id, settled((reached.get(id) ?? 0) | bits));
  }
  const edges = allEdges(model.edges, loaded.edges, nodes);
  const [known, added] = [model.changes, loaded.changes];
  const changes = known && added ? known.joined(added) : added ?? known;
  return {
    roots,
    nodes,
    edges,
    groups,
    reached,
    truncatedAt: cutAt(reached),
    ...(changes && { changes }),
  };
}

/** What the newer answer tells, and what only an older one knew. */
function latest(known: LineageNode | undefined, { brief, ...node }: LoadedNode): LineageNode {
  if (brief && known) return known;
  return {
    ...node,
    parents: node.parents ?? known?.parents ?? 0,
    children: node.children ?? known?.children ?? 0,
  };
}

/** A side that is whole is not cut any more. */
function settled(bits: number): number {
  if (bits & reach.allParents) bits &= ~reach.parentsCut;
  if (bits & reach.allChildren) bits &= ~reach.childrenCut;
  return bits;
}

function cutAt(reached: ReadonlyMap<number, number>): Set<number> {
  const cut = new Set<number>();
  for (const [id, bits] of reached) {
    if (bits & (reach.parentsCut | reach.childrenCut)) cut.add(id);
  }
  return cut;
}

function allEdges(
  old: readonly LineageEdge[],
  added: readonly LineageEdge[],
  nodes: ReadonlyMap<number, unknown>,
): LineageEdge[] {
  const seen = new PairSet();
  const edges: LineageEdge[] = [];
  for (const list of [old, added]) {
    for (const edge of list) {
      if (!nodes.has(edge.source) || !nodes.has(edge.target)) continue;
      if (seen.add(edge.source, edge.target)) edges.push(edge);
    }
  }
  return edges;
}

/**
 * The model without `ids`, and without what no line connects to a root or to one of `keep` any more; roots stay.
 * With neither roots nor `keep`, only `ids` go. Loading the same again brings all of it back.
 */
export function forget(model: Model, ids: Iterable<number>, keep: Iterable<number> = []): Model {
  const anchors = new Set([...model.roots, ...keep].filter((id) => model.nodes.has(id)));
  const gone = new Set<number>();
  for (const id of ids) if (!anchors.has(id)) gone.add(id);
  if (anchors.size > 0) {
    const reachable = connected(
      model,
      anchors,
      ({ source, target }) => !gone.has(source) && !gone.has(target),
    );
    for (const id of model.nodes.keys()) if (!reachable.has(id)) gone.add(id);
  }
  return without(model, gone);
}

/** What `forget` takes away to close one side of a node: all that only its lines on that side connect to a root. */
export function beyond(model: Model, id: number, side: "upstream" | "downstream"): number[] {
  const anchors = new Set([id, ...model.roots]);
  const reachable = connected(
    model,
    anchors,
    ({ source, target }) => (side === "upstream" ? target : source) !== id,
  );
  return [...model.nodes.keys()].filter((node) => !reachable.has(node));
}

/** All nodes that the lines which `may` allows connect to `anchors`, whichever way the data flows. */
function connected(
  model: Model,
  anchors: Iterable<number>,
  may: (edge: LineageEdge) => boolean,
): Set<number> {
  const near = new Map<number, number[]>();
  const link = (from: number, to: number) => {
    const list = near.get(from);
    if (list) list.push(to);
    else near.set(from, [to]);
  };
  for (const edge of model.edges) {
    if (!may(edge)) continue;
    link(edge.source, edge.target);
    link(edge.target, edge.source);
  }
  const found = new Set(anchors);
  for (const id of found) for (const next of near.get(id) ?? []) found.add(next);
  return found;
}

/** A side of a node that lost a neighbour is no longer whole. */
function without(model: Model, gone: ReadonlySet<number>): Model {
  if (gone.size === 0) return model;
  const nodes = new Map(model.nodes);
  const reached = new Map(model.reached);
  for (const id of gone) {
    nodes.delete(id);
    reached.delete(id);
  }
  const edges: LineageEdge[] = [];
  const unmark = (id: number, bit: number) => {
    const bits = reached.get(id);
    if (bits !== undefined) reached.set(id, bits & ~bit);
  };
  for (const edge of model.edges) {
    const [sourceGone, targetGone] = [gone.has(edge.source), gone.has(edge.target)];
    if (!sourceGone && !targetGone) edges.push(edge);
    else if (!sourceGone) unmark(edge.source, reach.allChildren);
    else if (!targetGone) unmark(edge.target, reach.allParents);
  }
  return { ...model, nodes, edges, reached, truncatedAt: cutAt(reached) };
}
