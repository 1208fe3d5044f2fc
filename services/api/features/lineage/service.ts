import type { Direction, Walk } from "#graph/port.ts";
import { notFound } from "#kit/errors.ts";
import type { Context } from "#platform/context.ts";
import { emptyStream, streamText } from "#services/api/features/lineage/answer.ts";
import { groupedView, withGroupsAbove } from "#services/api/features/lineage/grouping.ts";
import { groupMembers, rootOf } from "#services/api/features/lineage/queries.ts";
import { connectedParts, endsOf, stillReached } from "#services/api/features/lineage/reach.ts";
import { headersOf, type LineageAnswer, readNodes } from "#services/api/features/lineage/read.ts";

export { lineagePaths } from "#services/api/features/lineage/paths.ts";
export { lineageNeighbours } from "#services/api/features/lineage/neighbours.ts";
export { endsOf, stillReached } from "#services/api/features/lineage/reach.ts";

export interface LineageQuestion {
  id: number;
  direction: Direction;
  depth: number;
  /** Groups to show expanded; ids that are not groups are ignored. */
  expanded: number[];
}

/**
 * DataEntityLineage of one side of an entity or group. The graph is walked for edges; PostgreSQL
 * decides which entities exist. 404 for an unknown or deleted root; a hollow root is allowed.
 */
export async function entityLineage(
  context: Context,
  question: LineageQuestion,
): Promise<LineageAnswer> {
  const { walk, roots } = await walkFromRoot(context, question);
  const walked = endsOf(walk.edges);
  const nodes = await readNodes(context, new Set(walked).add(question.id));
  if (!nodes.visible(question.id)) throw notFound("data entity", question.id);
  const edges = stillReached(walk.edges, roots, question.direction, nodes.visible);
  const reached = edges === walk.edges ? walked : endsOf(edges);
  const open = withGroupsAbove([question.id], nodes);
  for (const id of [...question.expanded, ...nodes.hollowGroups()]) open.add(id);
  const view = groupedView(edges, nodes, open);
  const groups = withGroupsAbove(reached, nodes);
  const kept = new Set([...reached, ...roots]);
  const at = walk.truncated?.at.filter((t) => kept.has(t.id));
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
  return {
    json: `{"root":${root},"upstream":${upstream},"downstream":${downstream}}`,
    headers: headersOf(walk.position, walk.truncated?.reason),
  };
}

/** The walk starts while the root is looked up; only a group as root needs a second walk. */
async function walkFromRoot(
  context: Context,
  { id, direction, depth }: LineageQuestion,
): Promise<{ walk: Walk; roots: number[] }> {
  const { "max-nodes": maxNodes, timeout: timeoutMs } = context.config.lineage;
  const walkFrom = (roots: number[]) =>
    context.graph.walk({ roots, direction, depth, maxNodes, timeoutMs });
  const [rows, walk] = await Promise.all([
    context.db.query(rootOf, [id]),
    walkFrom([id]),
  ]);
  const root = rows[0];
  if (!root?.visible) throw notFound("data entity", id);
  if (root.members.length === 0) return { walk, roots: [id] };
  const roots = [...new Set([id, ...root.members])];
  return { walk: await walkFrom(roots), roots };
}

/**
 * DataEntityGroupLineageList: lineage among the members of a group, one stream for each connected
 * component. 404 both for an unknown group and for one without live members.
 */
export async function groupLineage(context: Context, groupId: number): Promise<LineageAnswer> {
  const { "max-nodes": maxNodes, timeout: timeoutMs } = context.config.lineage;
  const rows = await context.db.query(groupMembers, [groupId]);
  const all = rows.filter((row) => !row.is_group || row.has_edges).map((row) => row.id);
  if (all.length === 0) throw notFound("data entity group", groupId);
  const members = all.slice(0, maxNodes);
  const among = await context.graph.among(members, { maxNodes, timeoutMs });
  const nodes = await readNodes(context, new Set(members));
  const visible = members.filter(nodes.visible);
  const edges = among.edges.filter(([a, b]) => nodes.visible(a) && nodes.visible(b));
  const items = connectedParts(visible, edges).map((part) =>
    streamText({ nodes: part.members.map((id) => nodes.text(id)), edges: part.edges, groups: [] })
  );
  const cut = members.length < all.length ? "nodes" : among.truncated?.reason;
  return { json: `{"items":[${items.join(",")}]}`, headers: headersOf(among.position, cut) };
}
