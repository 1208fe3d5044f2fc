-- The fields that the newest structures of these datasets have, by the path of each within its dataset:
-- the names of those it is nested in and its own, joined by dots. Those are left out whose path is longer
-- than the name of a column may be. Folded, a path may occur twice. Fields are looked up as one array and only those
-- that others are nested in are followed: there may be tens of thousands, most of them in flat tables.
CREATE OR REPLACE FUNCTION field_paths(datasets bigint[])
  RETURNS TABLE (field_id bigint, dataset_id bigint, path text, type text, logical_type text,
                 is_nullable boolean)
LANGUAGE sql STABLE ROWS 1000 AS $$
  WITH RECURSIVE shown AS MATERIALIZED (
    SELECT f.id, f.dataset_id, f.catrn, f.parent_catrn, f.name, f.type, f.logical_type, f.is_nullable
      FROM dataset_field f WHERE f.id = ANY (ARRAY(SELECT l.field_id FROM latest_fields(datasets) l))
  ), within AS MATERIALIZED (
    SELECT * FROM shown WHERE parent_catrn IS NOT NULL
  ), nested AS (
    SELECT s.id, s.dataset_id, s.catrn, s.name AS path, s.type, s.logical_type, s.is_nullable, true AS root
      FROM shown s
     WHERE s.parent_catrn IS NULL
       AND EXISTS (SELECT FROM within w WHERE w.dataset_id = s.dataset_id AND w.parent_catrn = s.catrn)
    UNION ALL
    SELECT w.id, w.dataset_id, w.catrn, n.path || '.' || w.name, w.type, w.logical_type, w.is_nullable, false
      FROM nested n JOIN within w ON w.dataset_id = n.dataset_id AND w.parent_catrn = n.catrn
     WHERE octet_length(n.path) < 1000
  )
  SELECT s.id, s.dataset_id, s.name, s.type, s.logical_type, s.is_nullable FROM shown s
   WHERE s.parent_catrn IS NULL AND octet_length(s.name) <= 1000
  UNION ALL
  SELECT n.id, n.dataset_id, n.path, n.type, n.logical_type, n.is_nullable FROM nested n
   WHERE NOT n.root AND octet_length(n.path) <= 1000
$$;
