import { type AlertEventType, type AlertType, alertTypeCode } from "#contract/alerts.ts";
import type { NotificationChannel } from "#contract/notifications.ts";
import type { Queryable } from "#metadata/postgres/database.ts";

export interface SeedAttempt {
  outcome: "started" | "delivered" | "retry" | "refused" | "interrupted" | "unsent";
  status?: number;
  cause?: string;
}

export interface SeedDelivery {
  alertId?: number;
  entityId?: number | null;
  alertType?: AlertType;
  eventType?: AlertEventType;
  channel?: NotificationChannel;
  recipient?: string;
  state?: "pending" | "held" | "delivered" | "failed" | "suppressed" | "merged";
  reason?: string | null;
  createdAt?: string;
  attempts?: SeedAttempt[];
}

let events = 0;

/** A row of the delivery log, with a change of its own; the ids of both. */
export async function seedDelivery(
  db: Queryable,
  given: SeedDelivery = {},
): Promise<{ id: string; eventId: number }> {
  const { alertId = 1, entityId = null, alertType = "FAILED_JOB", attempts = [] } = given;
  const { channel = "webhook", recipient = "sink.example", state = "pending" } = given;
  const createdAt = given.createdAt ?? "2026-01-01T00:00:00.000Z";
  const ended = state === "pending" || state === "held" ? null : createdAt;
  const eventId = ++events;
  await db.query(
    `INSERT INTO notification (event_id, alert_id, entity_id, alert_type, event_type, event_at,
                               state, message, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, 'announced', '{}', $6)`,
    [eventId, alertId, entityId, alertTypeCode(alertType), given.eventType ?? "CREATED", createdAt],
  );
  const [made] = await db.query<{ id: string }>(
    `INSERT INTO delivery (id, event_id, alert_id, channel, recipient, state, reason, attempts,
                           spent_ms, due_at, created_at, ended_at)
     VALUES (gen_random_uuid(), $1, $2, $3, $4, $5, $6, $7, 1000, $8, $8, $9) RETURNING id`,
    [
      eventId,
      alertId,
      channel,
      recipient,
      state,
      given.reason ?? null,
      attempts.length,
      createdAt,
      ended,
    ],
  );
  const { id } = made!;
  await db.query(
    `INSERT INTO delivery_attempt (delivery_id, number, at, duration_ms, outcome, status, cause)
     SELECT $1, number, $2, 5, outcome, status, cause
       FROM json_to_recordset($3) AS a (number int, outcome text, status int, cause text)`,
    [id, createdAt, JSON.stringify(attempts.map((each, i) => ({ number: i + 1, ...each })))],
  );
  return { id, eventId };
}
