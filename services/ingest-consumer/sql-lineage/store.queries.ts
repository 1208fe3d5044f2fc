import { statement } from "#metadata/postgres/statement.ts";
import { given, remembered } from "../writes/columns.queries.ts";

/** $1 entities, $2 datasets: locks them and the datasets of edges that were read from the entities' SQL. */
export const lock = statement<{ id: number; live: boolean }>("sql-lineage-lock")`
  SELECT id, is_live(status) AS live FROM data_entity WHERE id = ANY(ARRAY(
     SELECT unnest($1::bigint[] || $2::bigint[])
     UNION SELECT source_dataset FROM column_edge WHERE establisher_id = ANY($1) AND origin = 1
     UNION SELECT target_dataset FROM column_edge WHERE establisher_id = ANY($1) AND origin = 1))
   ORDER BY id FOR NO KEY UPDATE`;

/** $1 entity, $2 fingerprint, $3 whether it declares edges: a row while all of it still holds. */
export const unchanged = statement("sql-lineage-unchanged")`
  SELECT 1 FROM data_entity e
   WHERE e.id = $1 AND NOT e.hollow AND is_live(e.status)
     AND sql_fingerprint(e.id, e.content_hash) = $2
     AND $3 = EXISTS (SELECT FROM column_edge c WHERE c.establisher_id = e.id AND c.origin = 0)`;

/**
 * $1 entities: edges that were read from their SQL go to the history. $2… as `replace` of the edges that stay or come.
 * Followers of the catalogue are notified of changes as for a chunk of a batch, which brings the others.
 */
export const replace = statement("sql-lineage-replace-edges")`
  WITH wanted AS MATERIALIZED (
     SELECT * FROM unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::smallint[], $6::bigint[],
         $7::bigint[], $8::boolean[], $9::text[], $10::boolean[], $11::text[]) AS w (${given})),
   gone AS (
     DELETE FROM column_edge e
      WHERE e.establisher_id = ANY($1::bigint[]) AND e.origin = 1 AND NOT EXISTS (
       SELECT FROM wanted w WHERE w.establisher_id = e.establisher_id
         AND w.source_id = e.source_id AND w.target_id = e.target_id AND w.kind = e.kind)
     RETURNING *),
   ${remembered},
   come AS (
     INSERT INTO column_edge AS e (${given}, origin, since)
     SELECT ${given}, 1, statement_timestamp() FROM wanted
     ON CONFLICT (establisher_id, source_id, target_id, kind) DO UPDATE
       SET subtype = excluded.subtype
       WHERE e.origin = 1 AND e.subtype IS DISTINCT FROM excluded.subtype
     RETURNING e.establisher_id)
   INSERT INTO change (kind, source_id, details)
   SELECT 'ingestion', e.data_source_id, jsonb_build_object('position', lineage_head(), 'entities',
            jsonb_build_object('new', 0, 'changed', count(*), 'unchanged', 0, 'stale', 0))
     FROM data_entity e
    WHERE e.id IN (SELECT establisher_id FROM gone UNION SELECT establisher_id FROM come)
      AND e.data_source_id IS NOT NULL
    GROUP BY e.data_source_id`;

/** $1 entity, $2 fingerprint, $3 outcome, $4 edges, $5 gaps as JSON. */
export const note = statement("sql-lineage-note")`
  INSERT INTO sql_reading AS r (entity_id, fingerprint, outcome, edges, gaps)
  VALUES ($1, $2, $3, $4, $5::jsonb)
  ON CONFLICT (entity_id) DO UPDATE
    SET fingerprint = excluded.fingerprint, outcome = excluded.outcome, edges = excluded.edges,
        gaps = excluded.gaps, attempts = 0, read_at = excluded.read_at`;

/** $1 entities: as if their SQL had not been read. */
export const forget = statement("sql-lineage-forget")`
  DELETE FROM sql_reading WHERE entity_id = ANY($1::bigint[])`;

/** $1 limit: entities whose SQL was read. */
export const read = statement<{ id: number }>("sql-lineage-read")`
  SELECT entity_id AS id FROM sql_reading ORDER BY entity_id LIMIT $1`;
