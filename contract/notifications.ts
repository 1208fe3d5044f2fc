import { z } from "zod";
import { alertEventTypes, alertTypes } from "#contract/alerts.ts";

/** The ways to reach people. */
export const notificationChannels = ["chat", "webhook", "email"] as const;
export type NotificationChannel = (typeof notificationChannels)[number];

/**
 * How a delivery stands. HELD: another alert's message tells of it until that closes. MERGED: another
 * delivery tells of it. SUPPRESSED: silenced.
 */
export const deliveryStates = [
  "PENDING",
  "HELD",
  "DELIVERED",
  "FAILED",
  "SUPPRESSED",
  "MERGED",
] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/**
 * How an attempt ended. STARTED: not yet told. INTERRUPTED: nobody saw its end. UNSENT: given back
 * before anything was sent.
 */
export const attemptOutcomes = [
  "STARTED",
  "DELIVERED",
  "RETRY",
  "REFUSED",
  "INTERRUPTED",
  "UNSENT",
] as const;

/** An owner as messages name one; an owner without a title has null for it. */
export const NotifiedOwner = z.object({
  owner_name: z.string(),
  title_name: z.string().nullable(),
});

/** An entity as messages name one. */
export const NotifiedEntity = z.object({
  id: z.int(),
  name: z.string().nullable(),
  data_source_name: z.string().nullable(),
  namespace_name: z.string().nullable(),
  type: z.string().nullable(),
  owners: z.array(NotifiedOwner),
});
export type NotifiedEntity = z.output<typeof NotifiedEntity>;

/**
 * What one change of an alert says to people; the body of the generic webhook. Times are RFC 3339.
 * Beyond the published shape: `downstream_truncated`, `consequences`, `grouped_events`.
 */
export const AlertMessage = z.object({
  alert_chunks: z.array(
    z.object({ alert_id: z.int(), created_at: z.string(), description: z.string() }),
  ),
  alert_type: z.enum(alertTypes),
  event_type: z.enum(alertEventTypes),
  event_at: z.string(),
  updated_by: z.string().nullable(),
  /** Null: the alert names no entity. */
  data_entity: NotifiedEntity.nullable(),
  downstream: z.array(NotifiedEntity),
  /** The walk ran out of its budget, so more is affected than `downstream` names. */
  downstream_truncated: z.boolean(),
  /** Alerts downstream that are told here, as consequences, instead of in messages of their own. */
  consequences: z.array(
    z.object({ alert_id: z.int(), alert_type: z.enum(alertTypes), data_entity: NotifiedEntity }),
  ),
  /** Further changes on the entity that this one message tells of. */
  grouped_events: z.array(
    z.object({
      alert_id: z.int(),
      alert_type: z.enum(alertTypes),
      event_type: z.enum(alertEventTypes),
      event_at: z.string(),
    }),
  ),
});
export type AlertMessage = z.output<typeof AlertMessage>;
