import type { Database, Transaction } from "#metadata/postgres/database.ts";
import type { Lease, Leases } from "#metadata/postgres/leases.ts";

/** Somebody else leads by now. */
export class LeaseLostError extends Error {
  override name = "LeaseLost";
}

/**
 * A database for one term of a leader: its transactions verify and renew the lease first, and fail with
 * `LeaseLostError` once another process leads.
 */
export function leasedDatabase(
  db: Database,
  leases: Leases,
  { lease, ttlMs }: { lease: Lease; ttlMs: number },
): Database {
  const transaction = <T>(work: (tx: Transaction) => Promise<T>) =>
    db.transaction(async (tx) => {
      if (await leases.fence(tx, lease, ttlMs)) return await work(tx);
      throw new LeaseLostError(`epoch ${lease.epoch} of the lease ${lease.name} is over`);
    });
  return Object.assign(Object.create(db) as Database, { transaction });
}
