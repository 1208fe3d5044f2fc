-- When data sources were seen, and what is decided of what went stale under them: see housekeeping.stale.

-- Written by each sweep while a policy names the source; older ones than its period go.
CREATE TABLE data_source_seen (
  data_source_id bigint NOT NULL REFERENCES data_source ON DELETE CASCADE,
  seen_at        timestamptz(3) NOT NULL,
  PRIMARY KEY (data_source_id, seen_at)
);

-- A source of which more went stale than the fuse lets expire, or than somebody approved.
CREATE TABLE stale_source (
  data_source_id bigint PRIMARY KEY REFERENCES data_source ON DELETE CASCADE,
  held           bigint,           -- how many are held back; null: none
  approved       bigint,           -- how many may expire yet; null: none
  approved_at    timestamptz(3)
);
