import type { Queryable, Transaction } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import type { ThreadEvent } from "./read.ts";

interface EnqueueResult {
  known: boolean;
  full: boolean;
  queued: boolean;
}

/**
 * $1 event, $2 channel, $3 thread, $4 reply, $5 edit, $6 user, $7 text, $8 most events. An event of a thread that is
 * not known is stored only while one of our messages is being sent to the channel, since it may belong to that one.
 */
const add = statement<EnqueueResult>("chat-event-add")`
  WITH place AS (
    SELECT EXISTS (SELECT FROM message
                    WHERE channel_id = $2 AND provider_id = $3 AND root_id IS NULL)
             OR EXISTS (SELECT FROM message
                         WHERE channel_id = $2 AND state = 'PENDING_SEND' AND uncertain) AS known,
           (SELECT count(*) FROM (SELECT FROM chat_event LIMIT $8) q) >= $8 AS full),
  added AS (
    INSERT INTO chat_event (event_id, channel_id, thread_id, provider_id, edit_id, user_id, text)
    SELECT $1, $2, $3, $4, $5, $6, $7 FROM place WHERE known AND NOT "full"
    ON CONFLICT (event_id) DO NOTHING RETURNING 1)
  SELECT known, "full", EXISTS (SELECT FROM added) AS queued,
         CASE WHEN EXISTS (SELECT FROM added) THEN pg_notify('chat_event', '') END
    FROM place`;

/** Puts an event into the queue when its thread is known, unless `max` wait there already. */
export async function enqueue(
  tx: Transaction,
  eventId: string,
  event: ThreadEvent,
  max: number,
): Promise<EnqueueResult> {
  const { channelId, threadId, providerId, editId, userId, text } = event;
  const values = [eventId, channelId, threadId, providerId, editId, userId, text, max];
  return (await tx.query(add, values))[0]!;
}

export interface EventRow {
  id: number;
  channel_id: string;
  thread_id: string;
  provider_id: string;
  edit_id: string | null;
  user_id: string | null;
  text: string;
  attempts: number;
  traceparent: string | null;
  /** The message that began the thread; null while it is not known. */
  root_id: string | null;
  entity_id: number | null;
  /** Whether the reply is here already. */
  known: boolean;
  /** Whether one of our messages is being sent to the channel. */
  expected: boolean;
}

const due = statement<EventRow>("chat-event-due")`
  SELECT e.id, e.channel_id, e.thread_id, e.provider_id, e.edit_id, e.user_id, e.text, e.attempts,
         e.traceparent, r.id AS root_id, r.entity_id,
         EXISTS (SELECT FROM message m
                  WHERE m.channel_id = e.channel_id AND m.provider_id = e.provider_id) AS known,
         EXISTS (SELECT FROM message m WHERE m.channel_id = e.channel_id
                    AND m.state = 'PENDING_SEND' AND m.uncertain) AS expected
    FROM chat_event e
    LEFT JOIN message r ON r.channel_id = e.channel_id AND r.provider_id = e.thread_id
          AND r.root_id IS NULL
   WHERE e.state = 'PENDING' AND e.due_at <= now()
   ORDER BY e.due_at, e.id LIMIT $1`;

/** Events that are due, in their order. */
export const dueEvents = (db: Queryable, max: number) => db.query(due, [max]);

const lockStatement = statement("chat-event-hold")`
  SELECT FROM chat_event WHERE id = $1 AND state = 'PENDING' FOR UPDATE SKIP LOCKED`;

/** Locks an event; false when it is done, or another process has it. */
export const lockEvent = async (tx: Transaction, id: number) =>
  (await tx.query(lockStatement, [id])).length > 0;

const write = statement("chat-event-write")`
  INSERT INTO message AS m (id, entity_id, root_id, state, channel_id, channel_name, text, author,
                            avatar, created_at, provider_id, edit_id, traceparent)
  SELECT $2, r.entity_id, r.id, 'EXTERNAL', r.channel_id, r.channel_name, $3, $4, $5, $6, $7, $8, $9
    FROM message r WHERE r.id = $1
  ON CONFLICT (channel_id, provider_id) WHERE provider_id IS NOT NULL DO UPDATE
     SET text = EXCLUDED.text, edit_id = EXCLUDED.edit_id
   WHERE m.state = 'EXTERNAL' AND EXCLUDED.edit_id IS NOT NULL
     AND (m.edit_id IS NULL OR m.edit_id::numeric < EXCLUDED.edit_id::numeric)`;

export interface Reply {
  rootId: string;
  id: string;
  text: string;
  author: string | null;
  avatar: string | null;
  createdAt: Date;
  event: EventRow;
}

/** Writes a reply, or its text when it is here and the event is a later change of it. */
export async function writeReply(tx: Transaction, reply: Reply): Promise<void> {
  const { rootId, id, text, author, avatar, createdAt, event } = reply;
  const { provider_id, edit_id, traceparent } = event;
  const values = [rootId, id, text, author, avatar, createdAt, provider_id, edit_id, traceparent];
  await tx.query(write, values);
}

const done = statement("chat-event-done")`DELETE FROM chat_event WHERE id = $1`;
export const forgetEvent = (tx: Queryable, id: number) => tx.query(done, [id]);

const later = statement("chat-event-later")`
  UPDATE chat_event
     SET due_at = clock_timestamp() + make_interval(secs => $2::float8 / 1000), cause = $3,
         attempts = attempts + $4
   WHERE id = $1 AND state = 'PENDING'`;

/** Tries an event again after some milliseconds; `counts`: as one of the attempts that it has. */
export const delayEvent = (
  db: Queryable,
  { id, waitMs, cause, counts }: { id: number; waitMs: number; cause: string; counts: boolean },
) => db.query(later, [id, waitMs, cause, counts ? 1 : 0]);

const fail = statement("chat-event-fail")`
  UPDATE chat_event SET state = 'PROCESSING_FAILED', cause = $2, attempts = attempts + 1
   WHERE id = $1 AND state = 'PENDING'`;
export const failEvent = (db: Queryable, id: number, cause: string) => db.query(fail, [id, cause]);

const count = statement<{ pending: number; failed: number }>("chat-event-count")`
  SELECT count(*) FILTER (WHERE state = 'PENDING') AS pending,
         count(*) FILTER (WHERE state <> 'PENDING') AS failed FROM chat_event`;

/** How many events wait, and how many failed. */
export const countEvents = async (db: Queryable) => (await db.query(count))[0]!;
