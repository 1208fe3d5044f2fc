import type { EventLog } from "#eventlog/port.ts";
import type { Clock } from "#kit/clock.ts";
import type { Logger } from "#kit/log.ts";
import type { IntakeWarnings } from "#metadata/openlineage/intake-warnings.ts";
import type { Database, Transaction } from "#metadata/postgres/database.ts";
import type { Leases } from "#metadata/postgres/leases.ts";
import type { AppliedBatches, Backpressure } from "./applied.ts";
import type { PendingRemoval, QueueStatements } from "./queue.queries.ts";

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

/** The state of a publisher, for health and metrics. `standby`: another process publishes this source. */
export const publisherStates = ["stopped", "standby", "running", "log_down", "waiting"] as const;
export type PublisherState = (typeof publisherStates)[number];

/** What is counted of a source. */
export interface SourceMetrics {
  failed(cause: "event_log" | "metadata"): void;
  state?(state: PublisherState): void;
  /** Entities that left the catalogue, or were not in it. */
  removed?(entities: number): void;
}

/** What is counted of a source with a row queue, by the table that rows are of. */
export interface QueueMetrics<T extends string> extends SourceMetrics {
  posted(table: T, rows: number): void;
  waiting(table: T, rows: number): void;
}

/** A source whose entities are mapped from what it reported, and posted as ordinary batches. */
interface ComposedSource {
  /** How people call it, such as `OpenLineage`. */
  system: string;
  batches: BatchPolicy;
  removals: RemovalStore;
}

/** A source that remembers in rows of its tables what is to be mapped and what was posted. */
interface RowQueue<T extends string = string> extends ComposedSource {
  statements: QueueStatements<T>;
  /** Milliseconds after which what did not change is posted again while it is still reported. */
  refreshMs: number;
  /** The data source of each group of rows, registered if it is not there yet. */
  ensureSources(groups: string[]): Promise<Map<string, string>>;
}

/** What every publisher of a composed source works with. */
export interface SourceDeps {
  /** Its transactions fail once another process leads, if one process at a time publishes this source. */
  db: Database;
  events: EventLog;
  clock: Clock;
  log: Logger;
  metrics: SourceMetrics;
  backpressure: Backpressure;
  applied: Pick<AppliedBatches, "until">;
  /** Whether ingestion requires tokens: then events give no rights on assets of other data sources. */
  filtered: boolean;
  source: ComposedSource;
}

/** What the publisher of a source with a row queue works with. */
export interface QueueDeps<T extends string = string> extends SourceDeps {
  metrics: QueueMetrics<T>;
  intakeWarnings: IntakeWarnings;
  source: RowQueue<T>;
}

/** The event log did not take a batch. */
export class LogFailure extends Error {
  constructor(cause: unknown) {
    super("the event log does not take batches", { cause });
    this.name = "LogFailure";
  }
}
