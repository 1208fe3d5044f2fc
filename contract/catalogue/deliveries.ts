import { z } from "@hono/zod-openapi";
import { alertEventTypes, alertTypes } from "#contract/alerts.ts";
import { AlertType } from "#contract/catalogue/alerts.ts";
import { Int, optional, pageOf } from "#contract/catalogue/common.ts";
import { OptionalDescription } from "#contract/catalogue/inputs.ts";
import { Id, Timestamp } from "#contract/http.ts";
import { Instant } from "#contract/ingestion/values.ts";
import { attemptOutcomes, deliveryStates, notificationChannels } from "#contract/notifications.ts";

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

const conditions = ["entity_id", "namespace_id", "owner_id", "alert_type"] as const;

/** A new silence: its end, and at least one condition. */
export const SilenceForm = z.strictObject({
  entity_id: Id.nullish(),
  namespace_id: Id.nullish(),
  owner_id: Id.nullish(),
  alert_type: z.enum(alertTypes).nullish(),
  until: Instant,
  comment: OptionalDescription,
}).refine((form) => conditions.some((key) => form[key] != null), {
  path: ["entity_id"],
  error: `must be given, or one of ${conditions.slice(1).join(", ")}`,
}).openapi("NotificationSilenceFormData");
export type SilenceForm = z.output<typeof SilenceForm>;
