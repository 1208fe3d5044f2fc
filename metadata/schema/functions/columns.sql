-- Columns as nodes of lineage, and what deleting an entity does to their edges.
--
-- A node is a number. Below 2^51: the id of a dataset_column. From 2^51 on: a field that no edge has named
-- yet, 2^51 + its id; it occurs as the start of a walk alone. From 2^52 on: a dataset as a whole, 2^52 + its id.

CREATE OR REPLACE FUNCTION whole_dataset(dataset bigint) RETURNS bigint
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$SELECT (1::bigint << 52) + dataset$$;

-- The dataset that a node stands for as a whole; null for a column.
CREATE OR REPLACE FUNCTION dataset_as_whole(node bigint) RETURNS bigint
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
  $$SELECT CASE WHEN node > 1::bigint << 52 THEN node - (1::bigint << 52) END$$;

-- The nodes of these datasets that edges may have: their columns, and they themselves as wholes.
CREATE OR REPLACE FUNCTION column_nodes(datasets bigint[]) RETURNS SETOF bigint
  LANGUAGE sql STABLE ROWS 100 AS $$
  SELECT whole_dataset(d) FROM unnest(datasets) AS d
  UNION ALL SELECT c.id FROM dataset_column c WHERE c.dataset_id = ANY (datasets)
$$;

-- Keys of every column edge that touches one of these nodes, live or not; each once. As
-- lineage_edges_touching.
CREATE OR REPLACE FUNCTION column_edges_at(nodes bigint[])
RETURNS TABLE (establisher_id bigint, source_id bigint, target_id bigint, kind smallint,
               source_dataset bigint, target_dataset bigint)
LANGUAGE sql STABLE ROWS 100 AS $$
  SELECT DISTINCT x.establisher_id, x.source_id, x.target_id, x.kind, x.source_dataset, x.target_dataset
    FROM unnest(nodes) AS n (id)
    CROSS JOIN LATERAL (
      SELECT e.* FROM column_edge e WHERE e.live AND e.source_id = n.id
      UNION ALL SELECT e.* FROM column_edge e WHERE e.live AND e.target_id = n.id
      UNION ALL SELECT e.* FROM column_edge e
        WHERE NOT e.live AND e.source_id > 0 AND e.source_id = n.id
      UNION ALL SELECT e.* FROM column_edge e
        WHERE NOT e.live AND e.target_id > 0 AND e.target_id = n.id
      OFFSET 0) x
$$;

-- Those of these datasets that a column edge touches, whoever declared it, live or not.
CREATE OR REPLACE FUNCTION column_edge_datasets(datasets bigint[]) RETURNS TABLE (dataset_id bigint)
LANGUAGE sql STABLE AS $$
  SELECT unnest(datasets)
  INTERSECT (
    SELECT source_dataset FROM column_edges_at(ARRAY(SELECT column_nodes(datasets)))
    UNION ALL SELECT target_dataset FROM column_edges_at(ARRAY(SELECT column_nodes(datasets))))
$$;

-- A part of lineage_set_deleted, under the same rules: makes `live` of every column edge of these
-- datasets and establishers say whether neither dataset nor the establisher is deleted. The edges are
-- locked first and judged by a later statement.
CREATE OR REPLACE FUNCTION column_edges_set_live(ids bigint[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  nodes bigint[] := ARRAY(SELECT column_nodes(ids));
BEGIN
  PERFORM 1
    FROM column_edge e JOIN (
      SELECT t.establisher_id, t.source_id, t.target_id, t.kind FROM column_edges_at(nodes) t
      UNION SELECT o.establisher_id, o.source_id, o.target_id, o.kind FROM column_edge o
             WHERE o.establisher_id = ANY (ids)) t
      ON (e.establisher_id, e.source_id, e.target_id, e.kind)
       = (t.establisher_id, t.source_id, t.target_id, t.kind)
    ORDER BY e.establisher_id, e.source_id, e.target_id, e.kind
    FOR NO KEY UPDATE OF e;
  IF NOT FOUND THEN RETURN; END IF;

  UPDATE column_edge e SET live = j.live
    FROM (
      SELECT t.*, is_live(x.status) AND is_live(s.status) AND is_live(d.status) AS live
        FROM (
          SELECT * FROM column_edges_at(nodes)
          UNION SELECT o.establisher_id, o.source_id, o.target_id, o.kind, o.source_dataset,
                       o.target_dataset
                  FROM column_edge o WHERE o.establisher_id = ANY (ids)) t
        JOIN data_entity x ON x.id = t.establisher_id
        JOIN data_entity s ON s.id = t.source_dataset
        JOIN data_entity d ON d.id = t.target_dataset) j
    WHERE (e.establisher_id, e.source_id, e.target_id, e.kind)
        = (j.establisher_id, j.source_id, j.target_id, j.kind)
      AND e.live <> j.live;
END $$;

-- Forgets columns among `columns` that neither an edge nor its history names. Their datasets are locked
-- first, as by whoever names a column, and the columns judged by a later statement.
CREATE OR REPLACE FUNCTION forget_columns(columns bigint[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM data_entity
    WHERE id IN (SELECT c.dataset_id FROM dataset_column c WHERE c.id = ANY (columns))
    ORDER BY id FOR NO KEY UPDATE;
  DELETE FROM dataset_column c
    WHERE c.id = ANY (columns)
      AND NOT EXISTS (SELECT FROM column_edges_at(ARRAY[c.id]))
      AND NOT EXISTS (SELECT FROM column_edge_history h WHERE h.source_id = c.id)
      AND NOT EXISTS (SELECT FROM column_edge_history h WHERE h.target_id = c.id);
END $$;

-- Forgets at most `most` edges that ended before `before`, and the columns that are named no more; lineage can
-- then be asked for as of `before` at the earliest. Returns the number of edges.
CREATE OR REPLACE FUNCTION forget_column_history(before timestamptz, most bigint) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  columns bigint[];
  forgotten bigint;
BEGIN
  WITH gone AS (
    DELETE FROM column_edge_history WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM column_edge_history WHERE until < before AND establisher_id > 0
       ORDER BY until LIMIT most))
    RETURNING source_id, target_id)
  SELECT (SELECT count(*) FROM gone),
         ARRAY(SELECT source_id FROM gone UNION SELECT target_id FROM gone)
    INTO forgotten, columns;
  IF forgotten > 0 THEN UPDATE lineage_history_begin SET at = before WHERE at < before; END IF;
  PERFORM forget_columns(columns);
  RETURN forgotten;
END $$;
