import type { PageWindow } from "#contract/http.ts";
import type { Direction } from "#graph/port.ts";
import { notFound } from "#kit/errors.ts";
import type { Context } from "#platform/context.ts";
import {
  type LineageAnswer,
  type LineageQuestion,
  sideText,
  streamText,
} from "#services/api/features/lineage/answer.ts";
import {
  groupMembers,
  groupMembersAt,
  neighboursOf,
} from "#services/api/features/lineage/queries.ts";
import { connectedComponents, endsOf } from "#services/api/features/lineage/reach.ts";
import { snapshotOf } from "#services/api/features/lineage/snapshot.ts";
import { staleDays } from "#services/api/stale.ts";

export { LineageQueue } from "#services/api/features/lineage/limiter.ts";
export {
  declaredColumnEdges,
  lineageOfColumns,
  maxRequestedColumns,
} from "#services/api/features/lineage/columns.ts";
export { lineageChanges } from "#services/api/features/lineage/changes.ts";
export { lineageDiff } from "#services/api/features/lineage/diff.ts";
export { lineageImpact } from "#services/api/features/lineage/impact.ts";
export { lineagePaths } from "#services/api/features/lineage/paths.ts";
export { endsOf, stillReached } from "#services/api/features/lineage/reach.ts";
export { readerOf, type Snapshot, snapshotOf } from "#services/api/features/lineage/snapshot.ts";

/**
 * DataEntityLineage of one side of an entity or group. The graph is walked for edges; PostgreSQL
 * decides which entities exist. 404 for an unknown or deleted root; a hollow root is allowed. As of a
 * past time: see docs/use/lineage-in-time.md; also 404 for a root that was not there, 400 for a time beyond the history.
 */
export async function entityLineage(
  context: Context,
  question: LineageQuestion,
): Promise<LineageAnswer> {
  const snapshot = snapshotOf(context, question.asOf);
  const { walk, roots } = await snapshot.walk(question);
  const walked = endsOf(walk.edges);
  const nodes = await snapshot.nodes(new Set(walked).add(question.id));
  if (!nodes.visible(question.id)) throw notFound("data entity", question.id);
  return {
    json: `{${snapshot.members}${sideText(question, { walk, roots, nodes, walked })}`,
    headers: snapshot.headers(walk.position, walk.truncated?.reason),
  };
}

const members = { now: groupMembers, at: groupMembersAt };

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
  const snapshot = snapshotOf(context, asOf);
  await snapshot.checkRoot("data entity group", groupId);
  const rows = await snapshot.read(members, [groupId]);
  const all = rows.filter((row) => !row.is_group || row.has_edges).map((row) => row.id);
  if (all.length === 0) throw notFound("data entity group", groupId);
  const within = all.slice(0, maxNodes);
  const among = await snapshot.among(within, { maxNodes, timeoutMs });
  const nodes = await snapshot.nodes(new Set(within));
  const visible = within.filter(nodes.visible);
  const edges = among.edges.filter(([a, b]) => nodes.visible(a) && nodes.visible(b));
  const items = connectedComponents(visible, edges).map((component) =>
    streamText({
      nodes: component.members.map((id) => nodes.text(id)),
      edges: component.edges,
      groups: [],
    })
  );
  const cut = within.length < all.length ? "nodes" : among.truncated?.reason;
  return {
    json: `{${snapshot.members}"items":[${items.join(",")}]}`,
    headers: snapshot.headers(among.position, cut),
  };
}

interface NeighboursQuestion {
  id: number;
  direction: Direction;
  /** Part of a name or CATRN, case-insensitive. */
  query: string | undefined;
  page: PageWindow;
}

/**
 * LineageNeighbourList as JSON text: a page of the direct neighbours of an entity in order of id,
 * the same order in which a lineage answer lists them. 404 for an unknown or deleted entity.
 */
export async function lineageNeighbours(
  context: Context,
  { id, direction, query, page }: NeighboursQuestion,
): Promise<string> {
  const stale = staleDays(context);
  const values = [id, direction === "downstream", query || null, page.limit, page.offset, stale];
  const rows = await context.db.query(neighboursOf, values);
  if (!rows[0]) throw notFound("data entity", id);
  return rows[0].json;
}
