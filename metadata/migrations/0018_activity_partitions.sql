-- As before, and safe when rows of that time already went to the partition for all others (nobody was
-- there to make theirs ahead): they move to their own.
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
CREATE FUNCTION activity_drop_before(cutoff timestamptz) RETURNS integer LANGUAGE plpgsql AS $$
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
