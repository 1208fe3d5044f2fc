-- Hidden edges are mostly too few to be known to the planner's statistics, and then an index of the
-- other end looks as good to it as the right one, at the price of reading it whole for every id. So
-- each says in its condition which end it is for, and look-ups repeat that.
DROP INDEX lineage_edge_dead_out;
DROP INDEX lineage_edge_dead_in;
CREATE INDEX lineage_edge_dead_out ON lineage_edge (parent_id) WHERE NOT live AND parent_id > 0;
CREATE INDEX lineage_edge_dead_in ON lineage_edge (child_id) WHERE NOT live AND child_id > 0;

-- Keys of every edge that touches one of `ids`, whoever declared it, live or not; each once. OFFSET 0
-- keeps it a look-up by id, whatever the statistics say of hidden edges.
CREATE FUNCTION lineage_edges_touching(ids bigint[])
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
-- whether neither end is deleted, and opens (`deleted`) or closes the entities' deletion intervals.
-- Returns those of `ids` whose edges changed: give them to lineage_append() as the last statement.
--
-- The edges are locked first and judged by a later statement: so of two transactions that delete one
-- end and restore the other, the second sees what the first has done. Whoever inserts an edge must
-- hold the rows of both its ends, or the edge may miss a deletion that commits at the same time.
CREATE FUNCTION lineage_set_deleted(ids bigint[], deleted boolean)
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
    SELECT t.*, p.status <> 5 AND c.status <> 5 AS live
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

  -- The wall clock and not the transaction's start: whoever waited for a lock started earlier than
  -- the interval that it closes.
  at := clock_timestamp();
  IF deleted THEN
    INSERT INTO entity_deletion (entity_id, since)
      SELECT e.id, at FROM data_entity e
        WHERE e.id = ANY(ids) AND e.status = 5
          AND NOT EXISTS (
            SELECT 1 FROM entity_deletion d WHERE d.entity_id = e.id AND d.until IS NULL)
      ON CONFLICT (entity_id, since) DO UPDATE SET until = NULL;
  ELSE
    UPDATE entity_deletion d SET until = greatest(at, d.since)
      FROM data_entity e
      WHERE e.id = d.entity_id AND e.id = ANY(ids) AND e.status <> 5 AND d.until IS NULL;
  END IF;
  RETURN coalesce(changed, '{}');
END $$;
