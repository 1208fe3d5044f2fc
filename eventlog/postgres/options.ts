import type { Clock } from "#kit/clock.ts";
import type { Logger } from "#kit/log.ts";
import type { Metrics } from "#kit/metrics.ts";
import type { Database } from "#metadata/postgres/database.ts";
import type { Wakeups } from "#metadata/postgres/wakeups.ts";

/** What the event log on PostgreSQL works with; times in milliseconds. */
export interface PostgresLogOptions {
  db: Database;
  wakeups: Wakeups;
  log: Logger;
  metrics: Metrics;
  clock: Clock;
  /** A consumer that is silent for longer loses its partitions. */
  sessionMs: number;
  /** Between two heartbeats, which also look for records whose wake-up was lost. */
  heartbeatMs: number;
}
