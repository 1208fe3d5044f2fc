import { retryingTransaction } from "#metadata/postgres/retrying.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";

type Deps = Pick<Context, "db">;

/** Rows that are put into the queue again in one statement. */
const batch = 1_000;

/** Messages that were not sent and replies that were not taken in, the newest first. */
export function listFailed({ db }: Deps, max: number): Promise<FailedRow[]> {
  return db.query(list, [max]);
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
      await requeue(tx, messages, { ids: uuids, max }) +
      await requeue(tx, events, { ids: numbers, max }),
  );
}

const isNumber = /^\d+$/;

/** As `retryFailed`, of all that have failed so far. */
export async function retryAllFailed({ db }: Deps): Promise<number> {
  // Only failures before this time, or repeated failures would make this endless.
  const [now] = await db.query<{ at: Date }>("SELECT clock_timestamp() AS at");
  let put = 0;
  for (const statement of [messages, events]) {
    for (let done = batch; done === batch; put += done) {
      // change-ok -- as above
      const selection = { before: now!.at, max: batch };
      done = await retryingTransaction(db, (tx) => requeue(tx, statement, selection));
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
interface RetrySelection {
  ids?: (string | number)[];
  before?: Date;
  max: number;
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

/** Requeues what failed by one of the statements; returns how many. */
async function requeue(
  tx: Transaction,
  statement: typeof messages,
  { ids, before, max }: RetrySelection,
): Promise<number> {
  return (await tx.query(statement, [ids ?? null, max, before ?? null])).length;
}
