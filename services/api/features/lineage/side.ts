import type { Direction, EdgePair, Walk } from "#graph/port.ts";
import { emptyStream, type Nodes, streamText } from "#services/api/features/lineage/answer.ts";
import {
  type GroupedView,
  groupedView,
  withGroupsAbove,
} from "#services/api/features/lineage/grouping.ts";
import { endsOf, stillReached } from "#services/api/features/lineage/reach.ts";

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
export interface WalkedSide {
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
