-- How far each partition of the log of spans has been counted into service_edge, and what it came to.
-- Written in the transaction that merges the edges, by whoever still finds `next_offset` as it left it.
CREATE TABLE span_checkpoint (
  partition     integer PRIMARY KEY,
  next_offset   bigint NOT NULL,
  -- Greatest time of a record so far, milliseconds since the epoch.
  stream_time   bigint NOT NULL,
  -- Where a worker that takes over begins to rebuild what it must remember, and the time there.
  replay_offset bigint NOT NULL,
  replay_time   bigint NOT NULL,
  -- Which spans wait for their other half: offsets and places within their records.
  positions     bytea NOT NULL,
  -- Facts of spans by what became of them.
  read          bigint NOT NULL DEFAULT 0,
  paired        bigint NOT NULL DEFAULT 0,
  standalone    bigint NOT NULL DEFAULT 0,
  expired       bigint NOT NULL DEFAULT 0,
  duplicate     bigint NOT NULL DEFAULT 0,
  irrelevant    bigint NOT NULL DEFAULT 0,
  waiting       bigint NOT NULL DEFAULT 0,
  changed_at    timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT span_checkpoint_sum CHECK
    (read = 2 * paired + standalone + expired + duplicate + irrelevant + waiting)
);

-- Calls of an edge minute by minute, with their durations as a histogram that can be added up: bucket
-- n holds those above 2^((n-1)/8) and up to 2^(n/8) microseconds.
CREATE TABLE service_edge_window (
  edge_id bigint NOT NULL REFERENCES service_edge ON DELETE CASCADE,
  at      timestamptz(0) NOT NULL,
  calls   bigint NOT NULL,
  errors  bigint NOT NULL,
  buckets smallint[] NOT NULL,
  counts  bigint[] NOT NULL,
  PRIMARY KEY (edge_id, at)
) WITH (fillfactor = 80);
CREATE INDEX service_edge_window_at ON service_edge_window (at);
