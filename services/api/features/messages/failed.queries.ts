import type { Queryable, Transaction } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";

/** A message that was not sent, or a reply that was not taken in. */
export interface FailedRow {
  /** UUID of a message, number of an event. */
  id: string;
  kind: "message" | "reply";
  at: string;
  channel: string;
  /** The entity that a message is about. */
  entity: number | null;
  attempts: number;
  cause: string | null;
}

const list = statement<FailedRow>("message-failed-list")`
  SELECT * FROM (
    SELECT id::text, 'message' AS kind, iso(created_at) AS at, channel_name AS channel,
           entity_id AS entity, attempts, cause
      FROM message WHERE state = 'ERROR_SENDING'
    UNION ALL
    SELECT id::text, 'reply', iso(received_at), channel_id, NULL, attempts, cause
      FROM chat_event WHERE state = 'PROCESSING_FAILED') f
   ORDER BY at DESC, id DESC LIMIT $1`;

/** What failed, the newest first. */
export const failedRows = (db: Queryable, max: number) => db.query(list, [max]);

const messages = statement("message-retry")`
  WITH again AS (
    UPDATE message SET state = 'PENDING_SEND', attempts = 0, queued_at = now(), due_at = now()
     WHERE state = 'ERROR_SENDING' AND id IN (
       SELECT id FROM message WHERE state = 'ERROR_SENDING' AND ($1::uuid[] IS NULL OR id = ANY ($1))
          AND ($3::timestamptz IS NULL OR due_at <= $3)
        ORDER BY id LIMIT $2)
    RETURNING 1)
  SELECT pg_notify('message_sending', '') FROM again`;

/** Which rows are put into their queue again, at most `max`: these, or all that failed before a time. */
export interface RetrySelection<Id> {
  ids?: Id[];
  before?: Date;
  max: number;
}

/** Requeues failed messages; returns how many. */
export async function retryMessages(tx: Transaction, { ids, before, max }: RetrySelection<string>) {
  return (await tx.query(messages, [ids ?? null, max, before ?? null])).length;
}

const events = statement("chat-event-retry")`
  WITH again AS (
    UPDATE chat_event SET state = 'PENDING', attempts = 0, due_at = now()
     WHERE state = 'PROCESSING_FAILED' AND id IN (
       SELECT id FROM chat_event
        WHERE state = 'PROCESSING_FAILED' AND ($1::bigint[] IS NULL OR id = ANY ($1))
          AND ($3::timestamptz IS NULL OR due_at <= $3)
        ORDER BY id LIMIT $2)
    RETURNING 1)
  SELECT pg_notify('chat_event', '') FROM again`;

/** As `retryMessages`, of replies that could not be taken in. */
export async function retryEvents(tx: Transaction, { ids, before, max }: RetrySelection<number>) {
  return (await tx.query(events, [ids ?? null, max, before ?? null])).length;
}

/** What the metadata store's clock says. */
export async function storeTime(db: Queryable): Promise<Date> {
  return (await db.query<{ at: Date }>("SELECT clock_timestamp() AS at"))[0]!.at;
}
