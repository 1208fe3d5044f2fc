-- What the projector reads, one round trip a batch.

-- The outbox after `after`, up to about `ids_wanted` entities (one row is never split), and every
-- distinct live edge that touches them, all from one snapshot. `upto` is the last position taken, null when
-- nothing is new; `oldest` is the first position that the outbox still holds.
CREATE OR REPLACE FUNCTION lineage_batch(
  after bigint, ids_wanted bigint,
  OUT head bigint, OUT oldest bigint, OUT upto bigint,
  OUT ids bigint[], OUT parents bigint[], OUT children bigint[]
) LANGUAGE plpgsql STABLE
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
SET plan_cache_mode = force_custom_plan AS $$
BEGIN
  head := lineage_head();
  oldest := (SELECT o.position FROM lineage_outbox o ORDER BY o.position LIMIT 1);
  SELECT max(batch.position), array_agg(DISTINCT e.id) INTO upto, ids
    FROM (
      SELECT o.position, o.entity_ids,
        sum(cardinality(o.entity_ids)) OVER (ORDER BY o.position) - cardinality(o.entity_ids) AS before
      FROM (SELECT * FROM lineage_outbox l WHERE l.position > after ORDER BY l.position LIMIT 1000) o
    ) batch LEFT JOIN LATERAL unnest(batch.entity_ids) e (id) ON true
    WHERE batch.before < ids_wanted;
  ids := array_remove(ids, NULL);
  SELECT array_agg(edge.parent), array_agg(edge.child) INTO parents, children FROM (
    SELECT near AS parent, far AS child FROM lineage_touching(ids, true)
    UNION
    SELECT far, near FROM lineage_touching(ids, false)) edge;
END $$;

-- At most `wanted` distinct live edges after (parent, child), in that order.
CREATE OR REPLACE FUNCTION lineage_after(
  parent bigint, child bigint, wanted bigint, OUT parents bigint[], OUT children bigint[]
) LANGUAGE sql STABLE AS $$
  SELECT array_agg(e.parent_id), array_agg(e.child_id) FROM (
    SELECT DISTINCT parent_id, child_id FROM lineage_edge
    WHERE live AND (parent_id, child_id) > (parent, child)
    ORDER BY parent_id, child_id LIMIT wanted) e
$$;
