import type { Database } from "#metadata/database.ts";

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

/**
 * Leases by PostgreSQL's clock: at most one holder believes in a lease at a time, give or take a
 * process that was stopped; its writes are refused by their epoch.
 */
export class Leases {
  /** `holder` names this process, uniquely. */
  constructor(private readonly db: Database, readonly holder: string) {}

  /** Takes or renews a lease for `ttlMs`; null while somebody else holds it. */
  async acquire(name: string, ttlMs: number): Promise<HeldLease | null> {
    const rows = await this.db.query<{ epoch: number }>(take, [name, this.holder, ttlMs]);
    return rows[0] ? { name, epoch: rows[0].epoch } : null;
  }

  /** Gives it up, so that another takes over at once. */
  async release(name: string): Promise<void> {
    await this.db.query(
      "UPDATE lease SET expires_at = now() - interval '1 second' WHERE name = $1 AND holder = $2",
      [name, this.holder],
    );
  }
}
