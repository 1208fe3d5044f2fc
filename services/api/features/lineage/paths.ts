import type { Direction, EdgePair, Walk } from "#graph/port.ts";
import { notFound } from "#kit/errors.ts";
import type { Context } from "#platform/context.ts";
import {
  headersOf,
  type LineageAnswer,
  type Nodes,
  streamText,
} from "#services/api/features/lineage/answer.ts";
import { withGroupsAbove } from "#services/api/features/lineage/grouping.ts";
import { endsOf } from "#services/api/features/lineage/reach.ts";
import { snapshotOf } from "#services/api/features/lineage/snapshot.ts";

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
  const candidates = [...common(fromId, intoTo), ...common(fromTo, intoId)];
  const nodes = await snapshotOf(context).nodes(endsOf(candidates).add(id).add(to));
  for (const end of [id, to]) if (!nodes.visible(end)) throw notFound("data entity", end);
  const seen = candidates.filter(([parent, child]) =>
    nodes.visible(parent) && nodes.visible(child)
  );
  const edges = distinct([...between(seen, id, to, depth), ...between(seen, to, id, depth)]);
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
    groups: [...withGroupsAbove(ends, nodes)].filter(nodes.isGroup).map((end) => nodes.text(end)),
  });
}

/** The edges that both walks followed. */
function common(one: Walk, other: Walk): EdgePair[] {
  const known = new Set(other.edges.map(keyOf));
  return one.edges.filter((edge) => known.has(keyOf(edge)));
}

function distinct(edges: EdgePair[]): EdgePair[] {
  return [...new Map(edges.map((edge) => [keyOf(edge), edge])).values()];
}

const keyOf = ([parent, child]: EdgePair) => `${parent}>${child}`;

/** The edges that lie on a path of at most `depth` edges from one entity to another. */
function between(edges: EdgePair[], from: number, to: number, depth: number): EdgePair[] {
  const [ahead, back] = [distances(edges, from, 0, 1), distances(edges, to, 1, 0)];
  return edges.filter(([parent, child]) => {
    const [before, after] = [ahead.get(parent), back.get(child)];
    return before !== undefined && after !== undefined && before + 1 + after <= depth;
  });
}

/** Edges from the root to each entity that it reaches, along edges from their end `near` to their end `far`. */
function distances(edges: EdgePair[], root: number, near: 0 | 1, far: 0 | 1): Map<number, number> {
  const onward = Map.groupBy(edges, (edge) => edge[near]);
  const found = new Map([[root, 0]]);
  // Iterating a map includes entries added meanwhile, which makes this a breadth-first search.
  for (const [id, distance] of found) {
    for (const edge of onward.get(id) ?? []) {
      if (!found.has(edge[far])) found.set(edge[far], distance + 1);
    }
  }
  return found;
}
