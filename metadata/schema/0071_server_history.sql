-- The timelines of PostgreSQL that have served this database. A new one begins where a replica is promoted, or a server is
-- recovered to a point in time.
CREATE TABLE server_history (
  id                uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
  system_identifier text COLLATE "C" NOT NULL,
  timeline          bigint NOT NULL,
  -- Where the former timeline ended, and the commit time of the last transaction that it handed over; null: unknown.
  began_at          pg_lsn NOT NULL,
  last_commit_at    timestamptz(3),
  first_seen_at     timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  -- Set when a process missed commits that it knew of: who noticed, when the newest of them was acknowledged, how many.
  missed_at         timestamptz(3),
  missed_by         text,
  missed_until      timestamptz(3),
  missed_commits    integer,
  -- When an operator accepted what is missing.
  accepted_at       timestamptz(3),
  PRIMARY KEY (system_identifier, timeline)
);

-- Where the consumer groups of an event log outside of PostgreSQL stood when this row was committed: everything before
-- has had its effect here.
CREATE TABLE log_position (
  consumer_group text COLLATE "C" NOT NULL,
  topic          text COLLATE "C" NOT NULL,
  partition      integer NOT NULL,
  committed      bigint NOT NULL,
  noted_at       timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  -- Since when the log is known to lack records before this position, which no operator has accepted yet.
  missing_since  timestamptz(3),
  PRIMARY KEY (consumer_group, topic, partition)
);
