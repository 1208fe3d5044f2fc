import type { Queryable, Transaction } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import type { QueueSize } from "#platform/outbox/queue.ts";

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

/**
 * $1 most events, $2 milliseconds of a lease: events that are due, in their order. They are due again when the lease ends.
 */
export const claimEvents = statement<EventRow>("chat-event-claim")`
  WITH due AS MATERIALIZED (
    SELECT id FROM chat_event WHERE state = 'PENDING' AND due_at <= now()
     ORDER BY due_at, id LIMIT $1 FOR UPDATE SKIP LOCKED),
  claimed AS (
    UPDATE chat_event e SET due_at = now() + make_interval(secs => $2::float8 / 1000)
      FROM due WHERE e.id = due.id
    RETURNING e.*)
  SELECT e.id, e.channel_id, e.thread_id, e.provider_id, e.edit_id, e.user_id, e.text, e.attempts,
         e.traceparent, r.id AS root_id, r.entity_id,
         EXISTS (SELECT FROM message m
                  WHERE m.channel_id = e.channel_id AND m.provider_id = e.provider_id) AS known,
         EXISTS (SELECT FROM message m WHERE m.channel_id = e.channel_id
                    AND m.state = 'PENDING_SEND' AND m.uncertain) AS expected
    FROM claimed e
    LEFT JOIN message r ON r.channel_id = e.channel_id AND r.provider_id = e.thread_id
          AND r.root_id IS NULL
   ORDER BY e.id`;

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

/** $1 outcomes as JSON: when each is tried again, or that it failed, and whether the attempt counts. */
export const recordEvents = statement("chat-event-record")`
  UPDATE chat_event e
     SET state = o.state, cause = o.cause, attempts = e.attempts + o.counted,
         due_at = clock_timestamp() + make_interval(secs => o.wait_ms / 1000)
    FROM json_to_recordset($1::json) AS o (
      id bigint, state text, cause text, wait_ms double precision, counted integer)
   WHERE e.id = o.id AND e.state = 'PENDING'`;

const count = statement<QueueSize>("chat-event-count")`
  SELECT count(*) FILTER (WHERE state = 'PENDING') AS pending,
         count(*) FILTER (WHERE state <> 'PENDING') AS failed,
         coalesce(extract(epoch FROM now() - min(received_at) FILTER (WHERE state = 'PENDING')),
                  0)::float8 AS oldest
    FROM chat_event`;

/** How many events wait, for how long the oldest does, and how many failed. */
export const countEvents = async (db: Queryable): Promise<QueueSize> => (await db.query(count))[0]!;
