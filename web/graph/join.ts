import type { LineageFragment, LoadedNode } from "#web/graph/answer.ts";
import { type LineageEdge, type LineageNode, type Model, reach } from "#web/graph/model.ts";

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

export function cutAt(reached: ReadonlyMap<number, number>): Set<number> {
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

/** A set of pairs of ids, which are too large to be one number together. */
class PairSet {
  readonly #pairs = new Map<number, Set<number>>();

  has(from: number, to: number): boolean {
    return this.#pairs.get(from)?.has(to) ?? false;
  }

  /** False when the pair was there already. */
  add(from: number, to: number): boolean {
    const ends = this.#pairs.get(from);
    if (!ends) this.#pairs.set(from, new Set([to]));
    else if (ends.has(to)) return false;
    else ends.add(to);
    return true;
  }
}
