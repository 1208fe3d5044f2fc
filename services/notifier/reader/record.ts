import { z } from "zod";
import {
  type AlertEventRecord,
  alertEventTypes,
  type AlertType,
  alertTypes,
} from "#contract/alerts.ts";
import { alertEventHeaders, alertEventType, alertEventVersion } from "#contract/topics.ts";
import type { NewRecord } from "#eventlog/port.ts";

const AlertEventRow = z.object({
  id: z.int().positive(),
  alert_id: z.int().positive(),
  entity_id: z.int().positive().nullable(),
  alert_type: z.int().min(1).max(alertTypes.length),
  event_type: z.enum(alertEventTypes),
  event_at: z.date(),
  updated_by: z.string().nullable(),
  traceparent: z.string().nullable(),
});

/** A row of `alert_event` as it came, from the write-ahead log or the table. */
export type RawRow = Record<string, unknown>;

/** What becomes of a row: a record for the event log, or a reason why it cannot be one. */
export type Announcement =
  | { kind: "record"; id: number; row: RawRow; at: number; record: NewRecord }
  | { kind: "poison"; id: number | null; row: RawRow; reason: string; message: string };

const encoder = new TextEncoder();
const traceContext = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Never throws: a row that makes no sense is poison. */
export function announcementOf(row: RawRow): Announcement {
  const parsed = AlertEventRow.safeParse(row);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const message = `${issue?.path.join(".") ?? "row"}: ${issue?.message ?? "unreadable"}`;
    return { kind: "poison", id: idOf(row), row, reason: "alert_event_unreadable", message };
  }
  const { id, alert_id, event_at, alert_type, traceparent, ...rest } = parsed.data;
  const value: AlertEventRecord = {
    id,
    alert_id,
    ...rest,
    alert_type: alertTypes[alert_type - 1] as AlertType,
    event_at: event_at.toISOString(),
  };
  const headers = headersOf(id, traceparent);
  const record = { key: String(alert_id), value: encoder.encode(JSON.stringify(value)), headers };
  return { kind: "record", id, row, at: event_at.getTime(), record };
}

function headersOf(id: number, traceparent: string | null): Record<string, string> {
  return {
    [alertEventHeaders.type]: alertEventType,
    [alertEventHeaders.version]: alertEventVersion,
    [alertEventHeaders.event]: String(id),
    ...(traceparent !== null && traceContext.test(traceparent) &&
      { [alertEventHeaders.traceparent]: traceparent }),
  };
}

function idOf({ id }: RawRow): number | null {
  return Number.isSafeInteger(id) ? id as number : null;
}
