import type { PageWindow } from "#contract/http.ts";
import type { Direction, EdgePair, Walk } from "#graph/port.ts";
import { notFound } from "#kit/errors.ts";
import type { Context } from "#platform/context.ts";
import {
  headersOf,
  type LineageAnswer,
  type LineageQuestion,
  type Nodes,
  sideText,
  streamText,
} from "#services/api/features/lineage/answer.ts";
import {
  groupMembers,
  groupMembersAt,
  neighboursOf,
} from "#services/api/features/lineage/queries.ts";
import {
  connectedComponents,
  distancesFrom,
  endsOf,
} from "#services/api/features/lineage/reach.ts";
import { snapshotOf } from "#services/api/features/lineage/snapshot.ts";
import { staleDays } from "#services/api/stale.ts";
export { LineageQueue } from "#services/api/features/lineage/limits.ts";
export {
  declaredColumnEdges,
  lineageOfColumns,
  maxRequestedColumns,
} from "#services/api/features/lineage/columns.ts";
export { lineageChanges } from "#services/api/features/lineage/past.ts";
export { lineageDiff } from "#services/api/features/lineage/diff.ts";
export { lineageImpact } from "#services/api/features/lineage/impact.ts";
export { distancesFrom, endsOf, stillReached } from "#services/api/features/lineage/reach.ts";
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
  const rows = await snapshot.read({ now: groupMembers, at: groupMembersAt }, [groupId]);
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

interface PathsQuestion {
  id: number;
  /** The other end. */
  to: number;
  /** Longest path, in edges. */
  depth: number;
}

/**
 * DataEntityLineageStream of everything that lies on a path from one entity to another, in either direction of flow;
 * without edges when no path is that short. Groups are listed and never collapsed. Each of the walks has the budgets of
 * a lineage question, and the answer says when one was cut. 404 for an unknown or deleted end.
 */
export async function lineagePaths(
  context: Context,
  { id, to, depth }: PathsQuestion,
): Promise<LineageAnswer> {
  const { "max-nodes": maxNodes, timeout: timeoutMs } = context.config.lineage;
  const walk = (root: number, direction: Direction) =>
    context.graph.walk({ roots: [root], direction, depth, maxNodes, timeoutMs });
  const walks = await Promise.all([
    walk(id, "downstream"),
    walk(to, "upstream"),
    walk(to, "downstream"),
    walk(id, "upstream"),
  ]);
  const [fromId, intoTo, fromTo, intoId] = walks;
  const candidates = [...commonEdges(fromId, intoTo), ...commonEdges(fromTo, intoId)];
  const nodes = await snapshotOf(context).nodes(endsOf(candidates).add(id).add(to));
  for (const end of [id, to]) if (!nodes.visible(end)) throw notFound("data entity", end);
  const seen = candidates.filter(([parent, child]) =>
    nodes.visible(parent) && nodes.visible(child)
  );
  const edges = distinctEdges([
    ...edgesBetween(seen, id, to, depth),
    ...edgesBetween(seen, to, id, depth),
  ]);
  return {
    json: streamOf(edges, nodes, walks),
    headers: headersOf(
      Math.min(...walks.map(({ position }) => position)),
      walks.find(({ truncated }) => truncated)?.truncated?.reason,
    ),
  };
}

function streamOf(edges: EdgePair[], nodes: Nodes, walks: Walk[]): string {
  const ends = endsOf(edges);
  const degrees = (id: number) =>
    walks.map((walk) => walk.degrees.get(id)).find((found) => found !== undefined);
  return streamText({
    nodes: [...ends].map((end) => nodes.text(end, degrees(end))),
    edges,
    groups: nodes.groupTexts(ends),
  });
}

/** The edges that both walks followed. */
function commonEdges(one: Walk, other: Walk): EdgePair[] {
  const known = new Set(other.edges.map(keyOf));
  return one.edges.filter((edge) => known.has(keyOf(edge)));
}

function distinctEdges(edges: EdgePair[]): EdgePair[] {
  return [...new Map(edges.map((edge) => [keyOf(edge), edge])).values()];
}

const keyOf = ([parent, child]: EdgePair) => `${parent}>${child}`;

/** The edges that lie on a path of at most `depth` edges from one entity to another. */
function edgesBetween(edges: EdgePair[], from: number, to: number, depth: number): EdgePair[] {
  const ahead = distancesFrom(edges, [from], "downstream");
  const back = distancesFrom(edges, [to], "upstream");
  return edges.filter(([parent, child]) => {
    const [before, after] = [ahead.get(parent), back.get(child)];
    return before !== undefined && after !== undefined && before + 1 + after <= depth;
  });
}
