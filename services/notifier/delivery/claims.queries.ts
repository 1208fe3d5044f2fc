import { statement } from "#metadata/postgres/statement.ts";

export interface ClaimRow {
  id: string;
  event_id: number;
  kind: string;
  recipient: string;
  attempts: number;
  spent_ms: number;
  claimed_at: Date;
}

/** $1 channel. */
export const ensureChannel = `
  INSERT INTO notification_channel (channel) VALUES ($1) ON CONFLICT DO NOTHING`;

/** $1 channel: its state, locked, and how long nothing may be sent. */
export const gate = `
  SELECT failures, pause_cause, paused_until > clock_timestamp() AS paused,
         extract(epoch FROM greatest(next_allowed_at, paused_until) - clock_timestamp())::float8
           * 1000 AS wait_ms
    FROM notification_channel WHERE channel = $1 FOR UPDATE`;

/**
 * $1 channel, $2 recipients, $3 most rows, $4 claim, $5 milliseconds until it expires: rows that are
 * due, unclaimed or with an expired claim, and have no earlier row of their alert and recipient (or one
 * that includes it) still to be sent. Each is a new attempt; an expired claim counts as time spent.
 */
export const claim = statement<ClaimRow>("notifier-claim")`
  WITH due AS (
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
     LIMIT $3 FOR UPDATE OF d SKIP LOCKED),
  claimed AS (
    UPDATE delivery d
       SET claimed_by = $4, claimed_until = now() + make_interval(secs => $5::float8 / 1000),
           attempts = d.attempts + 1, first_attempt_at = coalesce(d.first_attempt_at, now()),
           spent_ms = d.spent_ms + CASE WHEN due.interrupted THEN $5::bigint ELSE 0 END
      FROM due WHERE d.id = due.id
    RETURNING d.id, d.event_id, d.kind, d.recipient, d.attempts, d.spent_ms, d.due_at),
  interrupted AS (
    UPDATE delivery_attempt a SET outcome = 'interrupted'
      FROM due WHERE a.delivery_id = due.id AND due.interrupted AND a.outcome = 'started'),
  begun AS (
    INSERT INTO delivery_attempt (delivery_id, number) SELECT id, attempts FROM claimed)
  SELECT id, event_id, kind, recipient, attempts, spent_ms, clock_timestamp() AS claimed_at
    FROM claimed ORDER BY due_at, event_id`;

/** $1 channel, $2 milliseconds, $3 claim: nobody else sends until then, or until the turn is over. */
export const takeTurn = `
  UPDATE notification_channel
     SET next_allowed_at = clock_timestamp() + make_interval(secs => $2::float8 / 1000), turn = $3
   WHERE channel = $1`;

/** $1 events, $2 kinds, side by side. A statement of its own: it sees what the claim waited for. */
export const messages = `
  SELECT n.event_id, n.kind, n.message::text AS message, e.traceparent
    FROM unnest($1::bigint[], $2::text[]) AS k (event_id, kind)
    JOIN notification n USING (event_id, kind)
    LEFT JOIN alert_event e ON e.id = n.event_id`;

/** $1 channel, $2 recipients: milliseconds until the next row is due. */
export const nextDue = `
  SELECT extract(epoch FROM due_at - clock_timestamp())::float8 * 1000 AS wait_ms
    FROM delivery
   WHERE channel = $1 AND recipient = ANY ($2::text[]) AND state = 'pending' AND due_at > now()
   ORDER BY due_at LIMIT 1`;

/** $1 channel, $2 recipients: the channel's state, and whether a row may be claimed or when the next one is due. */
export const peek = statement<{
  failures: number;
  pause_cause: string | null;
  paused: boolean | null;
  wait_ms: number;
  due: boolean;
  next_ms: number | null;
}>("notifier-peek")`
  SELECT failures, pause_cause, paused_until > clock_timestamp() AS paused,
         extract(epoch FROM greatest(next_allowed_at, paused_until) - clock_timestamp())::float8
           * 1000 AS wait_ms,
         coalesce((SELECT true FROM delivery
            WHERE channel = $1 AND recipient = ANY ($2::text[]) AND state = 'pending'
              AND due_at <= now() AND (claimed_until IS NULL OR claimed_until <= now())
            ORDER BY due_at, event_id LIMIT 1), false) AS due,
         (SELECT extract(epoch FROM min(due_at) - clock_timestamp())::float8 * 1000 FROM delivery
           WHERE channel = $1 AND recipient = ANY ($2::text[]) AND state = 'pending'
             AND due_at > now()) AS next_ms
    FROM notification_channel WHERE channel = $1`;

/** $1 channel. */
export const queue = `
  SELECT count(*) AS pending,
         coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS oldest
    FROM delivery WHERE channel = $1 AND state = 'pending'`;

/** $1 channel. */
export const channelState = `
  SELECT failures, changed_at, paused_until, pause_cause, clock_timestamp() AS now
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
 * $1 outcomes as JSON. One whose claim expired says what came of its attempt, and changes the row only
 * when it was delivered, which is true even if the row was claimed again.
 */
export const record = statement("notifier-record")`
  WITH o AS (
    SELECT * FROM json_to_recordset($1::json) AS o (
      id uuid, number integer, claim uuid, outcome text, status integer, cause text,
      duration_ms integer, state text, reason text, wait_ms double precision, spent_ms bigint)),
  reported AS (
    UPDATE delivery_attempt a
       SET outcome = o.outcome, status = o.status, cause = o.cause, duration_ms = o.duration_ms
      FROM o WHERE a.delivery_id = o.id AND a.number = o.number)
  UPDATE delivery d
     SET state = o.state, reason = o.reason, spent_ms = d.spent_ms + o.spent_ms,
         due_at = clock_timestamp() + make_interval(secs => o.wait_ms / 1000),
         claimed_by = NULL, claimed_until = NULL,
         ended_at = CASE WHEN o.state <> 'pending' THEN clock_timestamp() END
    FROM o
   WHERE d.id = o.id AND d.state = 'pending' AND (d.claimed_by = o.claim OR o.state = 'delivered')`;
