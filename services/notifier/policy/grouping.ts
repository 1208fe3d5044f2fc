import type { AlertMessage } from "#contract/notifications.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { messageBounds } from "#services/notifier/content/message-builder.ts";
import type { Decision, MessageDraft } from "./decision.ts";
import * as sql from "./grouping.queries.ts";
import { addToUnsent } from "./unsent.ts";

/** Maximum number of further changes in one message. */
const maxGrouped = 200;

/**
 * Adds a change to the message that waits for further changes on its entity, or lets it be the one
 * that waits. Null for a change of no entity, which has nothing in common with others.
 */
export async function grouped(
  tx: Transaction,
  { event, message }: MessageDraft,
  waitMs: number,
): Promise<Decision | null> {
  if (event.entity_id === null) return null;
  await tx.query(sql.lockEntity, [event.entity_id]);
  const waiting = await tx.query<{ event_id: number }>(sql.waiting, [
    event.entity_id,
    maxGrouped,
    waitMs,
  ]);
  const candidates = waiting.map((row) => ({ eventId: row.event_id, kind: "event" as const }));
  const into = await addToUnsent(tx, candidates, (first) => withChange(first, { event, message }));
  if (into) return { state: "merged", cause: `announced with change ${into.eventId}`, into };
  return { state: "announced", waitMs, cause: `waits ${waitMs} ms for more on the entity` };
}

function withChange(first: AlertMessage, { event, message }: MessageDraft): AlertMessage {
  const { alert_id, alert_type, event_type, event_at } = event;
  const chunk = (said: AlertMessage["alert_chunks"][number]) =>
    `${said.alert_id} ${said.created_at} ${said.description}`;
  const said = new Set(first.alert_chunks.map(chunk));
  const more = message.alert_chunks.filter((other) => !said.has(chunk(other)));
  return {
    ...first,
    alert_chunks: [...more, ...first.alert_chunks].slice(0, messageBounds.chunks),
    consequences: [...first.consequences, ...message.consequences],
    grouped_events: [...first.grouped_events, { alert_id, alert_type, event_type, event_at }],
  };
}
