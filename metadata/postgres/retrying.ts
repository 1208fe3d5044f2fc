import { retry } from "#kit/retry.ts";
import { classify, type Database, type Transaction } from "#metadata/postgres/database.ts";

/**
 * Runs `work` in a transaction, and restarts it when the transaction lost against another one
 * (deadlock, serialization failure, lock timeout). `work` must have no effect outside of the
 * transaction.
 */
export function retryingTransaction<T>(
  db: Database,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  return retry(() => db.transaction(work), {
    attempts: 6,
    initial: 10,
    max: 400,
    retryable: (error) => classify(error) === "retry",
  });
}
