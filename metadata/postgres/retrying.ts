import { retry } from "#kit/retry.ts";
import { classify, type Database, type Transaction } from "#metadata/postgres/database.ts";
import type { Statement } from "#metadata/postgres/statement.ts";

const options = {
  attempts: 6,
  initial: 10,
  max: 400,
  retryable: (error: unknown) => classify(error) === "retry",
};

/**
 * Runs `work` in a transaction, and restarts it when the transaction lost against another one
 * (deadlock, serialization failure, lock timeout). `work` must have no effect outside of the
 * transaction.
 */
export function retryingTransaction<T>(
  db: Database,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  return retry(() => db.transaction(work), options);
}

/** Runs one statement that writes, and repeats it when it lost against another transaction. */
export function retryingStatement<R>(
  db: Database,
  statement: Statement<R>,
  values: unknown[],
): Promise<R[]> {
  return retry(() => db.query(statement, values), options);
}
