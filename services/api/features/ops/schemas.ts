import { z } from "@hono/zod-openapi";
import { Int, Long, optional } from "#contract/catalogue/common.ts";
import { Timestamp } from "#contract/http.ts";
import { enginePorts } from "#platform/ops/engines.ts";

const cause = optional(z.string()).openapi({ description: "Why; without secrets" });
const part = {
  state: z.enum(["known", "unknown"]).openapi("OpsPartState", {
    description:
      "`unknown`: the source of the information does not respond; this differs from none",
  }),
  cause,
};

export const OpsEngine = z.object({
  port: z.enum(enginePorts).openapi("OpsEnginePort"),
  engine: z.string(),
  state: z.enum(["up", "down", "unknown"]).openapi("OpsEngineState", {
    description: "`down`: it refuses or fails; `unknown`: it says nothing in time",
  }),
  latency_ms: optional(z.number()),
  version: optional(z.string()).openapi({ description: "Null if unknown" }),
  cause,
}).openapi("OpsEngine");
export const OpsEngineList = z.object({ items: z.array(OpsEngine) }).openapi("OpsEngineList");

export const OpsWorker = z.object({
  name: z.string(),
  ready: z.boolean(),
  state: z.string().openapi({
    description: "State as listed in docs/operate/operations.md",
  }),
  since: Timestamp,
  cause,
  meaning: optional(z.string()).openapi({ description: "What the state means" }),
  action: optional(z.string()).openapi({ description: "What to do" }),
  takes: optional(z.string()).openapi({ description: "Expected recovery time" }),
}).openapi("OpsWorker");
export const OpsProcess = z.object({
  id: z.string().openapi({ description: "Host, process id and a random part" }),
  own: z.boolean().openapi({ description: "Whether it is the process that responds" }),
  state: z.enum(["up", "unknown"]).openapi("OpsProcessState", {
    description: "`unknown`: no report for 15 seconds; its workers are as last reported",
  }),
  cause,
  services: z.array(z.string()),
  version: z.string(),
  started_at: Timestamp,
  seen_at: Timestamp,
  workers: z.array(OpsWorker),
}).openapi("OpsProcess");
export const OpsProcessList = z.object({
  instance: z.string(),
  ...part,
  items: z.array(OpsProcess),
}).openapi("OpsProcessList", {
  description: "`state`: whether processes other than the responding one are known",
});

export const OpsConsumerLag = z.object({
  group: z.string(),
  topic: z.string(),
  ...part,
  lag: optional(Long).openapi({
    description: "Records still to do, in all partitions; null when unknown",
  }),
  partitions: z.array(
    z.object({ partition: Int, committed: Long, end: Long, lag: Long }).openapi("OpsPartitionLag"),
  ),
}).openapi("OpsConsumerLag");
export const OpsConsumerLagList = z.object({
  lag: optional(Long).openapi({ description: "Of all; null when that of one is unknown" }),
  items: z.array(OpsConsumerLag),
}).openapi("OpsConsumerLagList");

export const OpsSlot = z.object({
  ...part,
  enabled: z.boolean().openapi({ description: "Whether notifications are switched on" }),
  facts: optional(
    z.object({
      slot: z.string(),
      exists: z.boolean(),
      active: z.boolean().openapi({ description: "Whether a notifier reads it" }),
      pid: optional(Long),
      wal_status: optional(z.string()),
      invalidation_reason: optional(z.string()),
      lag_bytes: optional(Long).openapi({ description: "Written and not confirmed" }),
      retained_bytes: optional(Long).openapi({ description: "Retained on disk for it" }),
      confirmed_lsn: optional(z.string()),
      restart_lsn: optional(z.string()),
      publication: z.string(),
      publication_exists: z.boolean(),
      wal_level: z.string(),
      announced_since: optional(Timestamp),
      unannounced: Long.openapi({ description: "Changes of alerts that are not announced yet" }),
    }).openapi("OpsSlotFacts"),
  ),
}).openapi("OpsSlot");

const Edge = z.object({ parent_id: Long, child_id: Long }).openapi("OpsEdge");
export const OpsVerification = z.object({
  state: z.enum(["RUNNING", "EQUAL", "DIFFERENT", "FAILED"]).openapi("OpsVerificationState"),
  started_at: Timestamp,
  ended_at: optional(Timestamp),
  compared: Long.openapi({ description: "Edges of the metadata, so far" }),
  position: optional(Long),
  newest: optional(Long),
  missing_count: optional(Int).openapi({
    description: "Edges that the graph lacks, of those found",
  }),
  extra_count: optional(Int).openapi({
    description: "Edges that it should not have, of those found",
  }),
  missing: z.array(Edge),
  extra: z.array(Edge),
  more: optional(z.boolean()).openapi({ description: "Whether there are more than were found" }),
  cause,
}).openapi("OpsVerification");
export const OpsProjection = z.object({
  ...part,
  engine: z.string(),
  projection: z.enum(["INLINE", "PROJECTED"]).openapi("OpsProjectionKind", {
    description: "`INLINE`: the graph is the metadata itself, without a copy and without lag",
  }),
  position: optional(Long).openapi({ description: "Where the graph is; null when unknown" }),
  newest: optional(Long).openapi({ description: "Where the metadata are; null when unknown" }),
  lag: optional(Long).openapi({ description: "Null when unknown, never 0 for that" }),
  projector: optional(OpsWorker).openapi({
    description: "The worker that writes; null where none is known",
  }),
  verification: optional(OpsVerification).openapi({
    description: "The last one; null before the first",
  }),
}).openapi("OpsProjection");

const series = z.array(Long);
export const OpsReceiverHistory = z.object({
  channel: z.string(),
  delivered: series,
  failed: series,
}).openapi("OpsReceiverHistory");
const sampled = z.array(optional(Long));
export const OpsConsumerHistory = z.object({
  group: z.string(),
  topic: z.string(),
  lag: sampled.openapi({ description: "Highest lag of each step, in records" }),
  done: sampled.openapi({ description: "Records processed in each step" }),
}).openapi("OpsConsumerHistory");
export const OpsHistory = z.object({
  ...part,
  from: Timestamp,
  step_seconds: Int.openapi({ description: "Seconds between two values of a series" }),
  batches: series.openapi({ description: "Batches that were applied" }),
  items: series.openapi({ description: "Items of these; those of an earlier release count as 0" }),
  refused_batches: series.openapi({ description: "Chunks of batches that ended as dead letters" }),
  refused_items: series.openapi({
    description: "Items of applied batches that belong to another data source",
  }),
  deliveries: z.array(OpsReceiverHistory).openapi({
    description: "Deliveries of notifications that ended, by channel",
  }),
  failed_runs: series.openapi({ description: "Runs of connections that failed" }),
  consumers: z.array(OpsConsumerHistory).openapi({
    description: "Sampled every minute by one process; null where it did not",
  }),
  projection_lag: sampled.openapi({
    description: "Highest lag of the graph, in changes; null where the graph has none",
  }),
  dead_letters: sampled.openapi({ description: "Dead letters that were stored" }),
  requests: sampled.openapi({
    description: "Requests that the processes answered, health and metrics apart",
  }),
  failed_requests: sampled.openapi({ description: "Of these, with a status of 500 or above" }),
}).openapi("OpsHistory", {
  description: "The last 24 hours, in series of equal length whose first value begins at `from`; " +
    "they are empty while the state is unknown",
});

export const OpsSlowStatement = z.object({
  statement: z.string().openapi({ description: "Its name, or how it begins; without values" }),
  calls: Long.openapi({ description: "Slow calls" }),
  total_ms: Long.openapi({ description: "Milliseconds of all slow calls" }),
  max_ms: Long,
  last_hour: Timestamp.openapi({ description: "The hour in which it was last slow" }),
}).openapi("OpsSlowStatement");
export const OpsSlowStatementList = z.object({
  ...part,
  threshold_ms: Int.openapi({ description: "Faster calls are not counted" }),
  items: z.array(OpsSlowStatement),
}).openapi("OpsSlowStatementList", {
  description: "SQL statements of every process in the last 24 hours, those with the most time " +
    "first; the time includes waiting for a connection",
});

export const OpsBackup = z.object({
  ...part,
  scheduled: z.boolean().openapi({ description: "Whether `backup.directory` is set" }),
  directory: optional(z.string()),
  every_seconds: optional(Int),
  newest_at: optional(Timestamp).openapi({
    description: "When the newest whole backup in the directory was begun; null when there is none",
  }),
}).openapi("OpsBackup");

export const OpsProblem = z.object({
  level: z.enum(["WARNING", "ERROR"]).openapi("OpsProblemLevel"),
  part: z.enum(["ENGINES", "WORKERS", "LAG", "PROJECTION", "DEAD_LETTERS", "BACKUP", "VERSIONS"])
    .openapi("OpsProblemPart"),
  subject: z.string().openapi({ description: "The engine, worker or consumer" }),
  message: z.string(),
  action: optional(z.string()).openapi({ description: "What to do" }),
}).openapi("OpsProblem");
export const OpsSummary = z.object({
  state: z.enum(["OK", "WARNING", "ERROR"]).openapi("OpsOverallState", {
    description: "The worst level of the problems. What cannot be read is a warning, never `OK`",
  }),
  problems: z.array(OpsProblem).openapi({ description: "Errors first" }),
  release: z.string().openapi({ description: "Of the process that answers" }),
  schema_version: optional(Int).openapi({
    description: "Newest file of the schema that was applied; null when unknown",
  }),
  runtime: z.string(),
}).openapi("OpsSummary");
