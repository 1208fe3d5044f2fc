/**
 * $1 whether nothing is to be delayed any more, $2 limit: alerts with delayed messages for which the alert that
 * delays them, or they themselves, are no longer open, or whose messages have all failed.
 */
export const due = `
  SELECT DISTINCT n.alert_id
    FROM notification n
    LEFT JOIN alert own ON own.id = n.alert_id
    LEFT JOIN alert root ON root.id = n.inhibited_by
   WHERE n.state = 'held'
     AND ($1 OR root.status IS DISTINCT FROM 1 OR own.status IS DISTINCT FROM 1
          OR (SELECT bool_and(d.state = 'failed')
                FROM notification r JOIN delivery d USING (event_id, kind)
               WHERE r.alert_id = n.inhibited_by))
   ORDER BY n.alert_id LIMIT $2`;

/** $1 alert: its delayed messages, oldest first, for one reviewer at a time. */
export const delayed = `
  SELECT n.event_id, n.entity_id, n.alert_type, n.event_type, n.event_at, n.inhibited_by, n.message
    FROM notification n
   WHERE n.alert_id = $1 AND n.kind = 'event' AND n.state = 'held'
   ORDER BY n.event_id FOR UPDATE SKIP LOCKED`;

/** $1 alert. */
export const isOpen = `SELECT status = 1 AS open FROM alert WHERE id = $1`;

/**
 * $1 event, $2 state, $3 cause, $4 inhibited by, $5 milliseconds to wait, $6 and $7 the message that it
 * was merged into: a delayed message and its deliveries get the decided state.
 */
export const apply = `
  WITH reported AS (
    UPDATE notification SET state = $2, cause = $3, inhibited_by = $4
     WHERE event_id = $1 AND kind = 'event')
  UPDATE delivery d
     SET state = s.state, reason = $3, merged_into = CASE WHEN s.state = 'merged' THEN s.into END,
         due_at = now() + make_interval(secs => $5::float8 / 1000),
         ended_at = CASE WHEN s.state IN ('suppressed', 'merged') THEN now() END
    FROM (
      SELECT h.id, l.id AS into,
             CASE WHEN $2 = 'announced' OR $2 = 'merged' AND l.id IS NULL
                  THEN 'pending' ELSE $2 END AS state
        FROM delivery h
        LEFT JOIN delivery l ON l.event_id = $6 AND l.kind = $7
              AND l.channel = h.channel AND l.recipient = h.recipient
       WHERE h.event_id = $1 AND h.kind = 'event' AND h.state = 'held') s
   WHERE d.id = s.id`;

export const wakeSenders = "SELECT pg_notify('notification_delivery', '')";

/** Number of delayed messages. */
export const count = "SELECT count(*) AS delayed FROM notification WHERE state = 'held'";
