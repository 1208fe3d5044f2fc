import type { Clock } from "#kit/clock.ts";
import type { Logger } from "#kit/log.ts";
import type { Metrics } from "#kit/metrics.ts";
import type { Database } from "#metadata/postgres/database.ts";
import type { Wakeups } from "#metadata/postgres/wakeups.ts";

/** Options of the event log on PostgreSQL; times in milliseconds. */
export interface PostgresLogOptions {
  db: Database;
  wakeups: Wakeups;
  log: Logger;
  metrics: Metrics;
  clock: Clock;
  /** A consumer without a heartbeat for this long loses its partitions. */
  sessionMs: number;
  /** Interval of heartbeats, which also look for records whose notification was lost. */
  heartbeatMs: number;
}
