-- What purging entities needs.

-- A deleted row of data_entity is looked for in every table that refers to it. The ends of edges are
-- indexed for live and for hidden edges apart, which such a check cannot use: it would read the whole
-- table for each end. That ends exist is held by locks instead: whoever writes an edge has locked
-- both, and a purge locks against that and keeps what an edge still touches.
ALTER TABLE lineage_edge
  DROP CONSTRAINT lineage_edge_parent_id_fkey,
  DROP CONSTRAINT lineage_edge_child_id_fkey;

CREATE INDEX alert_entity ON alert (entity_id);
CREATE INDEX alert_messenger ON alert (messenger_id) WHERE messenger_id IS NOT NULL;
CREATE INDEX data_entity_hollow ON data_entity (id) WHERE hollow;

-- Those of `ids` that something stored names: an edge end, a group or member, the target of a run, a
-- tested dataset, the end of a relationship.
CREATE FUNCTION entities_referenced(ids bigint[]) RETURNS SETOF bigint
LANGUAGE sql STABLE AS $$
  SELECT unnest(ids)
  INTERSECT (
    SELECT parent_id FROM lineage_edges_touching(ids)
    UNION ALL SELECT child_id FROM lineage_edges_touching(ids)
    UNION ALL SELECT member_id FROM group_member WHERE member_id = ANY(ids)
    UNION ALL SELECT group_id FROM group_member WHERE group_id = ANY(ids)
    UNION ALL SELECT task_id FROM task_run WHERE task_id = ANY(ids)
    UNION ALL SELECT dataset_id FROM test_dataset WHERE dataset_id = ANY(ids)
    UNION ALL SELECT source_id FROM relationship WHERE source_id = ANY(ids)
    UNION ALL SELECT target_id FROM relationship WHERE target_id = ANY(ids))
$$;
