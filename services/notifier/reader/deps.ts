import type { EventLog } from "#eventlog/port.ts";
import type { Clock } from "#kit/clock.ts";
import type { Logger } from "#kit/log.ts";
import type { Metrics } from "#kit/metrics.ts";
import type { Database } from "#metadata/postgres/database.ts";
import type { SlotNames } from "#platform/ops/slot/names.ts";

/** What the slot reader is made of. */
export interface SlotReaderDeps {
  db: Database;
  events: EventLog;
  clock: Clock;
  log: Logger;
  metrics: Metrics;
  names: SlotNames;
  /** Milliseconds between two signs of a quiet database. */
  heartbeatMs: number;
  /** Maximum number of changes that wait to be announced; default 50,000. */
  maxWaiting?: number;
}
