import type { EventLog } from "#eventlog/port.ts";
import type { Clock } from "#kit/clock.ts";
import type { Logger } from "#kit/log.ts";
import type { Database } from "#metadata/postgres/database.ts";
import type { IntakeWarnings } from "#metadata/openlineage/intake-warnings.ts";
import type { Config } from "#platform/config/schema.ts";
import type { NamingMemory } from "#platform/naming/memory.ts";
import type { NamingSettings } from "#platform/naming/openlineage/settings.ts";
import type { IntakeThrottle } from "../intake-throttle.ts";
import type { OpenLineageMetrics } from "../metrics.ts";
import type { IoRules } from "../state/job-io.ts";
import type { Keys } from "../state/model.ts";
import type { AppliedBatches } from "./applied.ts";
import type { Backpressure } from "./backpressure.ts";

/** What the publisher works with. */
export interface PublisherDeps {
  db: Database;
  events: EventLog;
  clock: Clock;
  log: Logger;
  metrics: OpenLineageMetrics;
  intakeWarnings: IntakeWarnings;
  config: Config["openlineage"];
  naming: NamingSettings;
  memory: NamingMemory;
  keys: Keys;
  throttle: IntakeThrottle;
  backpressure: Backpressure;
  applied: Pick<AppliedBatches, "until">;
  /** Milliseconds for which a name that a RENAME took away stays, since a swap gives it to another table at once. */
  renameMs: number;
}

/** The rules by which inputs and outputs count. */
export function ioRules({ config, clock }: Pick<PublisherDeps, "config" | "clock">): IoRules {
  return {
    now: clock.now(),
    remembered: config["runs-remembered"],
    timeoutMs: config["run-timeout"],
    edgeTtlMs: config["edge-ttl"],
    streamingEdgeTtlMs: config["streaming-edge-ttl"],
  };
}

/** The event log did not take a batch. */
export class LogFailure extends Error {
  constructor(cause: unknown) {
    super("the event log does not take batches", { cause });
    this.name = "LogFailure";
  }
}
