import { type AlertEventRecord, alertTypeCode } from "#contract/alerts.ts";
import type { AlertMessage } from "#contract/notifications.ts";
import type { PermanentError } from "#kit/errors.ts";
import { bounded } from "#kit/text.ts";
import type { Queryable, Transaction } from "#metadata/postgres/database.ts";
import { columnsOf } from "#metadata/postgres/statement.ts";
import type {
  Decision,
  MessageDraft,
  NotificationKey,
} from "#services/notifier/policy/decision.ts";

/** Whom every message goes to, by which channel. */
export interface Route {
  channel: string;
  recipient: string;
}

/** A message with what was decided of it. */
export interface DecidedMessage extends MessageDraft {
  decision: Decision;
  kind?: NotificationKey["kind"];
}

/** What is known of changes that were read before. */
interface StoredChange extends Record<string, unknown> {
  event_id: number;
  state: string;
  /** Where the record of a quarantined change stands. */
  origin: string | null;
}

/** Those of the changes that the delivery log knows. */
export function knownChanges(db: Queryable, events: AlertEventRecord[]): Promise<StoredChange[]> {
  return db.query<StoredChange>(selectKnown, [events.map((event) => event.id)]);
}

/**
 * Puts messages into the delivery log, a row for each recipient, and wakes the senders. What is there
 * already stays as it is. Returns how many were new.
 */
export async function store(
  tx: Transaction,
  messages: DecidedMessage[],
  routes: Route[],
): Promise<number> {
  const rows = await tx.query<{ announced: number }>(insertMessages, [
    `[${messages.map(rowOf).join(",")}]`,
    ...columnsOf(routes, "channel", "recipient"),
  ]);
  return rows[0]!.announced;
}

function rowOf({ event, message, decision, kind = "event" }: DecidedMessage): string {
  return JSON.stringify({
    event_id: event.id,
    kind,
    alert_id: event.alert_id,
    entity_id: event.entity_id,
    alert_type: alertTypeCode(event.alert_type),
    event_type: event.event_type,
    event_at: event.event_at,
    state: decision.state,
    cause: decision.cause ?? null,
    inhibited_by: decision.state === "held" ? decision.by : null,
    message,
    wait_ms: decision.state === "announced" ? decision.waitMs : 0,
    into_event: decision.state === "merged" ? decision.into.eventId : null,
    into_kind: decision.state === "merged" ? decision.into.kind : null,
  });
}

/** Records that a change cannot be notified, and why; one that was notified stays so. */
export async function noteQuarantined(
  db: Queryable,
  event: AlertEventRecord,
  error: PermanentError,
  origin: string,
): Promise<void> {
  await db.query(insertQuarantined, [
    event.id,
    event.alert_id,
    event.entity_id,
    alertTypeCode(event.alert_type),
    event.event_type,
    event.event_at,
    bounded(`${error.reason}: ${error.message}`, 2_000),
    origin,
  ]);
}

/**
 * Changes the first of these messages without a delivery attempt, until the end of the
 * transaction; null when all of them went out, or may have.
 */
export async function addToUnsent(
  tx: Transaction,
  candidates: NotificationKey[],
  change: (message: AlertMessage) => AlertMessage,
): Promise<NotificationKey | null> {
  if (candidates.length === 0) return null;
  type DeliveryRow = { event_id: number; kind: string; unsent: boolean };
  const rows = await tx.query<DeliveryRow>(lockMessages, columnsOf(candidates, "eventId", "kind"));
  const unsent = candidates.find(({ eventId, kind }) => {
    const own = rows.filter((row) => row.event_id === eventId && row.kind === kind);
    return own.length > 0 && own.every((row) => row.unsent);
  });
  if (!unsent) return null;
  const message = await storedMessage(tx, unsent);
  if (!message) return null;
  const values = [unsent.eventId, unsent.kind, JSON.stringify(change(message))];
  await tx.query(rewriteMessage, values);
  return unsent;
}

/** The message as it is now; null when it is not kept any more. */
export async function storedMessage(
  tx: Transaction,
  { eventId, kind }: NotificationKey,
): Promise<AlertMessage | null> {
  type MessageRow = { message: AlertMessage | null };
  return (await tx.query<MessageRow>(selectMessage, [eventId, kind]))[0]?.message ?? null;
}

/** $1 changes: those that are finished, with the position of a quarantined one. */
const selectKnown = `
  SELECT event_id, state, origin FROM notification
   WHERE kind = 'event' AND event_id = ANY ($1::bigint[])`;

/**
 * $1 messages as JSON, $2 channels and $3 recipients side by side. A message that is there stays, unless
 * it was quarantined. Rows of a merged message refer to the row that includes them; a recipient for whom
 * there is none gets a message of its own.
 */
const insertMessages = `
  WITH given AS (
    SELECT * FROM json_to_recordset($1::json) AS g (
      event_id bigint, kind text, alert_id bigint, entity_id bigint, alert_type smallint,
      event_type text, event_at timestamptz, state text, cause text, inhibited_by bigint,
      message json, wait_ms double precision, into_event bigint, into_kind text)),
  reported AS (
    INSERT INTO notification (event_id, kind, alert_id, entity_id, alert_type, event_type, event_at,
                              state, cause, inhibited_by, message)
    SELECT event_id, kind, alert_id, entity_id, alert_type, event_type, event_at,
           state, cause, inhibited_by, message
      FROM given
    ON CONFLICT (event_id, kind) DO UPDATE
       SET state = EXCLUDED.state, cause = EXCLUDED.cause, inhibited_by = EXCLUDED.inhibited_by,
           message = EXCLUDED.message, origin = NULL
     WHERE notification.state = 'quarantined'
    RETURNING event_id, kind, alert_id, state, cause),
  made AS (
    INSERT INTO delivery (id, event_id, kind, alert_id, channel, recipient, state, reason,
                          merged_into, due_at, ended_at)
    SELECT gen_random_uuid(), t.event_id, t.kind, t.alert_id, r.channel, r.recipient, s.state,
           t.cause, CASE WHEN s.state = 'merged' THEN l.id END,
           now() + make_interval(secs => coalesce(g.wait_ms, 0) / 1000),
           CASE WHEN s.state IN ('suppressed', 'merged') THEN now() END
      FROM reported t
      JOIN given g USING (event_id, kind)
     CROSS JOIN unnest($2::text[], $3::text[]) AS r (channel, recipient)
      LEFT JOIN delivery l ON l.event_id = g.into_event AND l.kind = g.into_kind
            AND l.channel = r.channel AND l.recipient = r.recipient
     CROSS JOIN LATERAL (
       SELECT CASE WHEN t.state = 'announced' OR t.state = 'merged' AND l.id IS NULL
                   THEN 'pending' ELSE t.state END AS state) s
    RETURNING 1)
  SELECT (SELECT count(*) FROM reported) AS announced, (SELECT count(*) FROM made) AS made,
         pg_notify('notification_delivery', '')`;

/** $1-$6 the change, $7 why, $8 where its record stands. */
const insertQuarantined = `
  INSERT INTO notification (event_id, alert_id, entity_id, alert_type, event_type, event_at, state,
                            cause, origin)
  VALUES ($1, $2, $3, $4, $5, $6, 'quarantined', $7, $8)
  ON CONFLICT (event_id, kind) DO UPDATE SET cause = EXCLUDED.cause, origin = EXCLUDED.origin
   WHERE notification.state = 'quarantined'`;

/**
 * $1 events, $2 kinds, side by side: the rows of these messages, locked against the senders. A message
 * may still be changed when nothing was tried with any of its rows.
 */
const lockMessages = `
  SELECT d.event_id, d.kind, d.state = 'pending' AND d.attempts = 0 AS unsent
    FROM unnest($1::bigint[], $2::text[]) AS k (event_id, kind)
    JOIN delivery d USING (event_id, kind)
   ORDER BY d.event_id, d.kind, d.channel, d.recipient FOR UPDATE OF d`;

/** $1 event, $2 kind. */
const selectMessage = `
  SELECT message FROM notification WHERE event_id = $1 AND kind = $2`;

/** $1 event, $2 kind, $3 message. */
const rewriteMessage = `
  UPDATE notification SET message = $3::json WHERE event_id = $1 AND kind = $2`;
