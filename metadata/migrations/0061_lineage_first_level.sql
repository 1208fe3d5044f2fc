-- As much of the first level of a walk as a node budget holds: the `room` neighbours of `roots` with the
-- smallest ids, roots excluded. `near` and `far` are the ends of every edge from a root to a root or to
-- one of them. `parents` and `children` are the numbers of neighbours in the whole graph, of those of
-- `ids` that `parents_of` and `children_of` name. The index of the direction gives the neighbours of a
-- root in order of id, so that a hub of a million is not read whole.
CREATE FUNCTION lineage_first_level(
  roots bigint[], downstream boolean, room bigint,
  OUT near bigint[], OUT far bigint[], OUT ids bigint[],
  OUT parents_of bigint[], OUT parents bigint[], OUT children_of bigint[], OUT children bigint[]
) LANGUAGE plpgsql STABLE
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off
SET enable_mergejoin = off SET jit = off SET plan_cache_mode = force_custom_plan AS $$
BEGIN
  SELECT array_agg(n.id) INTO ids FROM (
    SELECT DISTINCT n.id FROM unnest(roots) r (id), LATERAL (
      (SELECT DISTINCT e.child_id AS id FROM lineage_edge e
        WHERE downstream AND e.live AND e.parent_id = r.id AND e.child_id <> ALL (roots)
        ORDER BY e.child_id LIMIT room)
      UNION ALL
      (SELECT DISTINCT e.parent_id FROM lineage_edge e
        WHERE NOT downstream AND e.live AND e.child_id = r.id AND e.parent_id <> ALL (roots)
        ORDER BY e.parent_id LIMIT room)) n
    ORDER BY n.id LIMIT room) n;
  SELECT array_agg(e.far), array_agg(e.near) INTO near, far FROM (
    SELECT DISTINCT t.near, t.far FROM lineage_touching(ids || roots, NOT downstream) t
    WHERE t.far = ANY (roots)) e;
  SELECT array_agg(d.near), array_agg(d.n) INTO parents_of, parents FROM (
    SELECT t.near, count(DISTINCT t.far) AS n FROM lineage_touching(ids, false) t GROUP BY 1) d;
  SELECT array_agg(d.near), array_agg(d.n) INTO children_of, children FROM (
    SELECT t.near, count(DISTINCT t.far) AS n FROM lineage_touching(ids, true) t GROUP BY 1) d;
END $$;
