import { statement } from "#metadata/postgres/statement.ts";

/**
 * $1 batch, $2 part: no row when the part was applied before. Replaces a refusal. Makes the
 * transaction plan each statement for its actual arrays, whose sizes differ by orders of magnitude.
 */
export const claim = statement("ingest-claim")`
  INSERT INTO applied_batch AS a (batch, part, outcome, position) VALUES ($1, $2, 'applied', 0)
   ON CONFLICT (batch, part) DO UPDATE
     SET outcome = 'applied', position = 0, detail = NULL, items = NULL, applied_at = now()
     WHERE a.outcome = 'refused'
   RETURNING set_config('plan_cache_mode', 'force_custom_plan', true)`;

/** $1 CATRNs, $2 establishers: locks the entities and the ends of the establishers' edges by id. */
export const lock = statement("ingest-lock")`
  SELECT id, catrn, data_source_id, hollow, NOT is_live(status) AS deleted, status_updated_at AS status_at,
          received_at, batch,
          encode(content_hash, 'hex') AS hash
     FROM data_entity WHERE id = ANY(ARRAY(
       SELECT id FROM data_entity WHERE catrn = ANY($1::text[])
       UNION SELECT parent_id FROM lineage_edge WHERE establisher_id = ANY($2::bigint[])
       UNION SELECT child_id FROM lineage_edge WHERE establisher_id = ANY($2::bigint[])
       UNION SELECT source_dataset FROM column_edge WHERE establisher_id = ANY($2::bigint[])
       UNION SELECT target_dataset FROM column_edge WHERE establisher_id = ANY($2::bigint[])))
     ORDER BY id FOR NO KEY UPDATE`;

/**
 * $1 batch, $2 chunk, $3 ids whose lineage changed, $4 data source, $5 numbers of entities by outcome, $6 what was left
 * out: assigns the position, and tells those who follow the catalogue of the chunk; must come last.
 */
export const finish = statement("ingest-finish")`
  WITH reached AS MATERIALIZED (
     SELECT CASE WHEN cardinality($3::bigint[]) > 0
       THEN lineage_append($3::bigint[]) ELSE lineage_head() END AS position),
   reported AS (
     INSERT INTO change (kind, source_id, details)
     SELECT 'ingestion', $4, jsonb_build_object('position', r.position, 'entities', $5::jsonb)
       FROM reached r)
   UPDATE applied_batch a SET position = r.position, detail = $6::jsonb,
          items = (SELECT sum(n::integer) FROM jsonb_each_text($5::jsonb) AS counts (outcome, n))
     FROM reached r
     WHERE a.batch = $1 AND a.part = $2
   RETURNING a.position, pg_notify('applied_batch', a.batch)`;
