-- What operators do to the delivery log.

-- Puts failed deliveries into the queue again, with a budget of their own; tells how many.
CREATE OR REPLACE FUNCTION delivery_resend(ids uuid[]) RETURNS bigint LANGUAGE sql AS $$
  WITH again AS (
    UPDATE delivery
       SET state = 'pending', reason = NULL, due_at = now(), spent_ms = 0, ended_at = NULL
     WHERE id = ANY(ids) AND state = 'failed'
    RETURNING pg_notify('notification_delivery', channel))
  SELECT count(*) FROM again
$$;
