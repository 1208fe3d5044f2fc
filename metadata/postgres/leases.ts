import type { Clock } from "#kit/clock.ts";
import { messageOf } from "#kit/errors.ts";
import type { Logger } from "#kit/log.ts";
import { Loop, type LoopOptions } from "#kit/loop.ts";
import type { Database, Transaction } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";

/** A held lease. `epoch` grows with each change of holder; writes with an older epoch are refused. */
export interface Lease {
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

const checkEpoch = statement("lease-fence")`
  UPDATE lease SET expires_at = now() + $4 * interval '1 millisecond'
   WHERE name = $1 AND holder = $2 AND epoch = $3 AND expires_at > now() RETURNING 1`;

/**
 * Leases by PostgreSQL's clock. At most one process believes that it holds a lease, except one that
 * was suspended, whose writes are refused by their old epoch.
 */
export class Leases {
  /** `holder` identifies this process uniquely. */
  constructor(private readonly db: Database, readonly holder: string) {}

  /** Acquires or renews a lease for `ttlMs`; null while another process holds it. */
  async acquire(name: string, ttlMs: number): Promise<Lease | null> {
    const rows = await this.db.query<{ epoch: number }>(take, [name, this.holder, ttlMs]);
    return rows[0] ? { name, epoch: rows[0].epoch } : null;
  }

  /** Takes the lease from any current holder, whose later writes are refused by their old epoch. */
  async seize(name: string, ttlMs: number): Promise<Lease> {
    const rows = await this.db.query<{ epoch: number }>(seize, [name, this.holder, ttlMs]);
    return { name, epoch: rows[0]!.epoch };
  }

  /** Raises the epoch of a lease above `epoch`; null when this process does not hold it. */
  async raise(name: string, epoch: number): Promise<Lease | null> {
    const rows = await this.db.query<{ epoch: number }>(raise, [name, this.holder, epoch]);
    return rows[0] ? { name, epoch: rows[0].epoch } : null;
  }

  /** Whether the lease is still held; renews it, and nobody can take it before the transaction ends. */
  async fence(tx: Transaction, { name, epoch }: Lease, ttlMs: number): Promise<boolean> {
    return (await tx.query(checkEpoch, [name, this.holder, epoch, ttlMs])).length > 0;
  }

  /** Releases the lease, so that another process can take it at once. */
  async release(name: string): Promise<void> {
    await this.db.query(
      "UPDATE lease SET expires_at = now() - interval '1 second' WHERE name = $1 AND holder = $2",
      [name, this.holder],
    );
  }
}

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

export interface LeasedLoopOptions extends Omit<LoopOptions, "round"> {
  /** Name of the lease, and milliseconds after which it expires unless renewed. */
  lease: { name: string; ttlMs: number };
  leases: Leases;
  log: Logger;
  clock: Clock;
  /** Milliseconds between two attempts while another process holds the lease. */
  standbyMs: number;
  /** One round as the leaseholder; the lease is renewed before each round. See `LoopOptions.round`. */
  lead: (lease: Lease, signal: AbortSignal) => Promise<number>;
  /** Called when another process holds the lease. */
  standBy?: () => void;
}

/** A `Loop` whose work is done by one process at a time, the holder of a lease. */
export class LeasedLoop {
  readonly #loop: Loop;
  #leading = false;

  constructor(private readonly options: LeasedLoopOptions) {
    this.#loop = new Loop({ ...options, round: (signal) => this.#round(signal) });
  }

  /** Whether this process held the lease at its last check. */
  get leading(): boolean {
    return this.#leading;
  }

  start(onCrash: (error: unknown) => void): Promise<void> {
    return this.#loop.start(onCrash);
  }

  /** Aborts the current round and releases the lease; idempotent. */
  async stop(): Promise<void> {
    await this.#loop.stop();
    if (!this.#leading) return;
    this.#leading = false;
    const { leases, lease, log } = this.options;
    await leases.release(lease.name).catch((error) => {
      log.debug("lease not released", { lease: lease.name, error: messageOf(error) });
    });
  }

  /** To be called within a round: renews the lease; false when it was lost, or the loop is stopping. */
  async renew(): Promise<boolean> {
    return !this.#loop.signal.aborted && await this.#acquire() !== null;
  }

  async #round(signal: AbortSignal): Promise<number> {
    const lease = await this.#acquire();
    if (lease) return await this.options.lead(lease, signal);
    this.options.standBy?.();
    return this.options.standbyMs;
  }

  async #acquire(): Promise<Lease | null> {
    const { leases, lease } = this.options;
    let acquired: Lease | null = null;
    try {
      acquired = await leases.acquire(lease.name, lease.ttlMs);
      return acquired;
    } finally {
      this.#leading = acquired !== null;
    }
  }
}
