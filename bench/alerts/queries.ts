/** $1: how many. Inserts tables for the alerts to refer to. Returns their ids. */
export const insertEntities = `
  INSERT INTO data_entity (catrn, external_name, type_id, class_ids, hollow)
  SELECT '//bench/alerts/' || n, 'table_' || n, 1, ARRAY[1], false
    FROM generate_series(1, $1::integer) AS n
  RETURNING id`;

/** $1: ids of entities. Inserts one alert for each, with its chunk and change. Returns the alert ids. */
export const insertAlerts = `
  WITH raised AS (
    INSERT INTO alert (entity_id, type, status)
    SELECT id, 4, 1 FROM unnest($1::bigint[]) AS id
    RETURNING id, entity_id),
  said AS (
    INSERT INTO alert_chunk (alert_id, description)
    SELECT id, 'The benchmark raised it' FROM raised)
  INSERT INTO alert_event (alert_id, entity_id, alert_type, event_type, event_at)
  SELECT id, entity_id, 4, 'CREATED', now() FROM raised
  RETURNING alert_id AS id`;

/** $1 publication. */
export const findPublication = "SELECT 1 FROM pg_publication WHERE pubname = $1";

/** $1: slot. The bare reader creates it for itself. */
export const createSlot = "SELECT pg_create_logical_replication_slot($1, 'pgoutput')";
export const dropSlot = `
  SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots
   WHERE slot_name = $1 AND NOT active`;
