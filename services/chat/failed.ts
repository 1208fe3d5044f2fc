import { retryingTransaction } from "#metadata/postgres/retrying.ts";
import type { Queryable, Transaction } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";

type Deps = Pick<Context, "db">;

/** Rows that are put into the queue again in one statement. */
const batch = 1_000;

/** Messages that were not sent and replies that were not taken in, the newest first. */
export function listFailed({ db }: Deps, max: number): Promise<FailedRow[]> {
  return failedRows(db, max);
}

/** Puts these into their queues again: UUIDs of messages, numbers of replies. How many were there and had failed. */
export async function retryFailed({ db }: Deps, ids: string[]): Promise<number> {
  const numbers = ids.filter((id) => isNumber.test(id)).map(Number);
  const uuids = ids.filter((id) => !isNumber.test(id));
  const max = ids.length;
  // change-ok -- the queues' own state
  return await retryingTransaction(
    db,
    async (tx) =>
      await retryMessages(tx, { ids: uuids, max }) +
      await retryEvents(tx, { ids: numbers, max }),
  );
}

const isNumber = /^\d+$/;

/** As `retryFailed`, of all that have failed so far. */
export async function retryAllFailed({ db }: Deps): Promise<number> {
  // Only failures before this time, or repeated failures would make this endless.
  const before = await storeTime(db);
  let put = 0;
  for (const retry of [retryMessages, retryEvents]) {
    for (let done = batch; done === batch; put += done) {
      // change-ok -- as above
      done = await retryingTransaction(db, (tx) => retry(tx, { before, max: batch }));
    }
  }
  return put;
}

/** A message that was not sent, or a reply that was not taken in. */
interface FailedRow {
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
const failedRows = (db: Queryable, max: number) => db.query(list, [max]);

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
interface RetrySelection<Id> {
  ids?: Id[];
  before?: Date;
  max: number;
}

/** Requeues failed messages; returns how many. */
async function retryMessages(tx: Transaction, { ids, before, max }: RetrySelection<string>) {
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
async function retryEvents(tx: Transaction, { ids, before, max }: RetrySelection<number>) {
  return (await tx.query(events, [ids ?? null, max, before ?? null])).length;
}

/** What the metadata store's clock says. */
async function storeTime(db: Queryable): Promise<Date> {
  return (await db.query<{ at: Date }>("SELECT clock_timestamp() AS at"))[0]!.at;
}
