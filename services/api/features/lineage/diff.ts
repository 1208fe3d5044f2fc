import type { Comparison, Degrees, Direction, EdgePair, PastWalk } from "#graph/port.ts";
import type { Context } from "#platform/context.ts";
import {
  headersOf,
  type LineageAnswer,
  type Nodes,
} from "#services/api/features/lineage/answer.ts";
import { type PastRoot, rootAt } from "#services/api/features/lineage/queries.ts";
import {
  absence,
  pastHeaders,
  refusePeriod,
  refuseTime,
} from "#services/api/features/lineage/past.ts";
import { endsOf, stillReached, withinDepth } from "#services/api/features/lineage/reach.ts";
import { snapshotOf } from "#services/api/features/lineage/snapshot.ts";

interface DiffQuestion {
  id: number;
  direction: Direction;
  depth: number;
  /** ISO 8601, UTC, milliseconds; earlier than `to`. */
  from: string;
  /** Now when it is absent. */
  to: string | undefined;
  /** Also what did not change. */
  includeSame: boolean;
}

const edgeChanges = ["added", "removed", "reached", "unreached", "same"] as const;
const nodeChanges = ["came", "left", "same"] as const;
type EdgeChange = typeof edgeChanges[number];
type NodeChange = typeof nodeChanges[number];

/** The edges of both walks, each once, and what became of each. */
type ChangedEdges = [edge: EdgePair, change: EdgeChange][];

/**
 * DataEntityLineageDiff of one side between two times. Nothing beyond the smaller whole depth of the two walks is
 * compared, so that a budget never looks like a change. 404 for a root that was there at neither time, 400 for times
 * that are not in order or beyond the history.
 */
export async function lineageDiff(context: Context, query: DiffQuestion): Promise<LineageAnswer> {
  const { id, direction, from } = query;
  const to = query.to ?? new Date(context.clock.now()).toISOString();
  const roots = await rootsOf(context, id, from, to);
  const { "max-nodes": maxNodes, timeout: timeoutMs } = context.config.lineage;
  const compared = await context.history.compare(
    { direction, depth: query.depth, maxNodes, timeoutMs },
    { roots: roots.before, at: new Date(from) },
    { roots: roots.after, at: new Date(to) },
  );
  const { before, after } = compared;
  const wholeDepth = Math.min(before.wholeDepth, after.wholeDepth);
  const ends = endsOf([...before.edges, ...after.edges]);
  const nodes = await snapshotOf(context, from).nodes(ends.add(id));
  const seen = (walk: PastWalk, from: number[]) =>
    withinDepth(
      stillReached(walk.edges, { ends, roots: from, direction, visible: nodes.ids }),
      from,
      direction,
      wholeDepth,
    );
  const walked = { before: seen(before, roots.before), after: seen(after, roots.after) };
  const json = diffText({
    query: { ...query, to },
    nodes,
    wholeDepth,
    edges: changesOf(walked.before, walked.after, compared),
    reached: {
      before: endsOf(walked.before).union(new Set(roots.before)),
      after: endsOf(walked.after).union(new Set(roots.after)),
    },
    degrees: (node) => after.degrees.get(node) ?? before.degrees.get(node),
  });
  const cut = before.truncated?.reason ?? after.truncated?.reason;
  return {
    json,
    headers: { ...headersOf(after.position, cut), ...pastHeaders(context, from, to) },
  };
}

/** Where the walks begin; none at a time when the root was not there. */
async function rootsOf(context: Context, id: number, from: string, to: string) {
  refusePeriod(context, from, to);
  const [[before], [after]] = await Promise.all([
    context.db.query(rootAt, [id, from]),
    context.db.query(rootAt, [id, to]),
  ]) as [[PastRoot], [PastRoot]];
  refuseTime(context, "from", from, before.begins);
  const notBefore = absence(before, from, "data entity", id);
  const notAfter = absence(after, to, "data entity", id);
  if (notBefore && notAfter) throw notAfter;
  return {
    before: notBefore ? [] : [...new Set([id, ...before.members])],
    after: notAfter ? [] : [...new Set([id, ...after.members])],
  };
}

function changesOf(before: EdgePair[], after: EdgePair[], compared: Comparison): ChangedEdges {
  const keyOf = ([parent, child]: EdgePair) => `${parent}>${child}`;
  const keysOf = (edges: EdgePair[]) => new Set(edges.map(keyOf));
  const was = keysOf(before);
  const is = keysOf(after);
  const stoodBefore = keysOf([...compared.stoodBefore, ...compared.before.edges]);
  const stoodAfter = keysOf([...compared.stoodAfter, ...compared.after.edges]);
  const came = after.map((edge): [EdgePair, EdgeChange] => {
    if (was.has(keyOf(edge))) return [edge, "same"];
    return [edge, stoodBefore.has(keyOf(edge)) ? "reached" : "added"];
  });
  const left = before.filter((edge) => !is.has(keyOf(edge)))
    .map((edge): [EdgePair, EdgeChange] => [
      edge,
      stoodAfter.has(keyOf(edge)) ? "unreached" : "removed",
    ]);
  return [...came, ...left];
}

interface DiffDeps {
  query: DiffQuestion & { to: string };
  nodes: Nodes;
  wholeDepth: number;
  edges: ChangedEdges;
  reached: { before: Set<number>; after: Set<number> };
  degrees: (id: number) => Degrees | undefined;
}

/** DataEntityLineageDiff as JSON text. A node that did not change is also there when a shown edge touches it. */
function diffText({ query, nodes, wholeDepth, edges, reached, degrees }: DiffDeps): string {
  const changeOf = (id: number): NodeChange =>
    !reached.before.has(id) ? "came" : reached.after.has(id) ? "same" : "left";
  const all = [...reached.before.union(reached.after)].filter(nodes.visible);
  const shownEdges = query.includeSame ? edges : edges.filter(([, change]) => change !== "same");
  const touched = endsOf(shownEdges.map(([edge]) => edge));
  const shown = all.filter((id) => query.includeSame || touched.has(id) || changeOf(id) !== "same");
  const nodeTexts = shown.map((id) =>
    `${nodes.text(id, degrees(id)).slice(0, -1)},"change":"${changeOf(id)}"}`
  );
  const edgeTexts = shownEdges.map(([[source, target], change]) =>
    `{"source_id":${source},"target_id":${target},"change":"${change}"}`
  );
  const counts = JSON.stringify({
    nodes: tally(nodeChanges, all.map(changeOf)),
    edges: tally(edgeChanges, edges.map(([, change]) => change)),
  });
  return `{"root":${nodes.text(query.id)},"from":"${query.from}","to":"${query.to}",` +
    `"whole_depth":${wholeDepth},"nodes":[${nodeTexts.join(",")}],` +
    `"edges":[${edgeTexts.join(",")}],"counts":${counts}}`;
}

function tally<K extends string>(kinds: readonly K[], found: K[]): Record<K, number> {
  const counts = new Map<K, number>(kinds.map((kind) => [kind, 0]));
  for (const kind of found) counts.set(kind, counts.get(kind)! + 1);
  return Object.fromEntries(counts) as Record<K, number>;
}
