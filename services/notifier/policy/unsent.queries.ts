/**
 * $1 events, $2 kinds, side by side: the rows of these messages, locked against the senders. A message
 * may still be changed when nothing was tried with any of its rows.
 */
export const rows = `
  SELECT d.event_id, d.kind, d.state = 'pending' AND d.attempts = 0 AS unsent
    FROM unnest($1::bigint[], $2::text[]) AS k (event_id, kind)
    JOIN delivery d USING (event_id, kind)
   ORDER BY d.event_id, d.kind, d.channel, d.recipient FOR UPDATE OF d`;

/** $1 event, $2 kind. */
export const message = `
  SELECT message FROM notification WHERE event_id = $1 AND kind = $2`;

/** $1 event, $2 kind, $3 message. */
export const rewrite = `
  UPDATE notification SET message = $3::json WHERE event_id = $1 AND kind = $2`;
