-- Lineage as declared. `live` says that neither end is deleted; walks see live rows alone, by the two
-- partial indexes, one for each direction.
CREATE TABLE lineage_edge (
  establisher_id bigint NOT NULL REFERENCES data_entity,
  parent_id      bigint NOT NULL REFERENCES data_entity,
  child_id       bigint NOT NULL REFERENCES data_entity,
  live           boolean NOT NULL DEFAULT true,
  since          timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (establisher_id, parent_id, child_id)
);
CREATE INDEX lineage_edge_out ON lineage_edge (parent_id, child_id) WHERE live;
CREATE INDEX lineage_edge_in ON lineage_edge (child_id, parent_id) WHERE live;
CREATE INDEX lineage_edge_dead_out ON lineage_edge (parent_id) WHERE NOT live;
CREATE INDEX lineage_edge_dead_in ON lineage_edge (child_id) WHERE NOT live;

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
  position   bigint PRIMARY KEY,
  entity_ids bigint[] NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX lineage_outbox_created ON lineage_outbox (created_at);

-- The last statement of every transaction that moves lineage. Returns the position drawn.
CREATE FUNCTION lineage_append(ids bigint[]) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE drawn bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('lineage_outbox'));
  drawn := nextval('lineage_position');
  INSERT INTO lineage_outbox (position, entity_ids) VALUES (drawn, ids);
  PERFORM pg_notify('lineage_outbox', drawn::text);
  RETURN drawn;
END $$;

-- The last committed position; 0 before the first.
CREATE FUNCTION lineage_head() RETURNS bigint LANGUAGE sql STABLE AS
  'SELECT coalesce((SELECT position FROM lineage_outbox ORDER BY position DESC LIMIT 1), 0)';

-- How far the projected graph is, for those who wait for it: a hint, the graph itself holds the truth.
CREATE TABLE projection_status (
  one      boolean PRIMARY KEY DEFAULT true CHECK (one),
  position bigint NOT NULL,
  state    text NOT NULL,
  seen_at  timestamptz(3) NOT NULL
);
