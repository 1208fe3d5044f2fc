-- The recursion that all walks share, over edges from different places: of entities and of columns, of today and as
-- of a past time. It is written once, and made a function for each of them: were the edges chosen by an argument, every
-- level would have to be planned anew.
--
-- Breadth first from `roots`, which may be none. The recursive union drops what it has seen, so each node is followed
-- once and the cost is that of the edges met. Beside its nodes (positive) every level holds one marker,
-- -(level * 2^31 + number of nodes nearer than level): the union must not see the level of a node, and yet levels have
-- to be told apart afterwards. A marker says that all levels below its own are whole; -2^62 says that nothing was left
-- to follow. Rows come level by level. (2^31 and not 2^32: the hash of a bigint folds its halves, and the markers of a
-- chain would all collide.)
DROP FUNCTION IF EXISTS column_levels(bigint[], boolean, boolean, boolean, bigint, bigint, timestamptz, timestamptz);
DO $make$
DECLARE
  walk record;
BEGIN
  FOR walk IN SELECT * FROM (VALUES
    ('lineage_levels', '', 'lineage_touching(level, downstream)'),
    ('lineage_levels_at', ', at timestamptz', 'lineage_touching_at(level, downstream, at)'),
    ('column_levels', ', indirect boolean, through boolean',
      'column_touching(%s, downstream, indirect)'),
    ('column_levels_at', ', indirect boolean, through boolean, at timestamptz',
      'column_touching_at(%s, downstream, indirect, at)')) w (name, more, touching)
  LOOP
    EXECUTE format($f$
      CREATE OR REPLACE FUNCTION %I(
        roots bigint[], downstream boolean, depth bigint, rows_wanted bigint, deadline timestamptz%s
      ) RETURNS SETOF bigint LANGUAGE sql STABLE AS $body$
  WITH RECURSIVE walk (id) AS (
    (SELECT 0::bigint UNION ALL SELECT unnest(roots))
    UNION
    SELECT n.id
    FROM (SELECT id, array_agg(id) OVER () AS level, count(*) OVER () - 1 AS width FROM walk) w,
      LATERAL (
        SELECT CASE WHEN width = 0 THEN -1::bigint << 62 ELSE w.id - (1::bigint << 31) - width END
        WHERE -w.id >> 31 <= depth
        UNION ALL
        SELECT far FROM %s WHERE width > 0 AND -w.id >> 31 < depth
      ) n (id)
    WHERE w.id <= 0 AND w.id > -1::bigint << 62 AND clock_timestamp() < deadline
  )
  SELECT id FROM walk LIMIT rows_wanted
$body$ $f$, walk.name, walk.more, format(walk.touching, 'column_places(array_remove(level, w.id),
          CASE w.id WHEN 0 THEN width ELSE 0 END, downstream, indirect, through)'));
  END LOOP;
END $make$;
