import type { AmongRow, FirstLevelRow, WalkRow } from "#graph/postgres/answer.ts";
import { unavailable } from "#kit/errors.ts";
import { withTimeout } from "#kit/retry.ts";
import { type Statement, statement } from "#metadata/postgres/statement.ts";
import type { Database } from "#metadata/postgres/database.ts";

/** Statements of the inline graph; the walks are functions of the database schema. */
export const walk = statement<WalkRow>("lineage_walk")`
  SELECT head, whole, complete, over, near, far, ids, against_ids, against, frontier,
    along_ids, along
  FROM lineage_walk($1, $2, $3, $4, $5 * interval '1 millisecond')`;

export const firstLevel = statement<FirstLevelRow>("lineage_first_level")`
  SELECT near, far, ids, parents_of, parents, children_of, children
  FROM lineage_first_level($1, $2, $3)`;

export const among = statement<AmongRow>("lineage_among")`
  SELECT head, whole, near, far FROM lineage_among($1, $2 * interval '1 millisecond')`;

/** As `walk`, with $6 the point in time. */
export const walkAt = statement<WalkRow>("lineage_walk_at")`
  SELECT head, whole, complete, over, near, far, ids, against_ids, against, frontier,
    along_ids, along
  FROM lineage_walk_at($1, $2, $3, $4, $5 * interval '1 millisecond', $6)`;

export const firstLevelAt = statement<FirstLevelRow>("lineage_first_level_at")`
  SELECT near, far, ids, parents_of, parents, children_of, children
  FROM lineage_first_level_at($1, $2, $3, $4)`;

export const amongAt = statement<AmongRow>("lineage_among_at")`
  SELECT head, whole, near, far FROM lineage_among_at($1, $2 * interval '1 millisecond', $3)`;

/** $1 near ends, $2 far ends, $3 whether downstream, $4 the time: those that stood then. */
export const edgesAsOf = statement<{ near: number; far: number }>("lineage_standing_at")`
  SELECT near, far FROM lineage_standing_at($1, $2, $3, $4)`;

/**
 * $1 roots before, $2 whether downstream, $3 depth, $4 most nodes, $5 milliseconds of each walk, $6 the time before, $7
 * roots after, $8 the time after. One statement, and so one state of the store.
 */
export const walksAt = statement<WalkRow & { turn: number }>("lineage_walks_at")`
  SELECT 0 AS turn, b.* FROM lineage_walk_at($1, $2, $3, $4, $5 * interval '1 millisecond', $6) b
  UNION ALL
  SELECT 1, a.* FROM lineage_walk_at($7, $2, $3, $4, $5 * interval '1 millisecond', $8) a`;

export const neighbours = `
  SELECT DISTINCT t.far AS id FROM lineage_touching($1, $2) t WHERE t.far <> ALL ($1)`;

export const head = statement<{ head: number }>("lineage_head")`SELECT lineage_head() AS head`;

/** Milliseconds beyond the query's own budget after which it counts as unanswered. */
const grace = 5_000;

/** Share of the time for the walk itself; reading edges and degrees needs the rest. */
export const walkShare = 0.6;

/** The walk's bookkeeping stores level and count in 31 bits each. */
export const maxDepth = 2 ** 31 - 2;

/** The rows of a statement of the graph; 503 when they do not come in time. */
export function statementFor<R>(
  db: Database,
  timeoutMs: number,
  statement: Statement<R> | string,
  values: unknown[] = [],
): Promise<R[]> {
  return withTimeout(
    db.query(statement, values),
    timeoutMs + grace,
    () => unavailable("The lineage graph does not answer"),
  );
}
