-- What is downstream of each of `entities`: its live assets, and those of them that only consume data. `at_least`: a walk
-- ended at `max_nodes` or at `deadline`, and there is more. Settings as those of lineage_walk.
CREATE OR REPLACE FUNCTION downstream_counts(entities bigint[], max_nodes bigint, deadline timestamptz)
  RETURNS TABLE (entity_id bigint, total bigint, consumers bigint, at_least boolean)
LANGUAGE plpgsql STABLE
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off
SET enable_mergejoin = off SET jit = off SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  consumer smallint := (SELECT c.id FROM entity_class c WHERE c.name = 'DATA_CONSUMER');
BEGIN
  FOREACH entity_id IN ARRAY entities LOOP
    SELECT count(e.id), count(e.id) FILTER (WHERE consumer = ANY (e.class_ids)),
           NOT bool_or(w = -1::bigint << 62)
      INTO total, consumers, at_least
      FROM lineage_levels(ARRAY[entity_id], true, 1::bigint << 31, max_nodes, deadline) w
      LEFT JOIN data_entity e ON w > 0 AND e.id = w AND e.id <> entity_id AND is_live(e.status);
    RETURN NEXT;
  END LOOP;
END $$;
