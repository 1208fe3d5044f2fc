-- Lineage as of a past time: the walks of lineage-walk.sql over what stood then, live or not now. They are
-- functions of their own, so that a walk of today pays nothing for them. An edge stands at a time when its
-- half-open interval holds the time and neither end was deleted then; an interval of no length never does.
-- The ids that are asked for are taken to be there at the time: the caller has judged the roots, and whatever
-- is reached was judged as a far end.

-- Edges as declared that stood at a time, whether or not their far ends were there. The history is looked at for each
-- of `ids`, and not at all when nothing has ended since.
CREATE OR REPLACE FUNCTION lineage_declared_at(ids bigint[], downstream boolean, at timestamptz)
  RETURNS TABLE (near bigint, far bigint)
LANGUAGE sql STABLE AS $$
  SELECT parent_id, child_id FROM lineage_edge
    WHERE downstream AND live AND parent_id = ANY (ids) AND since <= at
  UNION ALL
  SELECT child_id, parent_id FROM lineage_edge
    WHERE NOT downstream AND live AND child_id = ANY (ids) AND since <= at
  UNION ALL
  SELECT parent_id, child_id FROM lineage_edge
    WHERE downstream AND NOT live AND parent_id > 0 AND parent_id = ANY (ids) AND since <= at
  UNION ALL
  SELECT child_id, parent_id FROM lineage_edge
    WHERE NOT downstream AND NOT live AND child_id > 0 AND child_id = ANY (ids) AND since <= at
  UNION ALL
  SELECT parent_id, child_id FROM lineage_edge_history
    WHERE downstream AND parent_id = ANY (ids) AND until > at AND since <= at
      AND EXISTS (SELECT FROM lineage_edge_history h WHERE h.establisher_id > 0 AND h.until > at)
  UNION ALL
  SELECT child_id, parent_id FROM lineage_edge_history
    WHERE NOT downstream AND child_id = ANY (ids) AND until > at AND since <= at
      AND EXISTS (SELECT FROM lineage_edge_history h WHERE h.establisher_id > 0 AND h.until > at)
$$;

-- As lineage_touching.
CREATE OR REPLACE FUNCTION lineage_touching_at(ids bigint[], downstream boolean, at timestamptz)
  RETURNS TABLE (near bigint, far bigint)
LANGUAGE sql STABLE AS $$
  SELECT t.near, t.far FROM lineage_declared_at(ids, downstream, at) t
  WHERE NOT EXISTS (
    SELECT FROM entity_deletion d
     WHERE d.entity_id = t.far AND d.since <= at AND (d.until IS NULL OR d.until > at))
$$;

-- Those of `ids` that were not deleted at a time.
CREATE OR REPLACE FUNCTION entities_undeleted_at(ids bigint[], at timestamptz) RETURNS SETOF bigint
LANGUAGE sql STABLE AS $$
  SELECT i.id FROM unnest(ids) i (id)
   WHERE NOT EXISTS (
    SELECT FROM entity_deletion d
     WHERE d.entity_id = i.id AND d.since <= at AND (d.until IS NULL OR d.until > at))
$$;

-- As lineage_walk; the degrees too are those of that time. What is in `ids` was judged already, and all that what was
-- followed leads to is in it, if it was there. Arrays of ids come out of a subquery, because the planner would estimate
-- every branch for every id of an array that it can see.
CREATE OR REPLACE FUNCTION lineage_walk_at(
  roots bigint[], downstream boolean, depth bigint, max_nodes bigint, budget interval, at timestamptz,
  OUT head bigint, OUT whole bigint, OUT complete boolean, OUT over boolean,
  OUT near bigint[], OUT far bigint[],
  OUT ids bigint[], OUT against_ids bigint[], OUT against bigint[],
  OUT frontier bigint, OUT along_ids bigint[], OUT along bigint[]
) LANGUAGE plpgsql STABLE
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off
SET enable_mergejoin = off SET jit = off SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  deadline timestamptz := clock_timestamp() + budget;
  rows_wanted bigint := 2 * max_nodes + 4;
  marks bigint[];
  ended boolean;
  kept bigint;
  followed bigint;
BEGIN
  head := lineage_head();
  SELECT array_agg(w) FILTER (WHERE w > 0), array_agg(w) FILTER (WHERE w <= 0) INTO ids, marks
    FROM lineage_levels_at(roots, downstream, depth, rows_wanted, deadline, at) w;
  ended := marks[cardinality(marks)] = -1::bigint << 62;
  IF ended THEN
    marks[cardinality(marks)] := marks[cardinality(marks) - 1] - (1::bigint << 31);
  END IF;
  SELECT greatest(count(*) - 2, 0) INTO whole FROM unnest(marks) m WHERE -m & 2147483647 <= max_nodes;
  complete := whole = depth OR (ended AND whole = cardinality(marks) - 2);
  over := cardinality(ids) > max_nodes;
  kept := CASE WHEN whole = 0 THEN cardinality(roots) ELSE -marks[whole + 2] & 2147483647 END;
  followed := -marks[whole + 1] & 2147483647;
  ids := ids[:kept];
  frontier := kept - followed;
  SELECT array_agg(e.near), array_agg(e.far) INTO near, far
    FROM (SELECT DISTINCT t.near, t.far
            FROM (SELECT ids[:followed] AS these OFFSET 0) i, lineage_declared_at(i.these, downstream, at) t
           WHERE (t.far IN (SELECT unnest(ids))) IS TRUE) e;
  SELECT array_agg(d.near), array_agg(d.n) INTO against_ids, against FROM (
    SELECT t.near, count(DISTINCT t.far) AS n
    FROM (SELECT ids AS these OFFSET 0) i, lineage_declared_at(i.these, NOT downstream, at) t
    WHERE t.far IN (SELECT unnest(ids)) OR NOT EXISTS (
      SELECT FROM entity_deletion d
       WHERE d.entity_id = t.far AND d.since <= at AND (d.until IS NULL OR d.until > at))
    GROUP BY 1) d;
  SELECT array_agg(d.near), array_agg(d.n) INTO along_ids, along FROM (
    SELECT t.near, count(DISTINCT t.far) AS n
    FROM (SELECT ids[followed + 1:] AS these OFFSET 0) i, lineage_touching_at(i.these, downstream, at) t
    GROUP BY 1) d;
END $$;

-- As lineage_first_level; a hub is read whole, for the history is not in order of its far ends.
CREATE OR REPLACE FUNCTION lineage_first_level_at(
  roots bigint[], downstream boolean, room bigint, at timestamptz,
  OUT near bigint[], OUT far bigint[], OUT ids bigint[],
  OUT parents_of bigint[], OUT parents bigint[], OUT children_of bigint[], OUT children bigint[]
) LANGUAGE plpgsql STABLE
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off
SET enable_mergejoin = off SET jit = off SET plan_cache_mode = force_custom_plan AS $$
BEGIN
  SELECT array_agg(n.id) INTO ids FROM (
    SELECT DISTINCT t.far AS id FROM lineage_touching_at(roots, downstream, at) t
     WHERE t.far <> ALL (roots) ORDER BY 1 LIMIT room) n;
  SELECT array_agg(e.far), array_agg(e.near) INTO near, far FROM (
    SELECT DISTINCT t.near, t.far FROM lineage_touching_at(ids || roots, NOT downstream, at) t
    WHERE t.far = ANY (roots)) e;
  SELECT array_agg(d.near), array_agg(d.n) INTO parents_of, parents FROM (
    SELECT t.near, count(DISTINCT t.far) AS n FROM lineage_touching_at(ids, false, at) t GROUP BY 1) d;
  SELECT array_agg(d.near), array_agg(d.n) INTO children_of, children FROM (
    SELECT t.near, count(DISTINCT t.far) AS n FROM lineage_touching_at(ids, true, at) t GROUP BY 1) d;
END $$;

-- As lineage_among.
CREATE OR REPLACE FUNCTION lineage_among_at(
  members bigint[], budget interval, at timestamptz,
  OUT head bigint, OUT whole bigint, OUT near bigint[], OUT far bigint[]
) LANGUAGE plpgsql STABLE
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  deadline timestamptz := clock_timestamp() + budget;
  batch CONSTANT integer := 4000;
  nears bigint[];
  fars bigint[];
BEGIN
  head := lineage_head();
  whole := 0;
  near := '{}';
  far := '{}';
  WHILE whole < cardinality(members) AND clock_timestamp() < deadline LOOP
    SELECT coalesce(array_agg(e.near), '{}'), coalesce(array_agg(e.far), '{}') INTO nears, fars FROM (
      SELECT DISTINCT t.near, t.far
      FROM lineage_touching_at(members[whole + 1:whole + batch], true, at) t
      WHERE t.far IN (SELECT unnest(members))) e;
    near := near || nears;
    far := far || fars;
    whole := least(whole + batch, cardinality(members));
  END LOOP;
  IF whole < cardinality(members) THEN
    SELECT array_agg(e.n), array_agg(e.f) INTO near, far FROM unnest(near, far) e (n, f)
      WHERE e.f <= members[whole];
  END IF;
END $$;

-- Those of the pairs (nears[i], fars[i]) that stood at a time.
CREATE OR REPLACE FUNCTION lineage_standing_at(
  nears bigint[], fars bigint[], downstream boolean, at timestamptz
) RETURNS TABLE (near bigint, far bigint) LANGUAGE sql STABLE AS $$
  WITH alive AS MATERIALIZED (
    SELECT array_agg(a) AS ids
      FROM entities_undeleted_at(ARRAY(SELECT DISTINCT unnest(nears)), at) a)
  SELECT DISTINCT t.near, t.far FROM alive, lineage_touching_at(alive.ids, downstream, at) t
   WHERE (t.near, t.far) IN (SELECT * FROM unnest(nears, fars))
$$;

-- Edges as declared that touch an entity, with their intervals; one that is declared still ends at infinity.
CREATE OR REPLACE FUNCTION lineage_intervals_touching(entity bigint, ended_after timestamptz)
  RETURNS TABLE (establisher_id bigint, parent_id bigint, child_id bigint, since timestamptz, until timestamptz)
LANGUAGE sql STABLE ROWS 10 AS $$
  SELECT e.establisher_id, e.parent_id, e.child_id, e.since, 'infinity'::timestamptz
    FROM lineage_edge e WHERE e.live AND e.parent_id = entity
  UNION ALL
  SELECT e.establisher_id, e.parent_id, e.child_id, e.since, 'infinity'
    FROM lineage_edge e WHERE e.live AND e.child_id = entity
  UNION ALL
  SELECT e.establisher_id, e.parent_id, e.child_id, e.since, 'infinity'
    FROM lineage_edge e WHERE NOT e.live AND e.parent_id > 0 AND e.parent_id = entity
  UNION ALL
  SELECT e.establisher_id, e.parent_id, e.child_id, e.since, 'infinity'
    FROM lineage_edge e WHERE NOT e.live AND e.child_id > 0 AND e.child_id = entity
  UNION ALL
  SELECT h.establisher_id, h.parent_id, h.child_id, h.since, h.until
    FROM lineage_edge_history h WHERE h.parent_id = entity AND h.until >= ended_after
  UNION ALL
  SELECT h.establisher_id, h.parent_id, h.child_id, h.since, h.until
    FROM lineage_edge_history h WHERE h.child_id = entity AND h.until >= ended_after
$$;

-- Moments after `low` up to `high` at which an edge may have come or gone, newest first, after the place that the
-- `last_` arguments name: at the ends of its own interval, and of deletions of its ends. At most `most`, found by the
-- indexes of time. Whether it did is for the caller to judge; `standing_at` is when it has to have stood.
CREATE OR REPLACE FUNCTION lineage_moments(
  low timestamptz, high timestamptz, most bigint,
  last_at timestamptz, last_change text, last_establisher bigint, last_parent bigint, last_child bigint
) RETURNS TABLE (
  at timestamptz, change text, establisher_id bigint, parent_id bigint, child_id bigint,
  standing_at timestamptz
) LANGUAGE sql STABLE
SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
SET plan_cache_mode = force_custom_plan AS $$
  SELECT m.at, m.change, m.establisher_id, m.parent_id, m.child_id,
         CASE m.change WHEN 'added' THEN m.at ELSE m.at - interval '1 millisecond' END
  FROM (
    (SELECT since AS at, 'added' AS change, establisher_id, parent_id, child_id FROM lineage_edge e
      WHERE since > low AND since <= high AND (since < last_at OR
        ('added', establisher_id, parent_id, child_id) > (last_change, last_establisher, last_parent, last_child))
      ORDER BY since DESC, establisher_id, parent_id, child_id LIMIT most)
    UNION
    (SELECT since, 'added', establisher_id, parent_id, child_id FROM lineage_edge_history h
      WHERE since > low AND since <= high AND until > since AND (since < last_at OR
        ('added', establisher_id, parent_id, child_id) > (last_change, last_establisher, last_parent, last_child))
      ORDER BY since DESC, establisher_id, parent_id, child_id LIMIT most)
    UNION
    (SELECT until, 'removed', establisher_id, parent_id, child_id FROM lineage_edge_history h
      WHERE establisher_id > 0 AND until > low AND until <= high AND until > since AND (until < last_at OR
        ('removed', establisher_id, parent_id, child_id) > (last_change, last_establisher, last_parent, last_child))
      ORDER BY until DESC, establisher_id, parent_id, child_id LIMIT most)
    UNION
    (SELECT d.since, 'removed', i.establisher_id, i.parent_id, i.child_id
       FROM entity_deletion d, lineage_intervals_touching(d.entity_id, d.since) i
      WHERE d.since > low AND d.since <= high AND (d.until IS NULL OR d.until > d.since)
        AND i.since < d.since AND i.until >= d.since AND i.until > i.since AND (d.since < last_at OR
        ('removed', i.establisher_id, i.parent_id, i.child_id) > (last_change, last_establisher, last_parent, last_child))
      ORDER BY d.since DESC, i.establisher_id, i.parent_id, i.child_id LIMIT most)
    UNION
    (SELECT d.until, 'added', i.establisher_id, i.parent_id, i.child_id
       FROM entity_deletion d, lineage_intervals_touching(d.entity_id, d.until) i
      WHERE d.until > low AND d.until <= high AND d.until > d.since
        AND i.since <= d.until AND i.until > d.until AND (d.until < last_at OR
        ('added', i.establisher_id, i.parent_id, i.child_id) > (last_change, last_establisher, last_parent, last_child))
      ORDER BY d.until DESC, i.establisher_id, i.parent_id, i.child_id LIMIT most)
  ) m
  ORDER BY m.at DESC, m.change, m.establisher_id, m.parent_id, m.child_id LIMIT most
$$;
