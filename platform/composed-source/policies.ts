import type { Transaction } from "#metadata/postgres/database.ts";
import type { Leases } from "#metadata/postgres/leases.ts";
import type { PendingRemoval } from "./queue.queries.ts";

/** What the batches of a source are like. */
export interface BatchPolicy {
  topic: string;
  /** Maximum number of items and bytes of one batch. */
  maxItems: number;
  maxBytes: number;
  /** Milliseconds that the log is given for a batch. */
  timeoutMs: number;
  /** Further headers of a batch whose items were last seen then. */
  headers(seenAt: number): Record<string, string>;
}

/** How a source remembers what it no longer reports. */
export interface RemovalStore {
  /**
   * What leaves by now. An entity whose last batch is not applied yet has to wait, or that batch would restore it; but no
   * longer than since `before`, milliseconds since the epoch.
   */
  pending(tx: Transaction, before: number, limit: number): Promise<PendingRemoval[]>;
  /** They have left. */
  forget(tx: Transaction, removals: PendingRemoval[]): Promise<void>;
}

/** One process at a time publishes a source, the holder of a lease. */
export interface Leadership {
  name: string;
  ttlMs: number;
  leases: Leases;
}
