import { boundedRecord } from "#contract/bounded.ts";
import { z } from "@hono/zod-openapi";
import { Int, Long, optional, pageOf } from "#contract/catalogue/common.ts";
import { NameInput } from "#contract/catalogue/inputs.ts";
import { Id, Timestamp } from "#contract/http.ts";
import { connectorNames } from "./connectors.ts";

/** What a run does: read and publish, only try the connection, or only show what would come. */
const runKinds = ["RUN", "TEST", "PREVIEW"] as const;
export type RunKind = (typeof runKinds)[number];

/** PARTIAL: something was left out, and `problems` names it. */
const runStates = [
  "QUEUED",
  "RUNNING",
  "SUCCEEDED",
  "PARTIAL",
  "FAILED",
  "CANCELLED",
] as const;
export type RunState = (typeof runStates)[number];

/** Bounds of `schedule_minutes`: five minutes to a week. */
export const schedule = { min: 5, max: 10_080 };

/** Most problems and names that a run keeps. */
export const maxProblems = 100;
export const maxPreviewed = 20;

export const Connector = z.object({
  name: z.enum(connectorNames),
  title: z.string(),
  settings_schema: z.record(z.string(), z.unknown()).openapi({
    description: "JSON Schema of the settings; those with `writeOnly` are secrets",
  }),
}).openapi("Connector");
export const ConnectorList = z.object({
  items: z.array(Connector),
  stores_secrets: z.boolean().openapi({
    description:
      "Whether secrets can be stored; if not, they must be references to a variable or a file",
  }),
}).openapi("ConnectorList");

export const ConnectionProblem = z.object({
  object: z.string(),
  reason: z.string(),
  remedy: optional(z.string()),
}).openapi("ConnectionProblem");
export type ConnectionProblem = z.input<typeof ConnectionProblem>;

export const ConnectionCheck = z.object({
  name: z.string(),
  outcome: z.enum(["OK", "WARNING", "FAILED"]),
  detail: z.string(),
  remedy: optional(z.string()),
}).openapi("ConnectionCheck");
export type ConnectionCheck = z.input<typeof ConnectionCheck>;

export const RunCounts = z.object({
  read: Long,
  added: Long,
  changed: Long,
  unchanged: Long,
  removed: Long,
  skipped: Long,
}).openapi("ConnectionRunCounts");
export type RunCounts = z.output<typeof RunCounts>;

export const ConnectionRun = z.object({
  id: Id,
  connection_id: Id,
  kind: z.enum(runKinds),
  state: z.enum(runStates),
  requested_by: optional(z.string()),
  requested_at: Timestamp,
  started_at: optional(Timestamp),
  finished_at: optional(Timestamp),
  counts: RunCounts,
  checks: z.array(ConnectionCheck),
  preview: z.array(z.string()).openapi({ description: `The first ${maxPreviewed} names` }),
  problems: z.array(ConnectionProblem).openapi({ description: `The first ${maxProblems}` }),
  error: optional(ConnectionProblem),
}).openapi("ConnectionRun");
export const ConnectionRunList = pageOf("ConnectionRunList", ConnectionRun);

export const Connection = z.object({
  id: Id,
  name: z.string(),
  connector: z.enum(connectorNames),
  settings: z.record(z.string(), z.unknown()).openapi({ description: "Without secrets" }),
  secrets: z.array(z.object({ name: z.string(), kind: z.enum(["STORED", "ENV", "FILE"]) }))
    .openapi({ description: "Which secrets are set; their values are never shown" }),
  data_source_catrn: z.string(),
  data_source_id: optional(Id).openapi({
    description: "Missing when the data source was deleted",
  }),
  schedule_minutes: optional(Int),
  paused: z.boolean(),
  next_run_at: optional(Timestamp),
  last_run: optional(ConnectionRun),
  created_at: Timestamp,
  updated_at: Timestamp,
}).openapi("Connection");
export const ConnectionList = pageOf("ConnectionList", Connection);

const form = {
  name: NameInput,
  settings: boundedRecord(z.string().max(100), z.unknown(), 50),
  schedule_minutes: z.int().min(schedule.min).max(schedule.max).nullable().default(60).openapi({
    description: "Minutes between two runs; null: only by hand",
  }),
  paused: z.boolean().default(false).openapi({ description: "Whether scheduled runs wait" }),
};

export const ConnectionForm = z.object({ connector: z.enum(connectorNames), ...form })
  .openapi("ConnectionFormData");
export type ConnectionForm = z.output<typeof ConnectionForm>;

/** A secret that is left out stays as it is. */
export const ConnectionUpdateForm = z.object(form).openapi("ConnectionUpdateFormData");
export type ConnectionUpdateForm = z.output<typeof ConnectionUpdateForm>;
