import {
  type Changes,
  type LineageEdge,
  type LineageGroup,
  type LineageNode,
  type Model,
  reach,
} from "#web/graph/model.ts";
import { technologyOf } from "#web/kit/technology-of.ts";

/** `DataEntityLineageNode`, as far as it is drawn. */
export interface ApiNode {
  id: number;
  catrn: string;
  external_name?: string | null;
  internal_name?: string | null;
  entity_classes?: { name: string }[] | null;
  type?: { name: string } | null;
  has_alerts: boolean;
  data_source?: { id: number; name: string } | null;
  group_id_list?: number[] | null;
  parents_count?: number | null;
  children_count?: number | null;
  status: { status: string };
  is_stale: boolean;
}

/** `DataEntityLineageStream`. */
export interface ApiStream {
  nodes: ApiNode[];
  edges: { source_id: number; target_id: number }[];
  groups: ApiNode[];
  truncated_at?: { id: number }[];
}

/** `DataEntityLineage`; the side that was not asked for is an empty stream. */
export interface ApiLineage {
  root: ApiNode;
  upstream?: ApiStream | null;
  downstream?: ApiStream | null;
}

/** `DataEntityRef`, as pages of neighbours list it, with what only a node has. */
export type ApiRef =
  & Pick<ApiNode, "id" | "status" | "is_stale">
  & { [Name in keyof ApiNode]?: ApiNode[Name] | null };

/** A node as one answer tells it: null counts are not known to that answer. */
interface LoadedNode extends Omit<LineageNode, "parents" | "children"> {
  parents: number | null;
  children: number | null;
  /** Only name, class and status are known: it never replaces what another answer told. */
  brief: boolean;
}

export type Side = "upstream" | "downstream";

/** What one answer, or several that belong together, add to a model. */
export interface LineageFragment {
  roots: number[];
  nodes: LoadedNode[];
  edges: LineageEdge[];
  groups: LineageGroup[];
  /** Bits of `reach` by node. */
  reached: Map<number, number>;
  changes?: Changes;
}

/** Answers about the same root, one side each or both. */
export function fromLineage(...answers: ApiLineage[]): LineageFragment {
  const loaded = emptyFragment();
  for (const { root, upstream, downstream } of answers) {
    if (!loaded.roots.includes(root.id)) loaded.roots.push(root.id);
    loaded.nodes.push(nodeOf(root));
    if (upstream) addStream(loaded, upstream, "upstream");
    if (downstream) addStream(loaded, downstream, "downstream");
  }
  return loaded;
}

export function emptyFragment(): LineageFragment {
  return { roots: [], nodes: [], edges: [], groups: [], reached: new Map() };
}

/**
 * A walk brings every edge of a node that it leaves, or names the node in `truncated_at`; so each start of an
 * edge (in the direction of the walk) has all its neighbours of that side.
 */
export function addStream(loaded: LineageFragment, stream: ApiStream, side: Side | null): void {
  for (const node of stream.nodes) loaded.nodes.push(nodeOf(node));
  for (const group of stream.groups) loaded.groups.push(groupOf(group));
  const mark = (id: number, bit: number) =>
    loaded.reached.set(id, (loaded.reached.get(id) ?? 0) | bit);
  const cut = new Set(stream.truncated_at?.map(({ id }) => id));
  for (const { source_id: source, target_id: target } of stream.edges) {
    loaded.edges.push({ source, target });
    if (side === "downstream" && !cut.has(source)) mark(source, reach.allChildren);
    if (side === "upstream" && !cut.has(target)) mark(target, reach.allParents);
  }
  for (const id of cut) {
    if (side !== "upstream") mark(id, reach.childrenCut);
    if (side !== "downstream") mark(id, reach.parentsCut);
  }
}

export function nodeOf(node: ApiRef): LoadedNode {
  const classes = node.entity_classes?.map(({ name }) => name) ?? [];
  const source = node.data_source;
  return {
    id: node.id,
    name: node.internal_name || node.external_name || node.catrn || String(node.id),
    classes,
    type: node.type?.name ?? null,
    status: node.status.status,
    hasAlerts: node.has_alerts ?? false,
    hollow: isHollow(node),
    stale: node.is_stale,
    source: source ? { id: source.id, name: source.name } : null,
    technology: technologyOf(node.catrn),
    groups: node.group_id_list ?? [],
    parents: node.parents_count ?? null,
    children: node.children_count ?? null,
    brief: false,
  };
}

/** What others name has neither a name of its source nor a class until it is ingested. */
function isHollow(node: ApiRef): boolean {
  return !node.external_name && !node.type && !node.entity_classes?.length;
}

function groupOf(group: ApiNode): LineageGroup {
  const { id, name, groups, hollow } = nodeOf(group);
  return { id, name, groups, ...(hollow && !group.internal_name ? { hollow } : {}) };
}

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
  return { roots, nodes, edges, groups, reached, truncatedAt: cutAt(reached), changes };
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

/** Nodes at which a walk was ended by a budget. */
export function cutAt(reached: ReadonlyMap<number, number>): Set<number> {
  const cut = reach.parentsCut | reach.childrenCut;
  return new Set([...reached].flatMap(([id, bits]) => (bits & cut ? [id] : [])));
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

  /** False when the pair was there already. */
  add(from: number, to: number): boolean {
    const ends = this.#pairs.get(from);
    if (!ends) this.#pairs.set(from, new Set([to]));
    else if (ends.has(to)) return false;
    else ends.add(to);
    return true;
  }
}
