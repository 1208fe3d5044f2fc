-- Walks over the live edges: what the inline lineage graph asks, one round trip each. All read one
-- snapshot (STABLE). A set of entities is looked up as one array, so that the index is read in order,
-- once, and not from its root for every entity. Plans are made anew for each call (0.1 ms): one made
-- while the table was small may use the index of the other direction, and would be kept. Their levels
-- are found by the functions of walk-levels.sql.

-- Live edges as declared, with one end among `ids`: at the parent when `downstream`, else at the child.
-- `near` is that end. A pair that several entities establish comes as often.
CREATE OR REPLACE FUNCTION lineage_touching(ids bigint[], downstream boolean)
  RETURNS TABLE (near bigint, far bigint)
LANGUAGE sql STABLE AS $$
  SELECT parent_id, child_id FROM lineage_edge WHERE downstream AND live AND parent_id = ANY (ids)
  UNION ALL
  SELECT child_id, parent_id FROM lineage_edge WHERE NOT downstream AND live AND child_id = ANY (ids)
$$;

-- One walk. `whole` is the last level all of whose entities were reached within both budgets; `near`
-- and `far` are the ends of every edge up to it, `ids` the entities up to it, nearest first. The last
-- `frontier` of them were not followed. `complete` says that nothing was left out, `over` that there
-- are more than `max_nodes`. The degrees:
-- `against_ids` and `against` in the other direction, for all ids that have any; `along_ids` and
-- `along` for the frontier alone, since of the others every such edge is in the answer.
CREATE OR REPLACE FUNCTION lineage_walk(
  roots bigint[], downstream boolean, depth bigint, max_nodes bigint, budget interval,
  OUT head bigint, OUT whole bigint, OUT complete boolean, OUT over boolean,
  OUT near bigint[], OUT far bigint[],
  OUT ids bigint[], OUT against_ids bigint[], OUT against bigint[],
  OUT frontier bigint, OUT along_ids bigint[], OUT along bigint[]
) LANGUAGE plpgsql STABLE
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off
SET enable_mergejoin = off SET jit = off SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  deadline timestamptz := clock_timestamp() + budget;
  rows_wanted bigint := 2 * max_nodes + 4; -- a level has one marker and, but for the last, an entity
  marks bigint[];
  ended boolean;
  kept bigint;     -- entities up to level `whole`
  followed bigint; -- entities below it
BEGIN
  head := lineage_head();
  SELECT array_agg(w) FILTER (WHERE w > 0), array_agg(w) FILTER (WHERE w <= 0) INTO ids, marks
    FROM lineage_levels(roots, downstream, depth, rows_wanted, deadline) w;
  ended := marks[cardinality(marks)] = -1::bigint << 62;
  IF ended THEN -- the level after the last entities is whole, and empty
    marks[cardinality(marks)] := marks[cardinality(marks) - 1] - (1::bigint << 31);
  END IF;
  -- marks[k] counts the entities up to level k - 2; marks[1] counts none.
  SELECT greatest(count(*) - 2, 0) INTO whole FROM unnest(marks) m WHERE -m & 2147483647 <= max_nodes;
  complete := whole = depth OR (ended AND whole = cardinality(marks) - 2);
  over := cardinality(ids) > max_nodes;
  kept := CASE WHEN whole = 0 THEN cardinality(roots) ELSE -marks[whole + 2] & 2147483647 END;
  followed := -marks[whole + 1] & 2147483647;
  ids := ids[:kept];
  frontier := kept - followed;
  SELECT array_agg(e.near), array_agg(e.far) INTO near, far
    FROM (SELECT DISTINCT t.near, t.far FROM lineage_touching(ids[:followed], downstream) t) e;
  SELECT array_agg(d.near), array_agg(d.n) INTO against_ids, against FROM (
    SELECT t.near, count(DISTINCT t.far) AS n FROM lineage_touching(ids, NOT downstream) t GROUP BY 1) d;
  SELECT array_agg(d.near), array_agg(d.n) INTO along_ids, along FROM (
    SELECT t.near, count(DISTINCT t.far) AS n
    FROM lineage_touching(ids[followed + 1:], downstream) t GROUP BY 1) d;
END $$;

-- As much of the first level of a walk as a node budget holds: the `room` neighbours of `roots` with the
-- smallest ids, roots excluded. `near` and `far` are the ends of every edge from a root to a root or to
-- one of them. `parents` and `children` are the numbers of neighbours in the whole graph, of those of
-- `ids` that `parents_of` and `children_of` name. The index of the direction gives the neighbours of a
-- root in order of id, so that a hub of a million is not read whole.
CREATE OR REPLACE FUNCTION lineage_first_level(
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

-- Distinct live edges with both ends among `members` (ascending, without duplicates), looked up in
-- batches. When the time is up, `whole` is how many members were looked at, and the edges are those
-- among them.
CREATE OR REPLACE FUNCTION lineage_among(
  members bigint[], budget interval,
  OUT head bigint, OUT whole bigint, OUT near bigint[], OUT far bigint[]
) LANGUAGE plpgsql STABLE
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_nestloop = off SET jit = off
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
      SELECT DISTINCT t.near, t.far FROM lineage_touching(members[whole + 1:whole + batch], true) t
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
