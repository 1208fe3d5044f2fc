import { type AlertEventType, type AlertType, alertTypeCode } from "#contract/alerts.ts";
import type { Actor } from "#contract/actor.ts";
import { noticeColumns, recordNoticesSql } from "#metadata/catalogue/changes.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";

/** One change of one alert. */
export interface AlertEvent {
  alertId: number;
  /** Null for an alert without an entity. */
  entityId: number | null;
  type: AlertType;
  eventType: AlertEventType;
  /** When the alert changed, equal to the time stored with the alert; a string is RFC 3339. */
  at: Date | string;
  actor: Actor;
}

const insert = statement("record-alert-events")`
  WITH recorded AS (
    INSERT INTO alert_event (alert_id, entity_id, alert_type, event_type, event_at, updated_by)
    SELECT t.alert_id, t.entity_id, t.alert_type, t.event_type, t.event_at::timestamptz,
           t.updated_by
      FROM unnest($1::bigint[], $2::bigint[], $3::smallint[], $4::text[], $5::text[], $6::text[])
        WITH ORDINALITY AS t (
          alert_id, entity_id, alert_type, event_type, event_at, updated_by, ordinal)
     ORDER BY t.ordinal)
  ${recordNoticesSql("alert", 7)}`;

/**
 * Writes alert changes in the transaction that makes them, in one statement; ids follow the given
 * order. The trace context of the transaction is stored with them, so that a notification can be
 * traced back to its cause. Followers of the catalogue are notified.
 */
export async function recordAlertEvents(tx: Transaction, events: AlertEvent[]): Promise<void> {
  if (events.length === 0) return;
  await tx.query(insert, [
    events.map((e) => e.alertId),
    events.map((e) => e.entityId),
    events.map((e) => alertTypeCode(e.type)),
    events.map((e) => e.eventType),
    events.map((e) => (typeof e.at === "string" ? e.at : e.at.toISOString())),
    events.map((e) => e.actor.name),
    ...noticeColumns(events.map((e) => ({
      eventType: e.eventType,
      entityId: e.entityId,
      alertId: e.alertId,
      details: { alert_type: e.type },
    }))),
  ]);
}
