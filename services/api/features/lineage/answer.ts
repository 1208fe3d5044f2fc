import type { Degrees, Direction, EdgePair, Walk } from "#graph/port.ts";
import { endsOf, stillReached } from "#services/api/features/lineage/reach.ts";

/** A row of the nodes query; `json` lacks the counts and the closing brace. */
export interface NodeRow {
  id: number;
  is_group: boolean;
  /** The entity is known only by its CATRN, without a payload. */
  hollow: boolean;
  groups: number[] | null;
  json: string;
}

/** The direct live groups of every relevant entity and group. */
export interface Membership {
  groupsOf(id: number): readonly number[];
  isGroup(id: number): boolean;
}

/** The visible entities of an answer, and the groups above them. */
export class Nodes implements Membership {
  readonly #rows = new Map<number, NodeRow>();
  /** Whether one of them is a group, or in one. */
  readonly hasGroups: boolean;

  constructor(rows: NodeRow[]) {
    for (const row of rows) this.#rows.set(row.id, row);
    this.hasGroups = rows.some((row) => row.is_group || row.groups !== null);
  }

  /** Their ids. */
  get ids(): ReadonlySetLike<number> {
    return this.#rows;
  }

  visible = (id: number): boolean => this.#rows.has(id);
  isGroup = (id: number): boolean => this.#rows.get(id)?.is_group ?? false;
  /** Groups known only by their CATRN: without a name they are not drawn in place of their members. */
  hollowGroups = (): number[] =>
    [...this.#rows.values()].filter((row) => row.is_group && row.hollow).map((row) => row.id);
  groupsOf = (id: number): readonly number[] => this.#rows.get(id)?.groups ?? [];

  /** DataEntityLineageNode as JSON text; without `degrees` the counts are null. */
  text(id: number, degrees?: Degrees): string {
    const row = this.#rows.get(id);
    if (!row) throw new Error(`lineage node ${id} was not read`);
    const { parents, children } = degrees ?? { parents: "null", children: "null" };
    return `${row.json},"parents_count":${parents},"children_count":${children}}`;
  }

  /** DataEntityLineageNode as JSON text of all groups among these entities and above them. */
  groupTexts(ids: Iterable<number>): string[] {
    if (!this.hasGroups) return [];
    return [...withGroupsAbove(ids, this)].filter(this.isGroup).map((id) => this.text(id));
  }
}

export interface LineageQuestion {
  id: number;
  direction: Direction;
  depth: number;
  /** Groups to show expanded; ids that are not groups are ignored. */
  expanded: number[] | "all";
  /** The point in time; now when it is absent. ISO 8601, UTC, milliseconds. */
  asOf?: string;
}

/** A finished answer: JSON text, and headers that state how current and how complete it is. */
export interface LineageAnswer {
  json: string;
  headers: Record<string, string>;
}

/** Headers of a lineage answer; see `lineageHeaders`. */
export function headersOf(position: number, truncated?: "nodes" | "time"): Record<string, string> {
  return {
    "X-Lineage-Position": String(position),
    ...(truncated ? { "X-Lineage-Truncated": truncated } : {}),
  };
}

/** A walk, the entities that it began at, and those of it that are shown. */
interface WalkedSide {
  walk: Walk;
  roots: number[];
  nodes: Nodes;
  /** Both ends of all edges of the walk. */
  walked: Set<number>;
}

/** DataEntityLineage of one side as JSON text without its opening brace, with groups collapsed. */
export function sideText(
  question: LineageQuestion,
  { walk, roots, nodes, walked }: WalkedSide,
): string {
  const { direction } = question;
  const reach = { ends: walked, roots, direction, visible: nodes.ids };
  const edges = stillReached(walk.edges, reach);
  const reached = edges === walk.edges ? walked : endsOf(edges);
  const view = viewOf(question, { edges, reached }, nodes);
  const from = new Set(roots);
  const at = walk.truncated?.at.filter((t) => reached.has(t.id) || from.has(t.id));
  const stream = streamText({
    nodes: [...view.nodes].map((id) =>
      nodes.text(id, view.collapsed.has(id) ? undefined : walk.degrees.get(id))
    ),
    edges: view.edges,
    groups: nodes.groupTexts(reached),
    truncatedAt: at,
  });
  const [upstream, downstream] = direction === "upstream"
    ? [stream, emptyStream]
    : [emptyStream, stream];
  const root = nodes.text(question.id);
  return `"root":${root},"upstream":${upstream},"downstream":${downstream}}`;
}

/**
 * The edges with all groups collapsed that are not open: the root's own, requested ones, and those without a name.
 * `reached` are both ends of all edges.
 */
function viewOf(
  { id, expanded }: LineageQuestion,
  { edges, reached }: { edges: EdgePair[]; reached: Set<number> },
  nodes: Nodes,
): GroupedView {
  if (expanded === "all" || !nodes.hasGroups) {
    return { edges, nodes: reached, collapsed: new Set() };
  }
  const open = withGroupsAbove([id], nodes);
  for (const group of [...expanded, ...nodes.hollowGroups()]) open.add(group);
  return groupedView(edges, nodes, open);
}

interface StreamContent {
  nodes: string[];
  edges: readonly EdgePair[];
  groups: string[];
  truncatedAt?: { id: number; remainingDepth: number }[];
}

/** DataEntityLineageStream as JSON text. */
export function streamText({ nodes, edges, groups, truncatedAt }: StreamContent): string {
  const cut = truncatedAt?.map((t) => `{"id":${t.id},"remaining_depth":${t.remainingDepth}}`);
  return `{"nodes":[${nodes.join(",")}],"edges":[${edgesText(edges)}],"groups":[${
    groups.join(",")
  }]${cut ? `,"truncated_at":[${cut.join(",")}]` : ""}}`;
}

/** Elements of a list of edges. Appending costs half of joining pieces, or of a text for each edge. */
function edgesText(edges: readonly EdgePair[]): string {
  let text = "";
  let opening = '{"source_id":';
  for (const [source, target] of edges) {
    text += opening + source + ',"target_id":' + target;
    opening = '},{"source_id":';
  }
  return edges.length === 0 ? "" : `${text}}`;
}

const emptyStream = streamText({ nodes: [], edges: [], groups: [] });

/** A lineage answer with groups collapsed, as it is displayed. */
interface GroupedView {
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
    return groups.length === 0 ? undefined : smallestOf(groups);
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
    if (loop >= 0) parents.set(smallestOf(path.slice(loop)), undefined);
    return parents.get(start);
  };
}

/** The smallest id. Avoids `Math.min(...ids)`, which fails for too many arguments. */
function smallestOf(ids: readonly number[]): number {
  return ids.reduce((minimum, id) => Math.min(minimum, id));
}

/** `ids` and all their direct and indirect groups. */
function withGroupsAbove(ids: Iterable<number>, membership: Membership): Set<number> {
  const above = new Set(ids);
  for (const id of above) for (const group of membership.groupsOf(id)) above.add(group);
  return above;
}
