import type { Direction, LineageGraph } from "#graph/port.ts";
import type { Database } from "#metadata/postgres/database.ts";
import { nodesOf } from "#services/api/features/lineage/queries.ts";

/** A question that is asked both over HTTP and by the bare queries. */
export interface Question {
  id: number;
  direction: Direction;
  depth: number;
}

/** Runs the bare queries that return the same answer: the walk, and the reached nodes by id. */
export async function bare(graph: LineageGraph, db: Database, q: Question): Promise<number> {
  const walk = await graph.walk({
    roots: [q.id],
    direction: q.direction,
    depth: q.depth,
    maxNodes: 1_000_000,
    timeoutMs: 60_000,
  });
  const ids = new Set([q.id, ...walk.edges.flat()]);
  await db.query(nodesOf, [[...ids], 7]);
  return ids.size;
}

const enumerate = (near: string, far: string) => `
  WITH RECURSIVE path (parent_id, child_id, depth) AS (
    SELECT parent_id, child_id, 1 FROM lineage_edge WHERE live AND ${near} = $1
    UNION ALL
    SELECT e.parent_id, e.child_id, p.depth + 1 FROM path p
      JOIN lineage_edge e ON e.live AND e.${near} = p.${far} WHERE p.depth < $2
  )
  SELECT DISTINCT parent_id, child_id FROM path`;

/** Runs a recursive query that enumerates paths, as catalogues commonly do; null when it takes over 60 s. */
export async function enumeratingCte(db: Database, q: Question): Promise<number | null> {
  const text = q.direction === "downstream"
    ? enumerate("parent_id", "child_id")
    : enumerate("child_id", "parent_id");
  const started = performance.now();
  try {
    await db.transaction(async (tx) => {
      await tx.query("SET LOCAL statement_timeout = 60000");
      await tx.query("SET LOCAL temp_file_limit = '4GB'");
      await tx.query(text, [q.id, q.depth]);
    });
    return performance.now() - started;
  } catch {
    return null;
  }
}
