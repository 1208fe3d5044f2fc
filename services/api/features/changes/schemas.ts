import { z } from "@hono/zod-openapi";
import { Int, Long } from "#contract/catalogue/common.ts";
import { activityEventTypes } from "#contract/activity.ts";
import { alertEventTypes, alertTypes } from "#contract/alerts.ts";
import { Id, Timestamp } from "#contract/http.ts";

/** Types of changes. */
export const changeTypes = ["alert", "activity", "ingestion", "projection"] as const;
export type ChangeType = (typeof changeTypes)[number];

const AlertChange = z.object({
  kind: z.literal("alert"),
  at: Timestamp,
  event_type: z.enum(alertEventTypes),
  alert_type: z.enum(alertTypes).optional(),
  alert_id: Id.optional(),
  entity_id: Id.optional(),
  source_id: Id.optional(),
  count: Int.optional(),
});

const ActivityChange = z.object({
  kind: z.literal("activity"),
  at: Timestamp,
  event_type: z.enum(activityEventTypes),
  entity_id: Id.optional(),
  count: Int.optional(),
});

const IngestionChange = z.object({
  kind: z.literal("ingestion"),
  at: Timestamp,
  source_id: Id,
  position: Long,
  entities: z.object({ new: Int, changed: Int, unchanged: Int, stale: Int }),
});

const ProjectionChange = z.object({ kind: z.literal("projection"), at: Timestamp, position: Long });
const Reset = z.object({ kind: z.literal("reset"), at: Timestamp });

/** The `data` of an event. With `count` it stands for that many changes, which it does not list. */
export const ChangeEvent = z.discriminatedUnion("kind", [
  AlertChange,
  ActivityChange,
  IngestionChange,
  ProjectionChange,
  Reset,
]).openapi("ChangeEvent");
export type ChangeEvent = z.output<typeof ChangeEvent>;
