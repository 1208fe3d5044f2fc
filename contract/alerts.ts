import { z } from "zod";
import { Instant } from "#contract/ingestion/values.ts";

/** Kinds of alerts. The database stores the position in this list, counted from 1. */
export const alertTypes = [
  "BACKWARDS_INCOMPATIBLE_SCHEMA",
  "FAILED_DQ_TEST",
  "FAILED_JOB",
  "DISTRIBUTION_ANOMALY",
  "DATA_SOURCE_CONNECTION_ERROR",
  "AGENT_ERROR",
] as const;
export type AlertType = (typeof alertTypes)[number];

/** Those that concern a data source, and no entity. */
export const sourceAlertTypes = [
  "DATA_SOURCE_CONNECTION_ERROR",
  "AGENT_ERROR",
] as const satisfies AlertType[];
export type SourceAlertType = (typeof sourceAlertTypes)[number];

/** Statuses of alerts. The database stores the position in this list, counted from 1. */
export const alertStatuses = ["OPEN", "RESOLVED", "RESOLVED_AUTOMATICALLY"] as const;
export type AlertStatus = (typeof alertStatuses)[number];

/** What happened to an alert. UPDATED means that the alert only gained a chunk. */
export const alertEventTypes = [
  "CREATED",
  "UPDATED",
  "RESOLVED",
  "RESOLVED_AUTOMATICALLY",
  "REOPENED",
] as const;
export type AlertEventType = (typeof alertEventTypes)[number];

/** The code under which the database stores a type or status. */
export const alertTypeCode = (type: AlertType) => alertTypes.indexOf(type) + 1;
export const alertStatusCode = (status: AlertStatus) => alertStatuses.indexOf(status) + 1;

/** Value of a record of `alerts.events`: one change of one alert. Times are RFC 3339. */
export const AlertEventRecord = z.object({
  id: z.int().positive(),
  alert_id: z.int().positive(),
  entity_id: z.int().positive().nullable(),
  alert_type: z.enum(alertTypes),
  event_type: z.enum(alertEventTypes),
  event_at: Instant,
  updated_by: z.string().nullable(),
});
export type AlertEventRecord = z.output<typeof AlertEventRecord>;
