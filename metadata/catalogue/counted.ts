import type { Transaction } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";

const alone = statement("count-alone")`
  SELECT pg_advisory_xact_lock(hashtextextended('counted ' || $1::text, 0))`;

/**
 * Locks the count of this name until the transaction ends, so that nobody else adds to it. Anyone who
 * counts before he adds calls it in between, after all rows that he locks: a count in a statement of its own then sees
 * what the others have committed. What hangs on one entity needs it not: there `holdEntity` does the same.
 */
export async function countAlone(tx: Transaction, what: string): Promise<void> {
  await tx.query(alone, [what]);
}
