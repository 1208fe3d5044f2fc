import type { Database, Transaction } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";

/** A lease that is held. `epoch` grows with every change of holder and fences what the holder writes. */
export interface HeldLease {
  name: string;
  epoch: number;
}

const take = `
  INSERT INTO lease (name, holder, epoch, expires_at)
  VALUES ($1, $2, 1, now() + $3 * interval '1 millisecond')
  ON CONFLICT (name) DO UPDATE SET
    epoch = lease.epoch + (lease.holder <> excluded.holder)::int,
    holder = excluded.holder,
    expires_at = excluded.expires_at
  WHERE lease.holder = excluded.holder OR lease.expires_at < now()
  RETURNING epoch`;

const seize = `
  INSERT INTO lease (name, holder, epoch, expires_at)
  VALUES ($1, $2, 1, now() + $3 * interval '1 millisecond')
  ON CONFLICT (name) DO UPDATE
    SET epoch = lease.epoch + 1, holder = excluded.holder, expires_at = excluded.expires_at
  RETURNING epoch`;

const raise = `
  UPDATE lease SET epoch = $3 + 1
   WHERE name = $1 AND holder = $2 AND expires_at >= now() AND epoch <= $3 RETURNING epoch`;

const fenced = statement("lease-fence")`
  UPDATE lease SET expires_at = now() + $4 * interval '1 millisecond'
   WHERE name = $1 AND holder = $2 AND epoch = $3 AND expires_at > now() RETURNING 1`;

/**
 * Leases by PostgreSQL's clock: at most one process believes that it holds a lease, except for one that was
 * suspended, whose writes are refused by their epoch.
 */
export class Leases {
  /** `holder` names this process, uniquely. */
  constructor(private readonly db: Database, readonly holder: string) {}

  /** Takes or renews a lease for `ttlMs`; null while somebody else holds it. */
  async acquire(name: string, ttlMs: number): Promise<HeldLease | null> {
    const rows = await this.db.query<{ epoch: number }>(take, [name, this.holder, ttlMs]);
    return rows[0] ? { name, epoch: rows[0].epoch } : null;
  }

  /** Takes it over, whoever holds it; what that one still writes is refused by its epoch. */
  async seize(name: string, ttlMs: number): Promise<HeldLease> {
    const rows = await this.db.query<{ epoch: number }>(seize, [name, this.holder, ttlMs]);
    return { name, epoch: rows[0]!.epoch };
  }

  /** Raises the epoch of a lease that is held above `epoch`; null when it is not held. */
  async raise(name: string, epoch: number): Promise<HeldLease | null> {
    const rows = await this.db.query<{ epoch: number }>(raise, [name, this.holder, epoch]);
    return rows[0] ? { name, epoch: rows[0].epoch } : null;
  }

  /** Whether it is still held, and renews it; nobody takes it before the transaction ends. */
  async fence(tx: Transaction, { name, epoch }: HeldLease, ttlMs: number): Promise<boolean> {
    return (await tx.query(fenced, [name, this.holder, epoch, ttlMs])).length > 0;
  }

  /** Gives it up, so that another takes over at once. */
  async release(name: string): Promise<void> {
    await this.db.query(
      "UPDATE lease SET expires_at = now() - interval '1 second' WHERE name = $1 AND holder = $2",
      [name, this.holder],
    );
  }
}
