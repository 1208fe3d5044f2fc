-- Moving lineage: the outbox, and what deleting an entity does to the edges that touch it.

-- The last statement of every transaction that moves lineage. Returns the position drawn.
CREATE OR REPLACE FUNCTION lineage_append(ids bigint[]) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE drawn bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('lineage_outbox'));
  drawn := nextval('lineage_position');
  INSERT INTO lineage_outbox (position, entity_ids) VALUES (drawn, ids);
  PERFORM pg_notify('lineage_outbox', drawn::text);
  RETURN drawn;
END $$;

-- The last committed position; 0 before the first.
CREATE OR REPLACE FUNCTION lineage_head() RETURNS bigint LANGUAGE sql STABLE AS
  'SELECT coalesce((SELECT position FROM lineage_outbox ORDER BY position DESC LIMIT 1), 0)';

-- Keys of every edge that touches one of `ids`, whoever declared it, live or not; each once. OFFSET 0
-- keeps it a look-up by id, whatever the statistics say of hidden edges.
CREATE OR REPLACE FUNCTION lineage_edges_touching(ids bigint[])
RETURNS TABLE (establisher_id bigint, parent_id bigint, child_id bigint)
LANGUAGE sql STABLE ROWS 100 AS $$
  SELECT DISTINCT x.establisher_id, x.parent_id, x.child_id
    FROM unnest(ids) AS i (id)
    CROSS JOIN LATERAL (
      SELECT e.establisher_id, e.parent_id, e.child_id FROM lineage_edge e
        WHERE e.live AND e.parent_id = i.id
      UNION ALL SELECT e.establisher_id, e.parent_id, e.child_id FROM lineage_edge e
        WHERE e.live AND e.child_id = i.id
      UNION ALL SELECT e.establisher_id, e.parent_id, e.child_id FROM lineage_edge e
        WHERE NOT e.live AND e.parent_id > 0 AND e.parent_id = i.id
      UNION ALL SELECT e.establisher_id, e.parent_id, e.child_id FROM lineage_edge e
        WHERE NOT e.live AND e.child_id > 0 AND e.child_id = i.id
      OFFSET 0) x
$$;

-- Call it after `data_entity.status` of `ids` was changed, in the same transaction, with the rows of
-- `ids` locked (in id order, FOR NO KEY UPDATE). Makes `live` of every edge that touches them say
-- whether neither end is deleted, does the same to column edges, and opens (`deleted`) or closes the
-- entities' deletion intervals. Returns those of `ids` whose edges changed: give them to lineage_append() as the last statement.
--
-- The edges are locked first and judged by a later statement: so of two transactions that delete one
-- end and restore the other, the second sees what the first has done. Whoever inserts an edge must
-- hold the rows of both its ends, or the edge may miss a deletion that commits at the same time.
CREATE OR REPLACE FUNCTION lineage_set_deleted(ids bigint[], deleted boolean)
RETURNS bigint[] LANGUAGE plpgsql AS $$
DECLARE
  at      timestamptz(3);
  changed bigint[];
BEGIN
  PERFORM 1
    FROM lineage_edge e JOIN lineage_edges_touching(ids) t
      ON (e.establisher_id, e.parent_id, e.child_id) = (t.establisher_id, t.parent_id, t.child_id)
    ORDER BY e.establisher_id, e.parent_id, e.child_id
    FOR NO KEY UPDATE OF e;

  WITH judged AS (
    SELECT t.*, is_live(p.status) AND is_live(c.status) AS live
      FROM lineage_edges_touching(ids) t
      JOIN data_entity p ON p.id = t.parent_id
      JOIN data_entity c ON c.id = t.child_id
  ), moved AS (
    UPDATE lineage_edge e SET live = j.live FROM judged j
      WHERE (e.establisher_id, e.parent_id, e.child_id) = (j.establisher_id, j.parent_id, j.child_id)
        AND e.live <> j.live
      RETURNING e.parent_id, e.child_id
  )
  SELECT array_agg(DISTINCT m.id ORDER BY m.id) INTO changed
    FROM (SELECT parent_id AS id FROM moved UNION ALL SELECT child_id FROM moved) m
    WHERE m.id IN (SELECT unnest(ids));

  PERFORM column_edges_set_live(ids);

  -- The wall clock and not the transaction's start: whoever waited for a lock started earlier than
  -- the interval that it closes.
  at := clock_timestamp();
  IF deleted THEN
    INSERT INTO entity_deletion (entity_id, since)
      SELECT e.id, at FROM data_entity e
        WHERE e.id = ANY(ids) AND NOT is_live(e.status)
          AND NOT EXISTS (
            SELECT 1 FROM entity_deletion d WHERE d.entity_id = e.id AND d.until IS NULL)
      ON CONFLICT (entity_id, since) DO UPDATE SET until = NULL;
  ELSE
    UPDATE entity_deletion d SET until = greatest(at, d.since)
      FROM data_entity e
      WHERE e.id = d.entity_id AND e.id = ANY(ids) AND is_live(e.status) AND d.until IS NULL;
  END IF;
  RETURN coalesce(changed, '{}');
END $$;

-- Those of `ids` that something stored names: an edge end, the dataset of a column edge, a group or member, the target of a run, a
-- tested dataset, the end of a relationship, an alert or what raised it. So a hollow entity is kept
-- that only an alert knows.
CREATE OR REPLACE FUNCTION entities_referenced(ids bigint[]) RETURNS SETOF bigint
LANGUAGE sql STABLE AS $$
  SELECT unnest(ids)
  INTERSECT (
    SELECT parent_id FROM lineage_edges_touching(ids)
    UNION ALL SELECT child_id FROM lineage_edges_touching(ids)
    UNION ALL SELECT dataset_id FROM column_edge_datasets(ids)
    UNION ALL SELECT member_id FROM group_member WHERE member_id = ANY(ids)
    UNION ALL SELECT group_id FROM group_member WHERE group_id = ANY(ids)
    UNION ALL SELECT task_id FROM task_run WHERE task_id = ANY(ids)
    UNION ALL SELECT dataset_id FROM test_dataset WHERE dataset_id = ANY(ids)
    UNION ALL SELECT source_id FROM relationship WHERE source_id = ANY(ids)
    UNION ALL SELECT target_id FROM relationship WHERE target_id = ANY(ids)
    UNION ALL SELECT entity_id FROM alert WHERE entity_id = ANY(ids)
    UNION ALL SELECT messenger_id FROM alert WHERE messenger_id = ANY(ids))
$$;
