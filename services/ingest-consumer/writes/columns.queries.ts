import { statement } from "#metadata/postgres/statement.ts";

/** $1 datasets, $2 names of columns: creates missing ones. The caller has locked the datasets. */
export const ensure = statement("ingest-ensure-columns")`
  INSERT INTO dataset_column (dataset_id, path, folded)
  SELECT dataset_id, path, search_lower(path)
    FROM unnest($1::bigint[], $2::text[]) WITH ORDINALITY AS w (dataset_id, path, place)
   ORDER BY place
  ON CONFLICT (dataset_id, folded) DO NOTHING`;

/** $1 datasets, $2 names of columns: the id of each, in that order. */
export const find = statement<{ id: number }>("ingest-find-columns")`
  SELECT c.id
    FROM unnest($1::bigint[], $2::text[]) WITH ORDINALITY AS w (dataset_id, path, place)
    JOIN dataset_column c ON c.dataset_id = w.dataset_id AND c.folded = search_lower(w.path)
   ORDER BY w.place`;

/** Columns of an edge as they are given, in this order. */
export const given =
  `establisher_id, source_id, target_id, kind, source_dataset, target_dataset, live,
  subtype, masking, description`;

/** $2… one array per column of the edges. */
export const wanted = `wanted AS MATERIALIZED (
     SELECT * FROM unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::smallint[], $6::bigint[],
         $7::bigint[], $8::boolean[], $9::text[], $10::boolean[], $11::text[]) AS w (${given}))`;

const propertyColumns = "origin, subtype, masking, description";

/** To follow the table gone, edges that were deleted: they go to the history. */
export const remembered = `remembered AS (
     INSERT INTO column_edge_history (establisher_id, source_id, target_id, kind, source_dataset,
       target_dataset, ${propertyColumns}, since, until)
     SELECT establisher_id, source_id, target_id, kind, source_dataset, target_dataset, ${propertyColumns},
            since, greatest(since, statement_timestamp()) FROM gone)`;

/**
 * $1 establishers with earlier rows; $2… one array per column of the edges, each edge once. Edges that are
 * no longer declared go to the history, those read from SQL only where others are declared; of those that stay, what
 * properties are replaced.
 */
export const replace = statement("ingest-replace-column-edges")`
  WITH ${wanted},
   gone AS (
     DELETE FROM column_edge e WHERE e.establisher_id = ANY($1::bigint[]) AND NOT EXISTS (
       SELECT FROM wanted w WHERE w.establisher_id = e.establisher_id
         AND w.source_id = e.source_id AND w.target_id = e.target_id AND w.kind = e.kind)
       AND (e.origin = 0 OR EXISTS (
         SELECT FROM wanted w WHERE w.establisher_id = e.establisher_id))
     RETURNING *),
   ${remembered}
   INSERT INTO column_edge AS e (${given}, since)
   SELECT ${given}, statement_timestamp() FROM wanted
   ON CONFLICT (establisher_id, source_id, target_id, kind) DO UPDATE
     SET origin = 0, subtype = excluded.subtype, masking = excluded.masking,
         description = excluded.description
     WHERE (e.origin, e.subtype, e.masking, e.description)
       IS DISTINCT FROM (0, excluded.subtype, excluded.masking, excluded.description)`;
