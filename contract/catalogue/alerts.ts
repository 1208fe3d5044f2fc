import { z } from "@hono/zod-openapi";
import { alertEventTypes, alertStatuses, alertTypes } from "#contract/alerts.ts";
import {
  countsForUser,
  DataSourceSafe,
  Int,
  Long,
  nullable,
  optional,
  pageOf,
} from "#contract/catalogue/common.ts";
import { DataEntityRef } from "#contract/catalogue/entity-ref.ts";
import { OptionalDescription } from "#contract/catalogue/inputs.ts";
import { AssociatedOwner } from "#contract/catalogue/people.ts";
import { Id, Timestamp } from "#contract/http.ts";
import { Instant } from "#contract/ingestion/values.ts";
import { attemptOutcomes, deliveryStates, notificationChannels } from "#contract/notifications.ts";

export const AlertType = z.enum(alertTypes).openapi("AlertType");
export const AlertStatus = z.enum(alertStatuses).openapi("AlertStatus");

const AlertChunk = z.object({ created_at: Timestamp, description: z.string() })
  .openapi("AlertChunk");
export const AlertChunkPage = pageOf("AlertChunkPage", AlertChunk);

/**
 * `data_entity` is null when the alert names no entity, `data_source` unless it concerns a data source as such.
 * `created_at` is when it was first raised, `last_created_at` when it was last raised; `description` is the text of its
 * newest chunk. The list holds the newest 50 of `alert_chunk_total` chunks; `…/chunks` returns all.
 */
export const Alert = z.object({
  id: Id,
  data_entity: optional(DataEntityRef),
  data_source: optional(DataSourceSafe),
  type: AlertType,
  status: AlertStatus,
  status_updated_by: optional(AssociatedOwner),
  status_updated_at: optional(Timestamp),
  created_at: Timestamp,
  last_created_at: optional(Timestamp),
  description: z.string(),
  alert_chunk_list: optional(z.array(AlertChunk)),
  alert_chunk_total: optional(Long),
}).openapi("Alert");
export const AlertList = pageOf("AlertList", Alert);

/** How much depends on what an alert is about, the worst first. */
const alertSeverities = ["CRITICAL", "HIGH", "MEDIUM", "LOW"] as const;
export const AlertSeverity = z.enum(alertSeverities).openapi("AlertSeverity");
export type AlertSeverity = z.output<typeof AlertSeverity>;

/** Maximum number of alerts whose impact is read at once. */
export const maxAlertImpacts = 100;

/**
 * What an alert affects: everything downstream of its entity or, where it names none, the assets of its data source.
 * `affected_at_least` says that there are more than were counted. `silence` is the longest that the alert meets now;
 * null also for callers without NOTIFICATION_VIEW.
 */
const AlertImpact = z.object({
  alert_id: Id,
  severity: AlertSeverity,
  affected_total: Int,
  affected_consumers: Int,
  affected_at_least: z.boolean(),
  silence: nullable(
    z.object({
      id: Id,
      until: Timestamp,
      created_by: optional(z.string()),
      comment: optional(z.string()),
    }).openapi("AlertSilence"),
  ),
}).openapi("AlertImpact");

/** In the order of the request; an alert that appears in no list has no item. */
export const AlertImpactList = z.object({ items: z.array(AlertImpact) }).openapi("AlertImpactList");

/** Counts of open alerts. */
export const AlertTotals = z.object({ total: Long, my_total: Long, dependent_total: Long })
  .openapi("AlertTotals");
export const AlertCountInfo = z.object(countsForUser).openapi("AlertCountInfo");

export const AlertStatusForm = z.object({ status: AlertStatus }).openapi("AlertStatusFormData");

/** Members of the configuration, one for each type of alert that can be halted. */
export const haltKeys = [
  "failed_job_halt_until",
  "failed_dq_test_halt_until",
  "incompatible_schema_halt_until",
  "distribution_anomaly_halt_until",
] as const;
type HaltKey = (typeof haltKeys)[number];
const halts = <T extends z.ZodType>(time: T) =>
  Object.fromEntries(haltKeys.map((key) => [key, time])) as Record<HaltKey, T>;

/** For each alert type, the time until which it is not raised on the entity; null when it is raised. */
export const DataEntityAlertConfig = z.object(halts(optional(Timestamp)))
  .openapi("DataEntityAlertConfig");
/** A member that is absent or null is cleared. */
export const AlertConfigForm = z.object(
  halts(Instant.nullish().openapi({ type: ["string", "null"], format: "date-time" })),
)
  .openapi("DataEntityAlertConfigFormData");
export type AlertConfigForm = z.output<typeof AlertConfigForm>;

/** One attempt; `status` is the receiver's HTTP status, `cause` says why the attempt failed. */
const DeliveryAttempt = z.object({
  number: Int,
  at: Timestamp,
  duration_ms: optional(Int),
  outcome: z.enum(attemptOutcomes),
  status: optional(Int),
  cause: optional(z.string()),
}).openapi("NotificationDeliveryAttempt");

/**
 * A row of the delivery log: one change of an alert, sent to one recipient over one channel.
 * `attempts` holds the newest of `attempt_count`, in order. FOLLOW_UP informs the recipients of
 * another alert about this change. `due_at` is the next attempt of a pending delivery; `merged_into`
 * is the delivery whose message includes this one.
 */
export const NotificationDelivery = z.object({
  id: z.uuid(),
  event_id: Id,
  kind: z.enum(["EVENT", "FOLLOW_UP"]),
  alert_id: Id,
  entity_id: optional(Id),
  alert_type: AlertType,
  event_type: z.enum(alertEventTypes),
  event_at: Timestamp,
  channel: z.enum(notificationChannels),
  recipient: z.string(),
  state: z.enum(deliveryStates).openapi("NotificationDeliveryState"),
  reason: optional(z.string()),
  merged_into: optional(z.uuid()),
  created_at: Timestamp,
  due_at: optional(Timestamp),
  ended_at: optional(Timestamp),
  attempt_count: Int,
  attempts: z.array(DeliveryAttempt),
}).openapi("NotificationDelivery");
export const NotificationDeliveryList = pageOf("NotificationDeliveryList", NotificationDelivery);

/** Suppresses notifications until a time; an alert must meet all conditions that are not null. */
export const Silence = z.object({
  id: Id,
  entity_id: optional(Id),
  namespace_id: optional(Id),
  owner_id: optional(Id),
  alert_type: optional(AlertType),
  until: Timestamp,
  active: z.boolean(),
  comment: optional(z.string()),
  created_by: optional(z.string()),
  created_at: Timestamp,
}).openapi("NotificationSilence");
export const SilenceList = pageOf("NotificationSilenceList", Silence);

const silenceConditions = ["entity_id", "namespace_id", "owner_id", "alert_type"] as const;

/** A new silence: its end, and at least one condition. */
export const SilenceForm = z.strictObject({
  entity_id: Id.nullish(),
  namespace_id: Id.nullish(),
  owner_id: Id.nullish(),
  alert_type: z.enum(alertTypes).nullish(),
  until: Instant,
  comment: OptionalDescription,
}).refine((form) => silenceConditions.some((key) => form[key] != null), {
  path: ["entity_id"],
  error: `must be given, or one of ${silenceConditions.slice(1).join(", ")}`,
}).openapi("NotificationSilenceFormData");
export type SilenceForm = z.output<typeof SilenceForm>;
