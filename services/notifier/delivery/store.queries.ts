/** $1 changes: those that are finished, with the position of a quarantined one. */
export const known = `
  SELECT event_id, state, origin FROM notification
   WHERE kind = 'event' AND event_id = ANY ($1::bigint[])`;

/**
 * $1 messages as JSON, $2 channels and $3 recipients side by side. A message that is there stays, unless
 * it was quarantined. Rows of a merged message refer to the row that includes them; a recipient for whom
 * there is none gets a message of its own.
 */
export const store = `
  WITH given AS (
    SELECT * FROM json_to_recordset($1::json) AS g (
      event_id bigint, kind text, alert_id bigint, entity_id bigint, alert_type smallint,
      event_type text, event_at timestamptz, state text, cause text, inhibited_by bigint,
      message json, wait_ms double precision, into_event bigint, into_kind text)),
  reported AS (
    INSERT INTO notification (event_id, kind, alert_id, entity_id, alert_type, event_type, event_at,
                              state, cause, inhibited_by, message)
    SELECT event_id, kind, alert_id, entity_id, alert_type, event_type, event_at,
           state, cause, inhibited_by, message
      FROM given
    ON CONFLICT (event_id, kind) DO UPDATE
       SET state = EXCLUDED.state, cause = EXCLUDED.cause, inhibited_by = EXCLUDED.inhibited_by,
           message = EXCLUDED.message, origin = NULL
     WHERE notification.state = 'quarantined'
    RETURNING event_id, kind, alert_id, state, cause),
  made AS (
    INSERT INTO delivery (id, event_id, kind, alert_id, channel, recipient, state, reason,
                          merged_into, due_at, ended_at)
    SELECT gen_random_uuid(), t.event_id, t.kind, t.alert_id, r.channel, r.recipient, s.state,
           t.cause, CASE WHEN s.state = 'merged' THEN l.id END,
           now() + make_interval(secs => coalesce(g.wait_ms, 0) / 1000),
           CASE WHEN s.state IN ('suppressed', 'merged') THEN now() END
      FROM reported t
      JOIN given g USING (event_id, kind)
     CROSS JOIN unnest($2::text[], $3::text[]) AS r (channel, recipient)
      LEFT JOIN delivery l ON l.event_id = g.into_event AND l.kind = g.into_kind
            AND l.channel = r.channel AND l.recipient = r.recipient
     CROSS JOIN LATERAL (
       SELECT CASE WHEN t.state = 'announced' OR t.state = 'merged' AND l.id IS NULL
                   THEN 'pending' ELSE t.state END AS state) s
    RETURNING 1)
  SELECT (SELECT count(*) FROM reported) AS announced, (SELECT count(*) FROM made) AS made,
         pg_notify('notification_delivery', '')`;

/** $1-$6 the change, $7 why, $8 where its record stands. */
export const quarantine = `
  INSERT INTO notification (event_id, alert_id, entity_id, alert_type, event_type, event_at, state,
                            cause, origin)
  VALUES ($1, $2, $3, $4, $5, $6, 'quarantined', $7, $8)
  ON CONFLICT (event_id, kind) DO UPDATE SET cause = EXCLUDED.cause, origin = EXCLUDED.origin
   WHERE notification.state = 'quarantined'`;
