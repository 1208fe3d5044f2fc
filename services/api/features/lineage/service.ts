import { notFound } from "#kit/errors.ts";
import type { Context } from "#platform/context.ts";
import { streamText } from "#services/api/features/lineage/answer.ts";
import { groupMembersAt } from "#services/api/features/lineage/past.queries.ts";
import { pastHeaders, readNodesAt, rootAsOf } from "#services/api/features/lineage/past.ts";
import { groupMembers } from "#services/api/features/lineage/queries.ts";
import { connectedComponents, endsOf } from "#services/api/features/lineage/reach.ts";
import { headersOf, type LineageAnswer, readNodes } from "#services/api/features/lineage/read.ts";
import { walkFromRoot } from "#services/api/features/lineage/root-walk.ts";
import { type LineageQuestion, sideText } from "#services/api/features/lineage/side.ts";

export { lineageQueueOf } from "#services/api/features/lineage/limiter.ts";
export {
  declaredColumnEdges,
  lineageOfColumns,
  maxRequestedColumns,
} from "#services/api/features/lineage/columns.ts";
export { lineageChanges } from "#services/api/features/lineage/changes.ts";
export { lineageDiff } from "#services/api/features/lineage/diff.ts";
export { checkPastTime } from "#services/api/features/lineage/past.ts";
export { walkFromRoot } from "#services/api/features/lineage/root-walk.ts";
export { lineageImpact } from "#services/api/features/lineage/impact.ts";
export { lineagePaths } from "#services/api/features/lineage/paths.ts";
export { lineageNeighbours } from "#services/api/features/lineage/neighbours.ts";
export { endsOf, stillReached } from "#services/api/features/lineage/reach.ts";

/**
 * DataEntityLineage of one side of an entity or group. The graph is walked for edges; PostgreSQL
 * decides which entities exist. 404 for an unknown or deleted root; a hollow root is allowed. As of a
 * past time: see docs/use/lineage-in-time.md; also 404 for a root that was not there, 400 for a time beyond the history.
 */
export async function entityLineage(
  context: Context,
  question: LineageQuestion,
): Promise<LineageAnswer> {
  if (question.asOf !== undefined) return await lineageAsOf(context, question, question.asOf);
  const { walk, roots } = await walkFromRoot(context, question);
  const walked = endsOf(walk.edges);
  const nodes = await readNodes(context, new Set(walked).add(question.id));
  if (!nodes.visible(question.id)) throw notFound("data entity", question.id);
  return {
    json: sideText(question, { walk, roots, nodes, walked }),
    headers: headersOf(walk.position, walk.truncated?.reason),
  };
}

async function lineageAsOf(
  context: Context,
  question: LineageQuestion,
  at: string,
): Promise<LineageAnswer> {
  const { id } = question;
  const { walk, roots } = await walkAsOf(context, question, at);
  const walked = endsOf(walk.edges);
  const nodes = await readNodesAt(context, new Set(walked).add(id), at);
  if (!nodes.visible(id)) throw notFound("data entity", id);
  return {
    json: sideText(question, { walk, roots, nodes, walked }),
    headers: { ...headersOf(walk.position, walk.truncated?.reason), ...pastHeaders(context, at) },
  };
}

/** A walk as of a time, and where it began; 400 and 404 as of `rootAsOf`. */
export async function walkAsOf(
  context: Context,
  { id, direction, depth }: Omit<LineageQuestion, "expanded">,
  at: string,
) {
  const { "max-nodes": maxNodes, timeout: timeoutMs } = context.config.lineage;
  const { members } = await rootAsOf(context, "data entity", id, at);
  const roots = [...new Set([id, ...members])];
  const request = { roots, direction, depth, maxNodes, timeoutMs };
  return { walk: await context.history.walk(request, new Date(at)), roots };
}

/**
 * DataEntityGroupLineageList: lineage among the members of a group, one stream for each connected
 * component; as of a past time among those members of today that were there. 404 both for an unknown
 * group and for one without live members.
 */
export async function groupLineage(
  context: Context,
  groupId: number,
  asOf?: string,
): Promise<LineageAnswer> {
  const { "max-nodes": maxNodes, timeout: timeoutMs } = context.config.lineage;
  const budget = { maxNodes, timeoutMs };
  if (asOf !== undefined) await rootAsOf(context, "data entity group", groupId, asOf);
  const rows = asOf === undefined
    ? await context.db.query(groupMembers, [groupId])
    : await context.db.query(groupMembersAt, [groupId, asOf]);
  const all = rows.filter((row) => !row.is_group || row.has_edges).map((row) => row.id);
  if (all.length === 0) throw notFound("data entity group", groupId);
  const members = all.slice(0, maxNodes);
  const among = asOf === undefined
    ? await context.graph.among(members, budget)
    : await context.history.among(members, new Date(asOf), budget);
  const nodes = asOf === undefined
    ? await readNodes(context, new Set(members))
    : await readNodesAt(context, new Set(members), asOf);
  const visible = members.filter(nodes.visible);
  const edges = among.edges.filter(([a, b]) => nodes.visible(a) && nodes.visible(b));
  const items = connectedComponents(visible, edges).map((component) =>
    streamText({
      nodes: component.members.map((id) => nodes.text(id)),
      edges: component.edges,
      groups: [],
    })
  );
  const cut = members.length < all.length ? "nodes" : among.truncated?.reason;
  const asOfMember = asOf === undefined ? "" : `"as_of":"${asOf}",`;
  return {
    json: `{${asOfMember}"items":[${items.join(",")}]}`,
    headers: {
      ...headersOf(among.position, cut),
      ...(asOf === undefined ? {} : pastHeaders(context, asOf)),
    },
  };
}
