-- Activity: its partitions, and its events as finished JSON.

-- Makes the partition of `days` days that holds `at`; safe to call again and from many processes, and
-- when rows of that time already went to the partition for all others (nobody was there to make theirs
-- ahead): they move to their own.
CREATE OR REPLACE FUNCTION activity_partition(at timestamptz, days integer) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  slot  bigint := floor(extract(epoch FROM at) / (days * 86400));
  lower timestamptz := to_timestamp(slot * days * 86400);
  upper timestamptz := to_timestamp((slot + 1) * days * 86400);
  name  text := 'activity_' || to_char(lower AT TIME ZONE 'utc', 'YYYYMMDD') || '_' || days;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('activity_partition'));
  IF to_regclass(name) IS NOT NULL THEN
    RETURN;
  END IF;
  LOCK TABLE activity IN ACCESS EXCLUSIVE MODE;
  EXECUTE format('CREATE TABLE %I (LIKE activity)', name);
  EXECUTE format(
    'WITH moved AS (DELETE FROM activity_other WHERE created_at >= %L AND created_at < %L RETURNING *)
     INSERT INTO %I SELECT * FROM moved', lower, upper, name);
  EXECUTE format(
    'ALTER TABLE activity ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', name, lower, upper);
END $$;

-- Drops the partitions whose whole time is before `cutoff`; returns how many.
CREATE OR REPLACE FUNCTION activity_drop_before(cutoff timestamptz) RETURNS integer
  LANGUAGE plpgsql AS $$
DECLARE
  old     text;
  dropped integer := 0;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('activity_partition'));
  FOR old IN
    SELECT c.relname
      FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = 'activity'::regclass AND c.relname ~ '^activity_\d{8}_\d+$'
       AND (split_part(c.relname, '_', 2) || ' UTC')::timestamptz
           + make_interval(days => split_part(c.relname, '_', 3)::integer) <= cutoff
  LOOP
    EXECUTE format('DROP TABLE %I', old);
    dropped := dropped + 1;
  END LOOP;
  RETURN dropped;
END $$;

-- A new catalogue has those of today from the start; housekeeping makes the next ones ahead.
SELECT activity_partition(now(), 30), activity_partition(now() + interval '30 days', 30);

-- DataEntityRef of what an event tells of; null when it tells of no entity. One that was purged since
-- is known by its id alone, as deleted.
CREATE OR REPLACE FUNCTION json_activity_entity(entity bigint, stale_days integer) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT CASE WHEN entity IS NOT NULL THEN coalesce(
      json_entity_ref(entity, stale_days),
      json_build_object('id', entity, 'catrn', NULL, 'entity_classes', NULL,
        'internal_name', NULL, 'external_name', NULL, 'url', NULL, 'has_alerts', NULL,
        'manually_created', NULL,
        'status', json_build_object('status', status_name(5::smallint),
                                    'status_switch_time', NULL),
        'is_stale', false)) END$$;

-- Activity, but that classes and types in its states are names still.
CREATE OR REPLACE FUNCTION json_activity(a activity, stale_days integer) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_build_object('id', a.id, 'event_type', a.event_type,
      'created_at', iso(a.created_at), 'created_by', json_associated_owner(a.created_by, a.created_by_provider),
      'data_entity', json_activity_entity(a.entity_id, stale_days),
      'old_state', a.old_state, 'new_state', a.new_state, 'system_event', a.system_event)$$;
