-- What keeps several processes in step: effects already applied, leases, what people did.

-- outcome: 'applied' or 'refused'. A key that was applied has no second effect.
CREATE TABLE applied_batch (
  batch      text COLLATE "C" NOT NULL,
  part       integer NOT NULL,
  outcome    text NOT NULL CHECK (outcome IN ('applied', 'refused')),
  position   bigint NOT NULL,       -- outbox position drawn, or the current one when nothing moved
  detail     jsonb,                 -- of a refusal: {status, reason, message, details[]}
  applied_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (batch, part)
);
CREATE INDEX applied_batch_applied ON applied_batch (applied_at);

CREATE TABLE lease (
  name       text PRIMARY KEY,
  holder     text NOT NULL,
  epoch      bigint NOT NULL,
  expires_at timestamptz(3) NOT NULL
);

-- Activity, by time: one partition a period, made ahead by activity_partition().
CREATE TABLE activity (
  id           bigint GENERATED ALWAYS AS IDENTITY,
  event_type   text NOT NULL,
  entity_id    bigint,
  created_at   timestamptz(3) NOT NULL DEFAULT now(),
  created_by   text,
  old_state    jsonb NOT NULL,
  new_state    jsonb NOT NULL,
  system_event boolean NOT NULL,
  PRIMARY KEY (created_at, id)
) PARTITION BY RANGE (created_at);
CREATE INDEX activity_entity ON activity (entity_id, created_at DESC, id DESC);
-- Rows of a time for which no partition was made yet.
CREATE TABLE activity_other PARTITION OF activity DEFAULT;

-- Makes the partition of `days` days that holds `at`; safe to call again and from many processes.
CREATE FUNCTION activity_partition(at timestamptz, days integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  slot  bigint := floor(extract(epoch FROM at) / (days * 86400));
  lower timestamptz := to_timestamp(slot * days * 86400);
  upper timestamptz := to_timestamp((slot + 1) * days * 86400);
  name  text := 'activity_' || to_char(lower AT TIME ZONE 'utc', 'YYYYMMDD') || '_' || days;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('activity_partition'));
  IF to_regclass(name) IS NULL THEN
    EXECUTE format('CREATE TABLE %I PARTITION OF activity FOR VALUES FROM (%L) TO (%L)', name, lower, upper);
  END IF;
END $$;
SELECT activity_partition(now(), 30);
SELECT activity_partition(now() + interval '30 days', 30);

-- A time as the API writes it: RFC 3339, UTC, milliseconds.
CREATE FUNCTION iso(at timestamptz) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
  $$SELECT to_char(at AT TIME ZONE 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')$$;
