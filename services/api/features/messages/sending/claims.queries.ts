import { statement } from "#metadata/postgres/statement.ts";

export interface ClaimedRow {
  id: string;
  entity_id: number;
  channel_id: string;
  text: string;
  author: string | null;
  created_at: Date;
  queued_at: Date;
  /** When the attempt before began; null for the first one. */
  attempted_before: Date | null;
  /** Attempts begun, this one included. */
  attempts: number;
  /** Whether an earlier attempt may have come to the provider. */
  uncertain: boolean;
  traceparent: string | null;
}

/**
 * $1 most rows, $2 claim, $3 milliseconds until it expires, $4 milliseconds between two messages of a channel: of each
 * channel that may be written to now the oldest message that is due, unclaimed or with an expired claim. From here on it
 * may have come to the provider.
 */
export const claim = statement<ClaimedRow>("message-claim")`
  WITH first AS (
    SELECT DISTINCT ON (channel_id) id
      FROM message
     WHERE state = 'PENDING_SEND' AND due_at <= now()
       AND (claimed_until IS NULL OR claimed_until <= now())
     ORDER BY channel_id, id),
  due AS (
    SELECT m.id, m.channel_id, m.uncertain, m.attempted_at
      FROM message m
     WHERE m.id IN (SELECT id FROM first) AND m.state = 'PENDING_SEND'
       AND (m.claimed_until IS NULL OR m.claimed_until <= now())
       AND NOT EXISTS (
         SELECT FROM chat_channel c WHERE c.channel_id = m.channel_id AND c.next_allowed_at > now())
     ORDER BY m.due_at, m.id
     LIMIT $1 FOR UPDATE SKIP LOCKED),
  claimed AS (
    UPDATE message m
       SET claimed_by = $2, claimed_until = now() + make_interval(secs => $3::float8 / 1000),
           attempts = m.attempts + 1, attempted_at = now(), uncertain = true
      FROM due WHERE m.id = due.id
    RETURNING m.*, due.uncertain AS was_uncertain, due.attempted_at AS attempted_before),
  turn AS (
    INSERT INTO chat_channel (channel_id, next_allowed_at)
    SELECT channel_id, now() + make_interval(secs => $4::float8 / 1000) FROM due
     ORDER BY channel_id
    ON CONFLICT (channel_id) DO UPDATE SET next_allowed_at = EXCLUDED.next_allowed_at)
  SELECT c.id, c.entity_id, c.channel_id, c.text, c.created_at, c.queued_at, c.attempts, c.traceparent,
         c.attempted_before,
         c.was_uncertain AS uncertain, message_author(m) AS author
    FROM claimed c JOIN message m ON m.id = c.id
   ORDER BY c.id`;

/** $1 id, $2 the provider's id. A sent message stays sent, even if the row was claimed again. */
export const recordSent = statement("message-sent")`
  UPDATE message
     SET state = 'SENT', provider_id = $2, uncertain = false, cause = NULL,
         claimed_by = NULL, claimed_until = NULL
   WHERE id = $1 AND state IN ('PENDING_SEND', 'ERROR_SENDING') RETURNING 1`;

/**
 * $1 id, $2 claim, $3 cause, $4 milliseconds until the next attempt, $5 attempts that do not count, $6 whether it may
 * have come to the provider.
 */
export const recordLater = statement("message-later")`
  UPDATE message
     SET due_at = clock_timestamp() + make_interval(secs => $4::float8 / 1000), cause = $3,
         attempts = attempts - $5, uncertain = $6, claimed_by = NULL, claimed_until = NULL
   WHERE id = $1 AND claimed_by = $2 AND state = 'PENDING_SEND' RETURNING 1`;

/** $1 id, $2 claim, $3 cause, $4 whether it may have come to the provider. */
export const recordFailed = statement("message-failed")`
  UPDATE message
     SET state = 'ERROR_SENDING', cause = $3, uncertain = $4, claimed_by = NULL, claimed_until = NULL
   WHERE id = $1 AND claimed_by = $2 AND state = 'PENDING_SEND' RETURNING 1`;

/** $1 channel, $2 milliseconds: nothing is sent to it until then. */
export const pauseChannel = statement("message-hold-channel")`
  INSERT INTO chat_channel (channel_id, next_allowed_at)
  VALUES ($1, clock_timestamp() + make_interval(secs => $2::float8 / 1000))
  ON CONFLICT (channel_id) DO UPDATE
    SET next_allowed_at = greatest(chat_channel.next_allowed_at, EXCLUDED.next_allowed_at)`;

/** Milliseconds until the next message of any channel may be sent; no row when none waits. */
export const nextDue = statement<{ wait_ms: number }>("message-next-due")`
  SELECT extract(epoch FROM min(greatest(m.due_at, m.claimed_until, c.next_allowed_at))
           - clock_timestamp())::float8 * 1000 AS wait_ms
    FROM message m LEFT JOIN chat_channel c ON c.channel_id = m.channel_id
   WHERE m.state = 'PENDING_SEND' HAVING count(*) > 0`;

/** How many wait, for how long the oldest does, and how many failed. */
export const queue = statement<{ pending: number; oldest: number; failed: number }>(
  "message-queue",
)`
  SELECT count(*) AS pending,
         coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS oldest,
         (SELECT count(*) FROM message WHERE state = 'ERROR_SENDING') AS failed
    FROM message WHERE state = 'PENDING_SEND'`;

/** Turns that have long passed. */
export const forgetTurns = statement("message-forget-turns")`
  DELETE FROM chat_channel WHERE next_allowed_at < now() - interval '1 day'`;
