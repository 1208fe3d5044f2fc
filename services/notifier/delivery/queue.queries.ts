import type { AlertMessage } from "#contract/notifications.ts";
import { statement } from "#metadata/postgres/statement.ts";

/** State of a channel when rows were claimed. */
export interface GateRow {
  failures: number;
  pause_cause: string | null;
  paused: boolean | null;
  /** Milliseconds in which nothing may be sent. */
  wait_ms: number;
  /** Whether a row needs the channel's turn. */
  turn: boolean;
  max_rows: number;
  /** Rows that were due and not claimed by others. */
  due: number;
  /** Milliseconds until the next row is due; null when none waits. */
  next_ms: number | null;
}

interface Delivery {
  id: string;
  event_id: number;
  kind: string;
  recipient: string;
  attempts: number;
  spent_ms: number;
  claimed_at: Date;
}

export type ClaimedRow = GateRow & Delivery;
export type ClaimRow = GateRow & (Delivery | { [column in keyof Delivery]: null });

/** $1 channel. */
export const ensureChannel = `
  INSERT INTO notification_channel (channel) VALUES ($1) ON CONFLICT DO NOTHING`;

/**
 * $1 channel, $2 recipients, $3 most rows, $4 claim, $5 milliseconds until it expires, $6 milliseconds between two sends,
 * $7 milliseconds of a turn: rows that are due, unclaimed or with an expired claim, and have no earlier row of their
 * alert and recipient (or one that includes it) still to be sent. Each is a new attempt; an expired claim counts as time
 * spent. Where a turn is needed, there is one row at most, and none if another process took the turn first. At least one
 * row is returned, for the state of the channel.
 */
export const claim = statement<ClaimRow>("notifier-claim")`
  WITH gate AS MATERIALIZED (
    SELECT failures, pause_cause, paused_until > clock_timestamp() AS paused,
           extract(epoch FROM greatest(next_allowed_at, paused_until) - clock_timestamp())::float8
             * 1000 AS wait_ms,
           $6::bigint > 0 OR failures > 0 AS turn,
           CASE WHEN $6::bigint > 0 OR failures > 0 THEN 1 ELSE $3::integer END AS max_rows
      FROM notification_channel WHERE channel = $1),
  due AS MATERIALIZED (
    SELECT d.id, d.claimed_until IS NOT NULL AS interrupted
      FROM delivery d
     WHERE d.channel = $1 AND d.recipient = ANY ($2::text[]) AND d.state = 'pending'
       AND d.due_at <= now() AND (d.claimed_until IS NULL OR d.claimed_until <= now())
       AND NOT EXISTS (
         SELECT FROM delivery e LEFT JOIN delivery l ON l.id = e.merged_into
          WHERE e.alert_id = d.alert_id AND e.channel = d.channel AND e.recipient = d.recipient
            AND e.event_id < d.event_id AND e.state IN ('pending', 'held', 'merged')
            AND (e.state <> 'merged' OR l.state = 'pending' AND l.id <> d.id))
     ORDER BY d.due_at, d.event_id
     LIMIT (SELECT CASE WHEN wait_ms > 0 THEN 0 ELSE max_rows END FROM gate)
     FOR UPDATE OF d SKIP LOCKED),
  turn AS (
    UPDATE notification_channel c
       SET next_allowed_at = clock_timestamp() + make_interval(secs => $7::float8 / 1000), turn = $4
      FROM gate
     WHERE c.channel = $1 AND gate.turn AND EXISTS (SELECT FROM due)
       AND greatest(c.next_allowed_at, c.paused_until) <= clock_timestamp()
    RETURNING 1),
  claimed AS (
    UPDATE delivery d
       SET claimed_by = $4, claimed_until = now() + make_interval(secs => $5::float8 / 1000),
           attempts = d.attempts + 1, first_attempt_at = coalesce(d.first_attempt_at, now()),
           spent_ms = d.spent_ms + CASE WHEN due.interrupted THEN $5::bigint ELSE 0 END
      FROM due, gate
     WHERE d.id = due.id AND (NOT gate.turn OR EXISTS (SELECT FROM turn))
    RETURNING d.id, d.event_id, d.kind, d.recipient, d.attempts, d.spent_ms, d.due_at,
              due.interrupted),
  interrupted AS (
    UPDATE delivery_attempt a SET outcome = 'interrupted'
      FROM claimed c WHERE a.delivery_id = c.id AND c.interrupted AND a.outcome = 'started'),
  begun AS (
    INSERT INTO delivery_attempt (delivery_id, number) SELECT id, attempts FROM claimed)
  SELECT g.*, (SELECT count(*) FROM due) AS due,
         (SELECT extract(epoch FROM min(due_at) - clock_timestamp())::float8 * 1000 FROM delivery
           WHERE channel = $1 AND recipient = ANY ($2::text[]) AND state = 'pending'
             AND due_at > now()) AS next_ms,
         c.id, c.event_id, c.kind, c.recipient, c.attempts, c.spent_ms,
         clock_timestamp() AS claimed_at
    FROM gate g LEFT JOIN claimed c ON true ORDER BY c.due_at, c.event_id`;

interface MessageRow {
  event_id: number;
  kind: string;
  message: AlertMessage | null;
  traceparent: string | null;
}

/** $1 events, $2 kinds, side by side. */
export const messages = statement<MessageRow>("notifier-messages")`
  SELECT n.event_id, n.kind, n.message, e.traceparent
    FROM unnest($1::bigint[], $2::text[]) AS k (event_id, kind)
    JOIN notification n USING (event_id, kind)
    LEFT JOIN alert_event e ON e.id = n.event_id`;

export interface QueueRow {
  pending: number;
  oldest: number;
}

/** $1 channel. */
export const queue = statement<QueueRow>("notifier-queue")`
  SELECT count(*) AS pending,
         coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS oldest
    FROM delivery WHERE channel = $1 AND state = 'pending'`;

/** State of a channel, for all processes that send over it. */
export interface ChannelState {
  /** Pauses since something was delivered. */
  failures: number;
  /** When that number changed. */
  changedAt: Date;
  pausedUntil: Date | null;
  cause: string | null;
}

/** $1 channel. */
export const channelState = statement<ChannelState & { now: Date }>("notifier-channel-state")`
  SELECT failures, changed_at AS "changedAt", paused_until AS "pausedUntil", pause_cause AS cause,
         clock_timestamp() AS now
    FROM notification_channel WHERE channel = $1 FOR UPDATE`;

/** $1 channel, $2 failures, $3 changed at, $4 paused until, $5 cause. */
export const setChannelState = `
  UPDATE notification_channel
     SET failures = $2, changed_at = $3, paused_until = $4, pause_cause = $5 WHERE channel = $1`;

/** $1 channel, $2 claim, $3 milliseconds: the turn of a claim is over. */
export const endTurn = `
  UPDATE notification_channel
     SET next_allowed_at = clock_timestamp() + make_interval(secs => $3::float8 / 1000), turn = NULL
   WHERE channel = $1 AND turn = $2`;

/**
 * $1 outcomes as JSON, $2 channel. An outcome whose claim expired is recorded with its attempt, and changes the row only
 * if it was delivered, which is true even if the row was claimed again. Returns the state of the channel.
 */
export const record = statement<{ failures: number }>("notifier-record")`
  WITH o AS MATERIALIZED (
    SELECT * FROM json_to_recordset($1::json) AS o (
      id uuid, number integer, claim uuid, outcome text, status integer, cause text,
      duration_ms integer, state text, reason text, wait_ms double precision, spent_ms bigint)),
  reported AS (
    UPDATE delivery_attempt a
       SET outcome = o.outcome, status = o.status, cause = o.cause, duration_ms = o.duration_ms
      FROM o WHERE a.delivery_id = o.id AND a.number = o.number),
  settled AS (
    UPDATE delivery d
       SET state = o.state, reason = o.reason, spent_ms = d.spent_ms + o.spent_ms,
           due_at = clock_timestamp() + make_interval(secs => o.wait_ms / 1000),
           claimed_by = NULL, claimed_until = NULL,
           ended_at = CASE WHEN o.state <> 'pending' THEN clock_timestamp() END
      FROM o
     WHERE d.id = o.id AND d.state = 'pending'
       AND (d.claimed_by = o.claim OR o.state = 'delivered'))
  SELECT failures FROM notification_channel WHERE channel = $2`;
