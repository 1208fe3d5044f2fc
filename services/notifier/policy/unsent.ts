import type { AlertMessage } from "#contract/notifications.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import type { NotificationKey } from "./decision.ts";
import * as sql from "./unsent.queries.ts";

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
  const rows = await tx.query<DeliveryRow>(sql.rows, [
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
  await tx.query(sql.rewrite, values);
  return unsent;
}

/** The message as it is now; null when it is not kept any more. */
export async function messageOf(
  tx: Transaction,
  { eventId, kind }: NotificationKey,
): Promise<AlertMessage | null> {
  type MessageRow = { message: AlertMessage | null };
  return (await tx.query<MessageRow>(sql.message, [eventId, kind]))[0]?.message ?? null;
}
