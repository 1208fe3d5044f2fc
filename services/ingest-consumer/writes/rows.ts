import { bigints } from "#metadata/postgres/array-parameters.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import type { Row, Statement } from "#metadata/postgres/statement.ts";
import { byFreshness, type ChangeSet, type EntityChange } from "../change-set.ts";
import { type Column, columns, run } from "../statement.ts";

/** `insert` takes the columns of rows; `replace` the ids of the entities whose rows they replace, and then the same. */
interface RowStatements {
  insert: Statement;
  replace: Statement;
}

/**
 * Replaces the rows of changed entities by those of `rowsOf`. For new entities they are added, without looking for earlier
 * ones. Returns what was added, and what `replace` returned.
 */
export async function writeRows<T, R = Row>(
  tx: Transaction,
  set: ChangeSet,
  sql: RowStatements,
  rowsOf: (changes: EntityChange[]) => T[],
  ...made: Column<T>[]
): Promise<{ added: T[]; replaced: R[] }> {
  const { fresh, known } = byFreshness(set);
  const added = rowsOf(fresh);
  if (added.length > 0) await run(tx, sql.insert, columns(added, ...made));
  if (known.length === 0) return { added, replaced: [] };
  const ids = bigints(known.map(({ id }) => id));
  return {
    added,
    replaced: await run<R>(tx, sql.replace, [ids, ...columns(rowsOf(known), ...made)]),
  };
}
