/** $1 alert, $2 change: how the latest opening before it was announced. */
export const opening = `
  SELECT state, inhibited_by FROM notification
   WHERE alert_id = $1 AND kind = 'event' AND event_type IN ('CREATED', 'REOPENED')
     AND event_id < $2
   ORDER BY event_id DESC LIMIT 1`;

/**
 * $1 entities upstream, $2 alert, $3 its opening: the earliest open alert there that opened before and
 * was announced, in a message that was not lost.
 */
export const root = `
  SELECT r.id AS alert_id, n.event_id, n.entity_id, n.alert_type, n.state = 'merged' AS merged
    FROM alert r
   CROSS JOIN LATERAL (
     SELECT * FROM notification
      WHERE alert_id = r.id AND kind = 'event' AND event_type IN ('CREATED', 'REOPENED')
      ORDER BY event_id DESC LIMIT 1) n
   WHERE r.entity_id = ANY ($1::bigint[]) AND r.status = 1 AND r.id <> $2 AND n.event_id < $3
     AND n.state IN ('announced', 'merged')
     AND EXISTS (SELECT FROM delivery d WHERE d.event_id = n.event_id AND d.kind = n.kind
                    AND d.state IN ('pending', 'delivered', 'merged'))
   ORDER BY n.event_id LIMIT 1`;

/**
 * $1 alert, $2 its opening: the messages that include it, in the order in which more may be added: its
 * own, the one it was merged into, then follow-ups, the newest first.
 */
export const messagesOf = `
  SELECT event_id, kind FROM (
    SELECT $2::bigint AS event_id, 'event' AS kind, 1 AS place
     UNION ALL
    SELECT DISTINCT l.event_id, l.kind, 2
      FROM delivery d JOIN delivery l ON l.id = d.merged_into
     WHERE d.event_id = $2 AND d.kind = 'event' AND d.state = 'merged'
     UNION ALL
    SELECT event_id, kind, 3 FROM (
      SELECT event_id, kind FROM notification
       WHERE alert_id = $1 AND kind = 'follow_up' AND event_id > $2
       ORDER BY event_id DESC LIMIT 1) newest) m
   ORDER BY place`;

/** Wakes the reviewer of delayed messages. */
export const wakeReview = "SELECT pg_notify('notification_review', '')";
