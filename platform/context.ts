import type { Cache } from "#cache/port.ts";
import type { EventLog } from "#eventlog/port.ts";
import type { LineageGraph, LineageHistory } from "#graph/port.ts";
import type { Clock } from "#kit/clock.ts";
import type { Logger } from "#kit/log.ts";
import type { Metrics } from "#kit/metrics.ts";
import type { Database } from "#metadata/postgres/database.ts";
import type { Leases } from "#metadata/postgres/leases.ts";
import type { Wakeups } from "#metadata/postgres/wakeups.ts";
import type { BatchesInFlight, ReadChunkCache } from "#platform/batches-in-process.ts";
import type { Config } from "#platform/config/schema.ts";
import type { OwnProcess } from "#platform/ops/workers.ts";
import type { ObjectStorage } from "#storage/port.ts";

/** The dependencies of services. The composition root creates it; services see ports, not adapters. */
export interface Context {
  config: Config;
  /** URL at which users reach this catalogue; a function, since a free port is known only once bound. */
  baseUrl: () => string;
  db: Database;
  /** Where the rows of lookup tables are retained when not in `db`. */
  lookup?: Database;
  wakeups: Wakeups;
  leases: Leases;
  events: EventLog;
  graph: LineageGraph;
  /** Lineage as of past times; from the metadata, whatever the engine of `graph`. */
  history: LineageHistory;
  cache: Cache;
  /** The bytes of attachments. */
  storage: ObjectStorage;
  clock: Clock;
  log: Logger;
  metrics: Metrics;
  /** What the API has read of batches, for the consumer in the same process; absent in commands. */
  readChunks?: ReadChunkCache;
  /** The batches that collectors wait for; absent in commands. */
  batchesInFlight?: BatchesInFlight;
  /** The process that serves; absent in commands. */
  own?: OwnProcess;
}
