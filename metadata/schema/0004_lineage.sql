-- Lineage: edges as declared, their history, and the outbox of what moved.

-- Lineage as declared. `live` says that neither end is deleted; walks see live rows alone, by the two
-- partial indexes, one for each direction.
--
-- A deleted row of data_entity is looked for in every table that refers to it. The ends of edges are
-- indexed for live and for hidden edges apart, which such a check cannot use: it would read the whole
-- table for each end. That ends exist is held by locks instead: whoever writes an edge has locked
-- both, and a purge locks against that and keeps what an edge still touches.
CREATE TABLE lineage_edge (
  establisher_id bigint NOT NULL,
  parent_id      bigint NOT NULL,
  child_id       bigint NOT NULL,
  live           boolean NOT NULL DEFAULT true,
  since          timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (establisher_id, parent_id, child_id)
);
CREATE INDEX lineage_edge_out ON lineage_edge (parent_id, child_id) WHERE live;
CREATE INDEX lineage_edge_in ON lineage_edge (child_id, parent_id) WHERE live;

-- Hidden edges are mostly too few to be known to the planner's statistics, and then an index of the
-- other end looks as good to it as the right one, at the price of reading it whole for every id. So
-- each says in its condition which end it is for, and look-ups repeat that.
CREATE INDEX lineage_edge_dead_out ON lineage_edge (parent_id) WHERE NOT live AND parent_id > 0;
CREATE INDEX lineage_edge_dead_in ON lineage_edge (child_id) WHERE NOT live AND child_id > 0;

-- What was declared once, with its half-open interval in catalogue time. No foreign keys: history
-- outlives what it tells of.
CREATE TABLE lineage_edge_history (
  establisher_id bigint NOT NULL,
  parent_id      bigint NOT NULL,
  child_id       bigint NOT NULL,
  since          timestamptz(3) NOT NULL,
  until          timestamptz(3) NOT NULL
);
CREATE INDEX lineage_edge_history_until ON lineage_edge_history (until);
CREATE INDEX lineage_edge_history_parent ON lineage_edge_history (parent_id);
CREATE INDEX lineage_edge_history_child ON lineage_edge_history (child_id);

CREATE TABLE entity_deletion (
  entity_id bigint NOT NULL,
  since     timestamptz(3) NOT NULL,
  until     timestamptz(3),
  PRIMARY KEY (entity_id, since)
);

-- Entities whose lineage changed, in commit order: whoever writes a row holds the advisory lock of
-- lineage_append() until its transaction ends.
CREATE SEQUENCE lineage_position;

CREATE TABLE lineage_outbox (
  position    bigint PRIMARY KEY,
  entity_ids  bigint[] NOT NULL,
  created_at  timestamptz(3) NOT NULL DEFAULT now(),
  -- Which trace moved lineage, so that the write into the graph can be followed back to its request. A
  -- transaction that is traced sets tributary.traceparent (W3C Trace Context) for its own length.
  traceparent text DEFAULT nullif(current_setting('tributary.traceparent', true), '')
);
CREATE INDEX lineage_outbox_created ON lineage_outbox (created_at);

-- How far the projected graph is, for those who wait for it: a hint, the graph itself holds the truth.
CREATE TABLE projection_status (
  one      boolean PRIMARY KEY DEFAULT true CHECK (one),
  position bigint NOT NULL,
  state    text NOT NULL,
  seen_at  timestamptz(3) NOT NULL
);
