import type { EventLog } from "#eventlog/port.ts";
import type { Clock } from "#kit/clock.ts";
import type { Logger } from "#kit/log.ts";
import type { Database, Transaction } from "#metadata/postgres/database.ts";
import { type Lease, leasedDatabase, type Leases } from "#metadata/postgres/leases.ts";
import type { Wakeups } from "#metadata/postgres/wakeups.ts";
import type { Config } from "#platform/config/schema.ts";
import type { Connector } from "./connector.ts";
import type { CollectorMetrics } from "./metrics.ts";

/** What the collector works with. */
export interface CollectorDeps {
  db: Database;
  events: Pick<EventLog, "publish">;
  leases: Leases;
  wakeups: Wakeups;
  clock: Clock;
  log: Logger;
  metrics: CollectorMetrics;
  config: Config;
  connectors: Record<string, Connector>;
  /** Milliseconds for which a run waits until its batches are applied, to report what was refused. */
  outcomeWaitMs: number;
}

/** Milliseconds that the lease of a connection lasts; its run renews it every few seconds. */
export const leaseMs = 15_000;

/** Name of the lease of a connection. */
export const leaseName = (connection: number) => `connection/${connection}`;

/** Runs a transaction that only the holder of the lease can commit. Throws `LeaseLostError`. */
export function transactionUnderLease<T>(
  { db, leases }: Pick<CollectorDeps, "db" | "leases">,
  lease: Lease,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  return leasedDatabase(db, leases, { lease, ttlMs: leaseMs }).transaction(work);
}
