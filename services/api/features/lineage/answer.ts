import type { Degrees, Direction, EdgePair, Walk } from "#graph/port.ts";
import {
  type GroupedView,
  groupedView,
  type Membership,
  withGroupsAbove,
} from "#services/api/features/lineage/grouping.ts";
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

/** The visible entities of an answer, and the groups above them. */
export class Nodes implements Membership {
  readonly #rows: Map<number, NodeRow>;

  constructor(rows: NodeRow[]) {
    this.#rows = new Map(rows.map((row) => [row.id, row]));
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
}

interface StreamDeps {
  nodes: string[];
  edges: readonly EdgePair[];
  groups: string[];
  truncatedAt?: { id: number; remainingDepth: number }[];
}

const emptyStream = streamText({ nodes: [], edges: [], groups: [] });

/** DataEntityLineageStream as JSON text. */
export function streamText({ nodes, edges, groups, truncatedAt }: StreamDeps): string {
  const pairs = edges.map(([source, target]) => `{"source_id":${source},"target_id":${target}}`);
  const cut = truncatedAt?.map((t) => `{"id":${t.id},"remaining_depth":${t.remainingDepth}}`);
  return `{"nodes":[${nodes.join(",")}],"edges":[${pairs.join(",")}],"groups":[${
    groups.join(",")
  }]${cut ? `,"truncated_at":[${cut.join(",")}]` : ""}}`;
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

export interface LineageQuestion {
  id: number;
  direction: Direction;
  depth: number;
  /** Groups to show expanded; ids that are not groups are ignored. */
  expanded: number[] | "all";
  /** The point in time; now when it is absent. ISO 8601, UTC, milliseconds. */
  asOf?: string;
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
  const edges = stillReached(walk.edges, roots, question.direction, nodes.visible);
  const reached = edges === walk.edges ? walked : endsOf(edges);
  const view = viewOf(question, edges, nodes);
  const groups = withGroupsAbove(reached, nodes);
  const visible = new Set([...reached, ...roots]);
  const at = walk.truncated?.at.filter((t) => visible.has(t.id));
  const stream = streamText({
    nodes: [...view.nodes].map((id) =>
      nodes.text(id, view.collapsed.has(id) ? undefined : walk.degrees.get(id))
    ),
    edges: view.edges,
    groups: [...groups].filter(nodes.isGroup).map((id) => nodes.text(id)),
    truncatedAt: at,
  });
  const [upstream, downstream] = question.direction === "upstream"
    ? [stream, emptyStream]
    : [emptyStream, stream];
  const root = nodes.text(question.id);
  return `"root":${root},"upstream":${upstream},"downstream":${downstream}}`;
}

/** The edges with all groups collapsed that are not open: the root's own, those asked for, and those without a name. */
function viewOf({ id, expanded }: LineageQuestion, edges: EdgePair[], nodes: Nodes): GroupedView {
  if (expanded === "all") return { edges, nodes: endsOf(edges), collapsed: new Set() };
  const open = withGroupsAbove([id], nodes);
  for (const group of [...expanded, ...nodes.hollowGroups()]) open.add(group);
  return groupedView(edges, nodes, open);
}
