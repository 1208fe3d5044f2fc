import { silentLogger } from "#kit/log.ts";
import { noMetrics } from "#kit/metrics.ts";
import type { EventLog } from "#eventlog/port.ts";
import { kafkaEventLog } from "#eventlog/kafka/log.ts";
import { postgresEventLog } from "#eventlog/postgres/log.ts";
import { Database } from "#metadata/postgres/database.ts";
import { Wakeups } from "#metadata/postgres/wakeups.ts";

/** An event log, in words that can be handed to another process. */
export type LogTarget =
  | { engine: "postgres"; url: string; sessionMs: number }
  | { engine: "kafka"; brokers: string[]; instance: string; sessionMs: number };

/** Opens a log as a process of its own would: closing it closes its connections as well. */
export function openLog(target: LogTarget): EventLog {
  return target.engine === "kafka" ? openKafka(target) : openPostgres(target);
}

function openKafka(target: LogTarget & { engine: "kafka" }): EventLog {
  const { brokers, instance, sessionMs } = target;
  return kafkaEventLog({
    brokers,
    instance,
    sessionMs,
    replicationFactor: 1,
    note: () => `a note of ${instance}`,
    log: silentLogger,
    metrics: noMetrics,
  });
}

function openPostgres({ url, sessionMs }: LogTarget & { engine: "postgres" }): EventLog {
  const db = new Database({ url, max: 6, statementTimeoutMs: 30_000, applicationName: "test log" });
  const wakeups = new Wakeups(url, silentLogger);
  const log = postgresEventLog({
    db,
    wakeups,
    sessionMs,
    heartbeatMs: sessionMs / 5,
    log: silentLogger,
    metrics: noMetrics,
  });
  return Object.assign(log, {
    close: async () => {
      await wakeups.close();
      await db.close();
    },
  });
}
