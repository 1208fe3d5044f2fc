import { z } from "zod";
import { alertEventTypes, alertTypes } from "#contract/alerts.ts";

/** Channels of notifications. */
export const notificationChannels = ["chat", "webhook", "email"] as const;
export type NotificationChannel = (typeof notificationChannels)[number];

/**
 * Status of a delivery. HELD: waits while another alert, whose message includes it, is open. MERGED:
 * another delivery includes it. SUPPRESSED: silenced.
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
 * How an attempt ended. STARTED: not known yet. INTERRUPTED: the process ended during it. UNSENT:
 * given back before anything was sent.
 */
export const attemptOutcomes = [
  "STARTED",
  "DELIVERED",
  "RETRY",
  "REFUSED",
  "INTERRUPTED",
  "UNSENT",
] as const;

/** An owner in a message; `title` is null for an owner without one. */
const NotifiedOwner = z.object({
  owner_name: z.string(),
  title_name: z.string().nullable(),
});

/** An entity in a message. */
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
 * The message about one change of an alert; also the body of the generic webhook. Times are RFC
 * 3339. `downstream_truncated`, `consequences` and `grouped_events` are additions to the published
 * shape.
 */
export const AlertMessage = z.object({
  alert_chunks: z.array(
    z.object({ alert_id: z.int(), created_at: z.string(), description: z.string() }),
  ),
  alert_type: z.enum(alertTypes),
  event_type: z.enum(alertEventTypes),
  event_at: z.string(),
  updated_by: z.string().nullable(),
  /** Null when the alert names no entity. */
  data_entity: NotifiedEntity.nullable(),
  downstream: z.array(NotifiedEntity),
  /** The lineage walk exceeded its budget, so more entities are affected than `downstream` names. */
  downstream_truncated: z.boolean(),
  /** Downstream alerts that this message reports as consequences, instead of messages of their own. */
  consequences: z.array(
    z.object({ alert_id: z.int(), alert_type: z.enum(alertTypes), data_entity: NotifiedEntity }),
  ),
  /** Further changes on the entity that this message includes. */
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
