export const lock = "SELECT pg_advisory_lock($1)";
export const createSlot = "SELECT pg_create_logical_replication_slot($1, 'pgoutput')";
export const dropSlot = "SELECT pg_drop_replication_slot($1)";

/** A record of no meaning, so that the slot of a quiet database has something to confirm. */
export const heartbeat = "SELECT pg_logical_emit_message(false, 'tributary', '')";

/** $1 age in milliseconds up to which changes are still announced. */
export const beginFeed = `
  INSERT INTO alert_feed (announce_since, gap)
  VALUES (now() - $1 * interval '1 millisecond', true)
  ON CONFLICT (single) DO UPDATE SET gap = true`;

export const endFeed = "DELETE FROM alert_feed";
export const forgetPublished = "TRUNCATE alert_event_published";
