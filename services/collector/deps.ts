import type { RunCounts, RunKind, RunState } from "#contract/connections/connection.ts";
import type { EventLog } from "#eventlog/port.ts";
import type { Clock } from "#kit/clock.ts";
import type { Logger } from "#kit/log.ts";
import type { Metrics } from "#kit/metrics.ts";
import type { Database, Transaction } from "#metadata/postgres/database.ts";
import { type Lease, leasedDatabase, type Leases } from "#metadata/postgres/leases.ts";
import type { Wakeups } from "#metadata/postgres/wakeups.ts";
import type { Config } from "#platform/config/schema.ts";
import type { Connector } from "./connector.ts";

/** What the collector works with. */
export interface CollectorDeps {
  db: Database;
  events: Pick<EventLog, "publish">;
  leases: Leases;
  wakeups: Wakeups;
  clock: Clock;
  log: Logger;
  metrics: ReturnType<typeof collectorMetrics>;
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

const outcomes = ["added", "changed", "unchanged", "removed", "skipped"] as const;

/** Counts what runs of connections do. */
export function collectorMetrics(metrics: Metrics) {
  const runs = metrics.counter(
    "tributary_collector_runs_total",
    "Runs of connections that ended, by connector, kind and state",
    ["connector", "kind", "state"],
  );
  const seconds = metrics.histogram(
    "tributary_collector_run_seconds",
    "Duration of runs of connections",
    ["connector"],
    [1, 5, 15, 60, 300, 900, 3_600],
  );
  const items = metrics.counter(
    "tributary_collector_items_total",
    "Assets that connections read, by outcome",
    ["outcome"],
  );
  const running = metrics.gauge("tributary_collector_running", "Runs of connections in progress");
  const buffered = metrics.gauge(
    "tributary_collector_buffered_bytes",
    "Bytes of assets waiting to be published",
  );
  for (const outcome of outcomes) items.inc({ outcome }, 0);
  running.set({}, 0);
  buffered.set({}, 0);
  return {
    ended(connector: string, kind: RunKind, state: RunState, ms: number): void {
      runs.inc({ connector, kind, state });
      seconds.observe({ connector }, ms / 1_000);
    },
    counted(counts: RunCounts): void {
      for (const outcome of outcomes) items.inc({ outcome }, counts[outcome]);
    },
    running: (count: number) => running.set({}, count),
    buffered: (bytes: number) => buffered.set({}, bytes),
  };
}
