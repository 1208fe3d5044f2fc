import { plannedEachTime } from "#metadata/postgres/statement.ts";

/** The slot as reported by PostgreSQL. */
export interface Slot {
  plugin: string;
  database: string;
  active: boolean;
  pid: number | null;
  /** `reserved`, `extended`, `unreserved` or `lost`; null before the first change. */
  walStatus: string | null;
  /** Why it is of no more use; null while it is, and always null before PostgreSQL 17. */
  invalidated: string | null;
  restartLsn: string | null;
  confirmedLsn: string | null;
  /** Written and not confirmed. */
  lagBytes: number | null;
  /** Kept on disk for this slot. */
  retainedBytes: number | null;
}

/** What there is of slot, publication and feed. */
export interface SlotSnapshot {
  walLevel: string;
  database: string;
  user: string;
  feed: { announce_since: string; settled_id: number; gap: boolean } | null;
  publication: { inserts: boolean; covers: boolean } | null;
  slot: Slot | null;
}

/**
 * Everything about slot and publication at a glance. $1 slot, $2 publication. Columns of slots that
 * only some releases of PostgreSQL have are read through JSON.
 */
export const slotSnapshot = plannedEachTime<SlotSnapshot>("slot-snapshot")`
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

/** Changes that are to be announced and are not known to be in the event log. */
export const countUnpublished = plannedEachTime<{ count: number }>("alerts-unpublished")`
  SELECT count(*) AS count
    FROM alert_event e CROSS JOIN alert_feed f
   WHERE e.id > f.settled_id AND e.recorded_at >= f.announce_since
     AND NOT EXISTS (SELECT FROM alert_event_published p WHERE p.event_id = e.id)`;
