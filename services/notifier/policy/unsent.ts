import type { AlertMessage } from "#contract/notifications.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import type { NotificationKey } from "./decision.ts";

/**
 * $1 events, $2 kinds, side by side: the rows of these messages, locked against the senders. A message
 * may still be changed when nothing was tried with any of its rows.
 */
const rowsSql = `
  SELECT d.event_id, d.kind, d.state = 'pending' AND d.attempts = 0 AS unsent
    FROM unnest($1::bigint[], $2::text[]) AS k (event_id, kind)
    JOIN delivery d USING (event_id, kind)
   ORDER BY d.event_id, d.kind, d.channel, d.recipient FOR UPDATE OF d`;

/** $1 event, $2 kind. */
const messageSql = `
  SELECT message FROM notification WHERE event_id = $1 AND kind = $2`;

/** $1 event, $2 kind, $3 message. */
const rewriteSql = `
  UPDATE notification SET message = $3::json WHERE event_id = $1 AND kind = $2`;

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
  const rows = await tx.query<DeliveryRow>(rowsSql, [
    candidates.map((key) => key.eventId),
    candidates.map((key) => key.kind),
  ]);
  const unsent = candidates.find(({ eventId, kind }) => {
    const own = rows.filter((row) => row.event_id === eventId && row.kind === kind);
    return own.length > 0 && own.every((row) => row.unsent);
  });
  if (!unsent) return null;
  const message = await messageOf(tx, unsent);
  if (!message) return null;
  const values = [unsent.eventId, unsent.kind, JSON.stringify(change(message))];
  await tx.query(rewriteSql, values);
  return unsent;
}

/** The message as it is now; null when it is not kept any more. */
export async function messageOf(
  tx: Transaction,
  { eventId, kind }: NotificationKey,
): Promise<AlertMessage | null> {
  type MessageRow = { message: AlertMessage | null };
  return (await tx.query<MessageRow>(messageSql, [eventId, kind]))[0]?.message ?? null;
}
