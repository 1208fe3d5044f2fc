import type { EventLog } from "#eventlog/port.ts";
import type { Clock } from "#kit/clock.ts";
import type { Logger } from "#kit/log.ts";
import type { Metrics } from "#kit/metrics.ts";
import type { Database, Transaction } from "#metadata/postgres/database.ts";
import type { Lease, Leases } from "#metadata/postgres/leases.ts";
import type { Wakeups } from "#metadata/postgres/wakeups.ts";
import type { Config } from "#platform/config/schema.ts";

/** What the publisher works with. */
export interface PublisherDeps {
  db: Database;
  events: EventLog;
  leases: Leases;
  wakeups: Wakeups;
  clock: Clock;
  log: Logger;
  metrics: Metrics;
  config: Config["traces"];
}

/** Milliseconds that the lease lasts; each transaction renews it. */
export const leaseMs = 15_000;

/** Somebody else leads by now. */
export class LeaseLostError extends Error {
  override name = "LeaseLost";
}

/** The event log did not take a batch. */
export class LogFailure extends Error {
  constructor(cause: unknown) {
    super("the event log does not take batches of services", { cause });
    this.name = "LogFailure";
  }
}

/** One term as leader; its transactions fail with `LeaseLostError` once another process leads. */
export class LeaderTerm {
  /** `stopping` aborts when the work should end after the current batch. */
  constructor(
    readonly deps: PublisherDeps,
    private readonly lease: Lease,
    readonly stopping: AbortSignal = new AbortController().signal,
  ) {}

  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const { db, leases } = this.deps;
    return db.transaction(async (tx) => {
      const mine = await leases.fence(tx, this.lease, leaseMs);
      if (!mine) throw new LeaseLostError(`epoch ${this.lease.epoch} is over`);
      return await work(tx);
    });
  }
}

/** Counters and gauges of the publisher. */
export function publisherMetrics(metrics: Metrics) {
  return {
    posted: metrics.counter(
      "tributary_traces_entities_posted_total",
      "Services, calls and groups published in batches",
    ),
    unchanged: metrics.counter(
      "tributary_traces_entities_unchanged_total",
      "Services, calls and groups that were mapped again without a change",
    ),
    deleted: metrics.counter(
      "tributary_traces_entities_deleted_total",
      "Services, calls and groups marked DELETED because none of their edges is left",
    ),
    expired: metrics.counter(
      "tributary_traces_edges_expired_total",
      "Edges between services and data that were not seen for traces.edge-ttl",
    ),
    cut: metrics.counter(
      "tributary_traces_entities_cut_total",
      "Services composed without some of their edges because an entity cannot hold more",
    ),
    quarantines: metrics.counter(
      "tributary_traces_quarantines_total",
      "Times that a service or host was quarantined because it could not be composed or posted",
    ),
    quarantined: metrics.gauge(
      "tributary_traces_quarantined_subjects",
      "Services and hosts in quarantine, as the publishing process knows them",
    ),
    failures: metrics.counter(
      "tributary_traces_publish_failures_total",
      "Failed rounds of the service publisher",
      ["cause"],
    ),
    state: metrics.gauge(
      "tributary_traces_publisher_state",
      "1 for the current state of the publisher",
      [
        "state",
      ],
    ),
  };
}
