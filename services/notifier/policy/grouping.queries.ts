/** $1 entity: two changes on it do not both become the first, until the end of the transaction. */
export const lockEntity = `
  SELECT pg_advisory_xact_lock(hashtextextended('notification of ' || $1::bigint, 0))`;

/**
 * $1 entity, $2 most changes of one message, $3 milliseconds that a message waits for more: the one that
 * waits now, if there is one.
 */
export const waiting = `
  SELECT n.event_id FROM notification n
   WHERE n.entity_id = $1 AND n.kind = 'event' AND n.state = 'announced'
     AND n.created_at > now() - make_interval(secs => $3::float8 / 1000)
     AND json_array_length(n.message -> 'grouped_events') < $2
     AND EXISTS (SELECT FROM delivery d
                  WHERE d.event_id = n.event_id AND d.kind = n.kind AND d.state = 'pending'
                    AND d.attempts = 0 AND d.due_at > now())
   ORDER BY n.created_at DESC, n.event_id DESC LIMIT 1`;
