-- The event log on PostgreSQL. A partition's head row is locked by whoever appends until it commits, so
-- the order of offsets is the order of commits and a reader never meets a hole that fills up later.

CREATE TABLE log_topic (
  name             text COLLATE "C" PRIMARY KEY,
  partitions       integer NOT NULL CHECK (partitions > 0),
  max_record_bytes bigint NOT NULL,
  retention_ms     bigint NOT NULL
);

CREATE TABLE log_partition (
  topic        text COLLATE "C" NOT NULL REFERENCES log_topic,
  partition    integer NOT NULL,
  start_offset bigint NOT NULL DEFAULT 0,
  next_offset  bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (topic, partition)
) WITH (fillfactor = 50);

-- envelope: {"key": text or null, "headers": {name: text}}; json, since it keeps what jsonb refuses (\u0000).
CREATE TABLE log_record (
  topic     text COLLATE "C" NOT NULL,
  partition integer NOT NULL,
  "offset"  bigint NOT NULL,
  logged_at timestamptz(3) NOT NULL,
  envelope  json NOT NULL,
  value     bytea NOT NULL,
  PRIMARY KEY (topic, partition, "offset")
);
ALTER TABLE log_record ALTER COLUMN value SET STORAGE EXTERNAL;

-- Consumer groups, one for each name and topic. A claim's owner alone reads and commits; `target` is who
-- should own it, and the owner hands it over when it has finished what it has in hand.
CREATE TABLE log_group (
  name       text COLLATE "C" NOT NULL,
  topic      text COLLATE "C" NOT NULL REFERENCES log_topic,
  generation bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (name, topic)
);

CREATE TABLE log_member (
  id         uuid PRIMARY KEY,
  group_name text COLLATE "C" NOT NULL,
  topic      text COLLATE "C" NOT NULL,
  joined     bigint GENERATED ALWAYS AS IDENTITY,
  expires_at timestamptz NOT NULL,
  FOREIGN KEY (group_name, topic) REFERENCES log_group
);
CREATE INDEX log_member_group ON log_member (group_name, topic, joined);

CREATE TABLE log_claim (
  group_name text COLLATE "C" NOT NULL,
  topic      text COLLATE "C" NOT NULL,
  partition  integer NOT NULL,
  committed  bigint NOT NULL,
  owner      uuid,
  target     uuid,
  PRIMARY KEY (group_name, topic, partition),
  FOREIGN KEY (group_name, topic) REFERENCES log_group
) WITH (fillfactor = 50);

-- Dead letters that somebody replayed or dropped.
CREATE TABLE dead_letter_handled (
  partition  integer NOT NULL,
  "offset"   bigint NOT NULL,
  action     text NOT NULL CHECK (action IN ('replayed', 'dropped')),
  handled_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (partition, "offset")
);
CREATE INDEX dead_letter_handled_at ON dead_letter_handled (handled_at);
