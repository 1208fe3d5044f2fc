import type { Direction, EdgePair, LineageGraph } from "#graph/port.ts";
import type { Queryable } from "#metadata/database.ts";
import * as sql from "./queries.ts";

/** The graph did not answer; `cause` says why. */
export class GraphDown extends Error {
  override readonly name = "GraphDown";
}

export interface ReachOptions {
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

const walksAtOnce = 4;

/**
 * What each root reaches within a depth, over visible entities. Rejects with `GraphDown` when the graph
 * does not answer; then nothing more is asked of it.
 */
export async function reachOfEach(
  graph: LineageGraph,
  db: Queryable,
  roots: number[],
  options: ReachOptions,
): Promise<Map<number, Reach>> {
  const found = new Map<number, Reach>();
  for (let at = 0; at < roots.length; at += walksAtOnce) {
    const lot = roots.slice(at, at + walksAtOnce);
    const reached = await Promise.all(lot.map((root) => reachOf(graph, db, root, options)));
    lot.forEach((root, index) => found.set(root, reached[index]!));
  }
  return found;
}

/** `reachOfEach` for one root. */
export async function reachOf(
  graph: LineageGraph,
  db: Queryable,
  root: number,
  options: ReachOptions,
): Promise<Reach> {
  if (options.depth === 0) return { ids: [], truncated: false };
  const walk = await graph.walk({ roots: [root], ...options }).catch((cause) => {
    throw new GraphDown("the lineage graph does not answer", { cause });
  });
  const ids = [...new Set(walk.edges.flat())];
  const hidden = await invisible(db, ids);
  const edges = walk.edges.filter((pair) => pair.every((id) => id === root || !hidden.has(id)));
  return { ids: levels(root, edges, options), truncated: walk.truncated !== undefined };
}

async function invisible(db: Queryable, ids: number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const rows = await db.query<{ id: number }>(sql.invisible, [ids]);
  return new Set(rows.map((row) => row.id));
}

/** Breadth first over the edges of a walk, which a copy of the graph may be late to change. */
function levels(root: number, edges: readonly EdgePair[], options: ReachOptions): number[] {
  const next = new Map<number, number[]>();
  for (const [parent, child] of edges) {
    const [from, to] = options.direction === "downstream" ? [parent, child] : [child, parent];
    const known = next.get(from);
    if (known) known.push(to);
    else next.set(from, [to]);
  }
  const seen = new Set([root]);
  const found: number[] = [];
  let level = [root];
  for (let depth = 0; depth < options.depth && level.length > 0; depth++) {
    const reached = new Set(level.flatMap((id) => next.get(id) ?? []));
    level = [...reached].filter((id) => !seen.has(id)).sort((a, b) => a - b);
    for (const id of level) seen.add(id);
    found.push(...level);
  }
  return found;
}
