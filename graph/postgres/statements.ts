import { unavailable } from "#kit/errors.ts";
import { withTimeout } from "#kit/retry.ts";
import type { Database } from "#metadata/postgres/database.ts";
import type { Statement } from "#metadata/postgres/statement.ts";

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
