import type { Direction, EdgePair, LineageGraph } from "#graph/port.ts";
import type { Queryable } from "#metadata/postgres/database.ts";

/** The graph did not answer; `cause` says why. */
export class GraphDown extends Error {
  override readonly name = "GraphDown";
}

interface ReachOptions {
  direction: Direction;
  /** Levels from the root; 0 reaches nothing. */
  depth: number;
  maxNodes: number;
  timeoutMs: number;
}

export interface Reach {
  /** Entities other than the root, the nearest first, by id within a level. */
  ids: number[];
  /** A budget ended the walk: there are more. */
  truncated: boolean;
}

const maxConcurrentWalks = 4;

/**
 * What each root reaches within a depth, over visible entities. One walk for all of them, from whose
 * edges each root's own reach follows; when that is over its budget, a walk each. Rejects with
 * `GraphDown` when the graph does not respond; then no further requests are sent.
 */
export async function reachOfEach(
  graph: LineageGraph,
  db: Queryable,
  roots: number[],
  options: ReachOptions,
): Promise<Map<number, Reach>> {
  if (roots.length === 0 || options.depth === 0) {
    return new Map(roots.map((root) => [root, { ids: [], truncated: false }]));
  }
  const walk = await graph.walk({ roots, ...options }).catch((cause) => {
    throw new GraphDown("the lineage graph does not answer", { cause });
  });
  const truncated = walk.truncated !== undefined;
  if (truncated && roots.length > 1) return await oneByOne(graph, db, roots, options);
  const hidden = await invisible(db, [...new Set(walk.edges.flat())]);
  const next = neighboursOf(walk.edges, options.direction);
  return new Map(roots.map((root) => {
    return [root, { ids: levels(root, next, hidden, options.depth), truncated }];
  }));
}

async function oneByOne(
  graph: LineageGraph,
  db: Queryable,
  roots: number[],
  options: ReachOptions,
): Promise<Map<number, Reach>> {
  const found = new Map<number, Reach>();
  for (let at = 0; at < roots.length; at += maxConcurrentWalks) {
    const batch = roots.slice(at, at + maxConcurrentWalks);
    const reached = await Promise.all(batch.map((root) => reachOfEach(graph, db, [root], options)));
    for (const each of reached) for (const [root, reach] of each) found.set(root, reach);
  }
  return found;
}

async function invisible(db: Queryable, ids: number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const rows = await db.query<{ id: number }>(invisibleSql, [ids]);
  return new Set(rows.map((row) => row.id));
}

function neighboursOf(edges: readonly EdgePair[], direction: Direction): Map<number, number[]> {
  const next = new Map<number, number[]>();
  for (const [parent, child] of edges) {
    const [from, to] = direction === "downstream" ? [parent, child] : [child, parent];
    const known = next.get(from);
    if (known) known.push(to);
    else next.set(from, [to]);
  }
  return next;
}

/** Breadth first, not through what is hidden: a copy of the graph may be late to change. */
function levels(
  root: number,
  next: Map<number, number[]>,
  hidden: Set<number>,
  depth: number,
): number[] {
  const seen = new Set([root]);
  const found: number[] = [];
  let level = [root];
  for (let at = 0; at < depth && level.length > 0; at++) {
    const reached = new Set(level.flatMap((id) => next.get(id) ?? []));
    level = [...reached].filter((id) => !seen.has(id) && !hidden.has(id)).sort((a, b) => a - b);
    for (const id of level) {
      seen.add(id);
      found.push(id);
    }
  }
  return found;
}

/** $1 ids; returns those that are deleted or unknown. */
const invisibleSql = `
  SELECT i.id FROM unnest($1::bigint[]) AS i (id)
    LEFT JOIN data_entity e ON e.id = i.id
   WHERE e.id IS NULL OR NOT is_live(e.status)`;
