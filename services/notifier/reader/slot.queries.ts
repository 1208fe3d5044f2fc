/**
 * Everything about slot and publication at a glance. $1 slot, $2 publication. Columns of slots that
 * only some releases of PostgreSQL have are read through JSON.
 */
export const look = `
  SELECT current_setting('wal_level') AS "walLevel",
         current_database() AS database,
         current_user AS "user",
         (SELECT row_to_json(f) FROM (
            SELECT announce_since, settled_id, gap FROM alert_feed) f) AS feed,
         (SELECT row_to_json(p) FROM (
            SELECT pubinsert AS inserts,
                   puballtables OR EXISTS (
                     SELECT FROM pg_publication_rel r
                      WHERE r.prpubid = p.oid AND r.prrelid = 'alert_event'::regclass) AS covers
              FROM pg_publication p WHERE pubname = $2) p) AS publication,
         (SELECT row_to_json(s) FROM (
            SELECT plugin, database, active, active_pid AS pid,
                   wal_status AS "walStatus",
                   to_jsonb(s) ->> 'invalidation_reason' AS invalidated,
                   restart_lsn AS "restartLsn",
                   confirmed_flush_lsn AS "confirmedLsn",
                   (pg_current_wal_lsn() - confirmed_flush_lsn)::bigint AS "lagBytes",
                   (pg_current_wal_lsn() - restart_lsn)::bigint AS "retainedBytes"
              FROM pg_replication_slots s WHERE slot_name = $1) s) AS slot`;

export const lock = "SELECT pg_advisory_lock($1)";
export const createSlot = "SELECT pg_create_logical_replication_slot($1, 'pgoutput')";
export const dropSlot = "SELECT pg_drop_replication_slot($1)";

/** A record of no meaning, so that the slot of a quiet database has something to confirm. */
export const heartbeat = "SELECT pg_logical_emit_message(false, 'tributary', '')";

/** $1 milliseconds before now of which changes are still announced. */
export const beginFeed = `
  INSERT INTO alert_feed (announce_since, gap)
  VALUES (now() - $1 * interval '1 millisecond', true)
  ON CONFLICT (single) DO UPDATE SET gap = true`;

export const endFeed = "DELETE FROM alert_feed";
export const forgetPublished = "TRUNCATE alert_event_published";
