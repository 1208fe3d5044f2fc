-- Walks over the live column edges, as those of lineage-walk.sql, and under the same budgets; with `at`, over
-- those that stood at that time, as those of lineage-history.sql. Nodes are those of columns.sql.

-- Where edges are looked for when a node is followed: at itself, and
--  * at its dataset as a whole, upstream with `indirect`: what has a say in all rows has one in the column;
--  * with `through`, at its dataset as a whole, and from a dataset as a whole at all its columns.
-- Downstream a dataset as a whole is not followed without `through`, except as a `root`.
CREATE OR REPLACE FUNCTION column_beside(
  nodes bigint[], downstream boolean, indirect boolean, through boolean, root boolean
) RETURNS TABLE (node bigint, place bigint) LANGUAGE sql STABLE ROWS 1000 AS $$
  SELECT n, n FROM unnest(nodes) n WHERE root OR through OR NOT downstream OR n <= 1::bigint << 52
  UNION ALL
  SELECT c.id, whole_dataset(c.dataset_id) FROM dataset_column c
   WHERE (through OR indirect AND NOT downstream) AND c.id = ANY (nodes)
  UNION ALL
  SELECT (1::bigint << 51) + f.id, whole_dataset(f.dataset_id) FROM dataset_field f
   WHERE root AND (through OR indirect AND NOT downstream)
     AND f.id = ANY (ARRAY(SELECT n - (1::bigint << 51) FROM unnest(nodes) n))
  UNION ALL
  SELECT whole_dataset(c.dataset_id), c.id FROM dataset_column c
   WHERE through AND c.dataset_id = ANY (ARRAY(SELECT dataset_as_whole(n) FROM unnest(nodes) n))
$$;

-- Where edges are looked for when all of `nodes` are followed, the first `roots` of which are roots. The
-- ordinary questions need no look at what stands beside.
CREATE OR REPLACE FUNCTION column_places(
  nodes bigint[], roots bigint, downstream boolean, indirect boolean, through boolean
) RETURNS bigint[] LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF NOT (through OR downstream OR indirect) THEN RETURN nodes; END IF;
  IF downstream AND NOT through THEN
    RETURN nodes[:roots]
      || ARRAY(SELECT n FROM unnest(nodes[roots + 1:]) n WHERE n <= 1::bigint << 52);
  END IF;
  RETURN ARRAY(
    SELECT place FROM column_beside(nodes[:roots], downstream, indirect, through, true)
    UNION SELECT place FROM column_beside(nodes[roots + 1:], downstream, indirect, through, false));
END $$;

-- Edges as declared that stood at a time, with one end among `places`: the source when `downstream`, else the
-- target. One stands while it is declared and neither dataset nor the establisher is deleted.
CREATE OR REPLACE FUNCTION column_edges_standing(places bigint[], downstream boolean, at timestamptz)
  RETURNS SETOF column_edge LANGUAGE sql STABLE AS $$
  SELECT * FROM (
    SELECT * FROM column_edge
     WHERE downstream AND live AND source_id = ANY (places) AND since <= at
    UNION ALL
    SELECT * FROM column_edge
     WHERE NOT downstream AND live AND target_id = ANY (places) AND since <= at
    UNION ALL
    SELECT * FROM column_edge
     WHERE downstream AND NOT live AND source_id > 0 AND source_id = ANY (places) AND since <= at
    UNION ALL
    SELECT * FROM column_edge
     WHERE NOT downstream AND NOT live AND target_id > 0 AND target_id = ANY (places) AND since <= at
    UNION ALL
    SELECT establisher_id, source_id, target_id, kind, origin, false, masking, source_dataset,
           target_dataset, since, subtype, description
      FROM column_edge_history
     WHERE downstream AND source_id = ANY (places) AND until > at AND since <= at
    UNION ALL
    SELECT establisher_id, source_id, target_id, kind, origin, false, masking, source_dataset,
           target_dataset, since, subtype, description
      FROM column_edge_history
     WHERE NOT downstream AND target_id = ANY (places) AND until > at AND since <= at
  ) e
  WHERE NOT EXISTS (
    SELECT FROM entity_deletion d
     WHERE d.entity_id IN (e.establisher_id, e.source_dataset, e.target_dataset)
       AND d.since <= at AND (d.until IS NULL OR d.until > at))
$$;

-- Live edges as declared, with one end among `places`: the source when `downstream`, else the target.
-- `near` is that end. INDIRECT ones only with `indirect`. An edge that several entities establish comes
-- as often.
CREATE OR REPLACE FUNCTION column_touching(places bigint[], downstream boolean, indirect boolean)
  RETURNS TABLE (near bigint, far bigint)
LANGUAGE sql STABLE AS $$
  SELECT source_id, target_id FROM column_edge
   WHERE downstream AND live AND source_id = ANY (places) AND (indirect OR kind = 0)
  UNION ALL
  SELECT target_id, source_id FROM column_edge
   WHERE NOT downstream AND live AND target_id = ANY (places) AND (indirect OR kind = 0)
$$;

-- The same of the edges that stood at a time; of the live ones when that is null. It plans only what it runs.
CREATE OR REPLACE FUNCTION column_touching_at(
  places bigint[], downstream boolean, indirect boolean, at timestamptz
) RETURNS TABLE (near bigint, far bigint) LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF at IS NULL THEN
    RETURN QUERY SELECT t.near, t.far FROM column_touching(places, downstream, indirect) t;
  ELSE
    RETURN QUERY
      SELECT CASE WHEN downstream THEN source_id ELSE target_id END,
             CASE WHEN downstream THEN target_id ELSE source_id END
        FROM column_edges_standing(places, downstream, at)
       WHERE indirect OR kind = 0;
  END IF;
END $$;

-- One walk. `ids` are the nodes reached, nearest first, up to `whole`, the last level all of whose nodes
-- were reached within both budgets; the first `followed` of them were followed. `cut` names the budget that
-- ended it, and `open` the nodes that have neighbours which were not followed. When the first level alone
-- is more than `max_nodes`, `ids` has as much of it as fits, by id, and `partly` is true.
CREATE OR REPLACE FUNCTION column_walk(
  roots bigint[], downstream boolean, indirect boolean, through boolean,
  depth bigint, max_nodes bigint, budget interval, at timestamptz,
  OUT head bigint, OUT whole bigint, OUT ids bigint[], OUT followed bigint,
  OUT cut text, OUT partly boolean, OUT open bigint[]
) LANGUAGE plpgsql STABLE
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off
SET enable_mergejoin = off SET jit = off SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  deadline timestamptz := clock_timestamp() + budget;
  marks bigint[];
  ended boolean;
  over boolean;
BEGIN
  head := lineage_head();
  IF at IS NULL THEN
    SELECT array_agg(w) FILTER (WHERE w > 0), array_agg(w) FILTER (WHERE w <= 0) INTO ids, marks
      FROM column_levels(roots, downstream, depth, 2 * max_nodes + 4, deadline, indirect, through) w;
  ELSE
    SELECT array_agg(w) FILTER (WHERE w > 0), array_agg(w) FILTER (WHERE w <= 0) INTO ids, marks
      FROM column_levels_at(roots, downstream, depth, 2 * max_nodes + 4, deadline, indirect, through, at) w;
  END IF;
  ids := coalesce(ids, '{}');
  ended := marks[cardinality(marks)] = -1::bigint << 62;
  IF ended THEN
    marks[cardinality(marks)] := marks[cardinality(marks) - 1] - (1::bigint << 31);
  END IF;
  SELECT greatest(count(*) - 2, 0) INTO whole FROM unnest(marks) m WHERE -m & 2147483647 <= max_nodes;
  over := cardinality(ids) > max_nodes;
  partly := whole = 0 AND over AND cardinality(roots) < max_nodes;
  IF partly THEN
    ids := roots || ARRAY(
      SELECT DISTINCT t.far FROM column_touching_at(
        column_places(roots, cardinality(roots), downstream, indirect, through), downstream, indirect, at) t
      WHERE t.far <> ALL (roots) ORDER BY t.far LIMIT max_nodes - cardinality(roots));
    followed := cardinality(roots);
  ELSE
    ids := ids[:CASE WHEN whole = 0 THEN cardinality(roots) ELSE -marks[whole + 2] & 2147483647 END];
    followed := -marks[whole + 1] & 2147483647;
  END IF;
  IF whole = depth OR ended AND whole = cardinality(marks) - 2 THEN RETURN; END IF;
  open := ARRAY(
    SELECT DISTINCT b.node FROM (
        SELECT * FROM column_beside(ids[followed + 1:], downstream, indirect, through, whole = 0 AND NOT partly)
         WHERE NOT partly OR depth > 1
        UNION ALL SELECT * FROM column_beside(roots, downstream, indirect, through, true) WHERE partly) b
      JOIN LATERAL (
        SELECT FROM column_touching_at(ARRAY[b.place], downstream, indirect, at) t
         WHERE NOT partly OR b.node <> ALL (roots) OR t.far <> ALL (ids) LIMIT 1) t ON true);
  IF cardinality(open) > 0 THEN cut := CASE WHEN over THEN 'nodes' ELSE 'time' END; END IF;
END $$;
