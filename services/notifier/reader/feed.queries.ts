import { statement } from "#metadata/postgres/statement.ts";
/**
 * Changes that are to be announced and were not. $1 after this id, $2 up to this id or null, $3 at
 * most this many; `settled_id` and marks state what the event log has.
 */
export const unpublished = `
  SELECT e.id, e.alert_id, e.entity_id, e.alert_type, e.event_type, e.event_at, e.updated_by,
         e.traceparent
    FROM alert_event e CROSS JOIN alert_feed f
   WHERE e.id > greatest($1::bigint, f.settled_id) AND ($2::bigint IS NULL OR e.id <= $2)
     AND e.recorded_at >= f.announce_since
     AND NOT EXISTS (SELECT FROM alert_event_published p WHERE p.event_id = e.id)
   ORDER BY e.id
   LIMIT $3`;

export const markPublished = `
  INSERT INTO alert_event_published (event_id) SELECT unnest($1::bigint[])
  ON CONFLICT DO NOTHING`;

/** $1 ids; returns those that the event log has already. */
export const announced = statement<{ id: number }>("alert_announced")`
  SELECT i.id FROM unnest($1::bigint[]) AS i (id) CROSS JOIN alert_feed f
   WHERE i.id <= f.settled_id
      OR EXISTS (SELECT FROM alert_event_published p WHERE p.event_id = i.id)`;

export const closeGap = "UPDATE alert_feed SET gap = false";

/**
 * A mark that may become the settled one: the newest change, the end of the log, and the first
 * transaction that had not begun. A change draws its id after its transaction has its number, for it
 * writes the alert first; so once all earlier transactions ended, no smaller id can turn up.
 */
export const candidate = `
  SELECT max(e.id) AS id,
         pg_current_wal_insert_lsn()::text AS lsn,
         pg_snapshot_xmax(pg_current_snapshot())::text AS xmax
    FROM alert_event e CROSS JOIN alert_feed f
   WHERE e.id > f.settled_id`;

/** $1 a transaction number: whether all before it have ended. */
export const ended = `
  SELECT pg_snapshot_xmin(pg_current_snapshot()) >= $1::xid8 AS ended`;

export const settledId = "SELECT settled_id AS id FROM alert_feed";

/** $1 id. */
export const settle = `
  WITH moved AS (UPDATE alert_feed SET settled_id = $1 WHERE settled_id < $1)
  DELETE FROM alert_event_published WHERE event_id <= $1`;

/**
 * $1 transaction numbers as the log has them, without their upper half: whether all are over for
 * everybody. A commit is in the log, and read from it, before others can see what it wrote.
 */
export const visible = statement<{ visible: boolean }>("alert_visible")`
  SELECT coalesce(bool_and(pg_visible_in_snapshot((xmax + behind)::text::xid8, now)), true) AS visible
    FROM (SELECT s AS now, pg_snapshot_xmax(s)::text::bigint AS xmax
            FROM pg_current_snapshot() AS s) AS snapshot,
         unnest($1::bigint[]) AS low,
         LATERAL (SELECT (low - xmax % 4294967296 + 6442450944) % 4294967296 - 2147483648
                    AS behind) AS distance`;
