import type { EventLog } from "#eventlog/port.ts";
import type { Clock } from "#kit/clock.ts";
import type { Logger } from "#kit/log.ts";
import type { Database } from "#metadata/postgres/database.ts";
import type { IntakeWarnings } from "#metadata/openlineage/intake-warnings.ts";
import type { AppliedBatches } from "./applied.ts";
import type { Backpressure } from "./backpressure.ts";
import type { QueueStatements } from "./queue.queries.ts";

/** Default of `ComposedSource.renameMs`. */
export const defaultRenameMs = 5_000;

/** What is counted of a source, by the table that rows are of. */
export interface SourceMetrics<T extends string> {
  posted(table: T, rows: number): void;
  waiting(table: T, rows: number): void;
  failed(cause: "event_log" | "metadata"): void;
}

/**
 * A source whose entities are composed of what it reported, and posted as ordinary batches that yield to collectors:
 * what its publisher works with.
 */
export interface ComposedSource<T extends string = string> {
  /** How people call it, such as `OpenLineage`. */
  system: string;
  /** What the CATRNs of its data sources begin with. */
  root: string;
  statements: QueueStatements<T>;
  /** Milliseconds after which what did not change is posted again while it is still reported. */
  refreshMs: number;
  /** Milliseconds for which a name that a RENAME took away stays, since a swap gives it to another table at once. */
  renameMs: number;
  /** The data source of each group of rows, registered if it is not there yet. */
  ensureSources(groups: string[]): Promise<Map<string, string>>;
}

/** What every publisher of a composed source works with. */
export interface SourceDeps<T extends string = string> {
  db: Database;
  events: EventLog;
  clock: Clock;
  log: Logger;
  metrics: SourceMetrics<T>;
  intakeWarnings: IntakeWarnings;
  backpressure: Backpressure;
  applied: Pick<AppliedBatches, "until">;
  /** Whether ingestion requires tokens: then events give no rights on assets of other data sources. */
  filtered: boolean;
  source: ComposedSource<T>;
}

/** The event log did not take a batch. */
export class LogFailure extends Error {
  constructor(cause: unknown) {
    super("the event log does not take batches", { cause });
    this.name = "LogFailure";
  }
}
