-- Lineage as of a past time: indexes of the history by end and time, what purged entities were called, and since when
-- the history is whole.

-- With the time in the index, and all that a walk asks for, a walk reads neither what had ended by then nor the rows.
CREATE INDEX lineage_edge_history_out ON lineage_edge_history (parent_id, until) INCLUDE (since, child_id);
CREATE INDEX lineage_edge_history_in ON lineage_edge_history (child_id, until) INCLUDE (since, parent_id);
DROP INDEX lineage_edge_history_parent, lineage_edge_history_child;

-- What changed between two times, newest first; the end of an interval has its index already.
CREATE INDEX lineage_edge_since ON lineage_edge (since);
CREATE INDEX lineage_edge_history_since ON lineage_edge_history (since);
CREATE INDEX entity_deletion_since ON entity_deletion (since);
CREATE INDEX entity_deletion_until ON entity_deletion (until);

-- What an entity was, written when it is purged. One that is still referenced keeps its id, may be filled and be
-- purged again, so there may be several; that of a time is the first one after it.
CREATE TABLE entity_tombstone (
  entity_id     bigint NOT NULL,
  catrn         text COLLATE "C" NOT NULL,
  external_name text,
  internal_name text,
  type_id       smallint,
  class_ids     smallint[] NOT NULL,
  source_catrn  text COLLATE "C",
  created_at    timestamptz(3) NOT NULL,
  purged_at     timestamptz(3) NOT NULL,
  PRIMARY KEY (entity_id, purged_at)
);
CREATE INDEX entity_tombstone_purged ON entity_tombstone (purged_at);

-- An earlier release forgot what it purged: such an entity is told by its id alone.
INSERT INTO entity_tombstone (entity_id, catrn, class_ids, created_at, purged_at)
SELECT h.id, '//purged/' || h.id, '{}', min(h.since), max(h.until)
  FROM (SELECT parent_id AS id, since, until FROM lineage_edge_history
        UNION ALL SELECT child_id, since, until FROM lineage_edge_history) h
 WHERE NOT EXISTS (SELECT FROM data_entity e WHERE e.id = h.id)
 GROUP BY h.id;

-- What is purged is no longer deleted but gone; its last deletion ends with it, and is forgotten by its end.
UPDATE entity_deletion d SET until = greatest(d.since, now())
 WHERE d.until IS NULL AND NOT EXISTS (SELECT FROM data_entity e WHERE e.id = d.entity_id);

-- Up to when history was forgotten. A retention that is made longer brings nothing back.
CREATE TABLE lineage_history_begin (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  at  timestamptz(3) NOT NULL
);
INSERT INTO lineage_history_begin (at) VALUES ('-infinity');
