-- Which entities have SQL that is to be read for column lineage.

-- The datasets between which the SQL of an entity moves data: what it declares to read, and to write. A dataset that
-- writes no other, such as a view, is what its SQL fills.
CREATE OR REPLACE FUNCTION sql_datasets(entity bigint)
RETURNS TABLE (dataset_id bigint, written boolean) LANGUAGE sql STABLE ROWS 10 AS $$
  SELECT l.parent_id, false FROM lineage_edge l WHERE l.establisher_id = entity AND l.child_id = entity
  UNION
  SELECT l.child_id, true FROM lineage_edge l WHERE l.establisher_id = entity AND l.parent_id = entity
  UNION
  SELECT e.id, true FROM data_entity e
   WHERE e.id = entity AND e.class_ids @> ARRAY[1]::smallint[]
     AND NOT EXISTS (SELECT FROM lineage_edge l
                      WHERE l.establisher_id = entity AND l.parent_id = entity)
$$;

-- Stands for all that the meaning of an entity's SQL depends on: the reader, by its number, the payload, and the newest
-- structures of the datasets, with the order of their fields.
CREATE OR REPLACE FUNCTION sql_fingerprint(entity bigint, content_hash bytea) RETURNS text
LANGUAGE sql STABLE AS $$
  SELECT md5(concat_ws(' ', 'reader 3', encode(content_hash, 'hex'), string_agg(
           format('%s:%s:%s', d.dataset_id, v.id, v.field_ids), ' ' ORDER BY d.dataset_id, d.written)))
    FROM sql_datasets(entity) d LEFT JOIN LATERAL (
      SELECT v.id, v.field_ids FROM dataset_version v
       WHERE v.dataset_id = d.dataset_id ORDER BY v.version DESC LIMIT 1) v ON true
$$;

-- Those of these entities whose SQL is to be read, or has gone since it was read. What took too long, or broke the
-- parser, is tried again after a day: the machine may have been at fault.
CREATE OR REPLACE FUNCTION sql_due(ids bigint[]) RETURNS SETOF bigint LANGUAGE sql STABLE ROWS 10 AS $$
  SELECT e.id
    FROM data_entity e LEFT JOIN sql_reading r ON r.entity_id = e.id
   WHERE e.id = ANY (ids) AND NOT e.hollow AND is_live(e.status)
     AND (r.entity_id IS NOT NULL OR e.attributes #> '{data_transformer,sql}' IS NOT NULL)
     AND (r.entity_id IS NULL
       OR r.outcome = 'reading'
       OR r.outcome IN ('too_slow', 'crashed') AND r.read_at < now() - interval '1 day'
       OR r.fingerprint <> sql_fingerprint(e.id, e.content_hash)
       OR r.edges <> (SELECT count(*) FROM column_edge c
                       WHERE c.establisher_id = e.id AND c.origin = 1))
$$;
