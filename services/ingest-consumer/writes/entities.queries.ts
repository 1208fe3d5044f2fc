import { statement } from "#metadata/postgres/statement.ts";

const columns = `catrn, type_id, class_ids, external_name, external_description,
  excluded_from_search, source_created_at, source_updated_at, content_hash, attributes`;

const posted = `unnest($4::text[], $5::smallint[], $6::text[], $7::text[], $8::text[],
  $9::boolean[], $10::text[], $11::text[], $12::text[], $13::text[]) AS t (${columns})`;

/** $1 data source, $2 received, $3 batch, $4… one array per column. Existing rows stay unchanged. */
export const insert = statement("ingest-insert-entities")`
  INSERT INTO data_entity (${columns}, data_source_id, received_at, batch, last_ingested_at)
   SELECT t.catrn, t.type_id, t.class_ids::smallint[], t.external_name, t.external_description,
          t.excluded_from_search, t.source_created_at::timestamptz,
          t.source_updated_at::timestamptz, decode(t.content_hash, 'hex'), t.attributes::jsonb,
          $1::bigint, $2::timestamptz, $3::text, now()
     FROM ${posted}
    ORDER BY t.catrn COLLATE "C"
   ON CONFLICT (catrn) DO NOTHING
   RETURNING id, catrn`;

const links = (place: string) => `(old #> '{${place}}') IS DISTINCT FROM (new #> '{${place}}')`;

/**
 * As `insert`, for existing rows that are locked; a deleted one becomes UNASSIGNED. Returns the
 * earlier links of transformers and consumers whose links changed.
 */
export const update = statement("ingest-update-entities")`
  WITH written AS (
   UPDATE data_entity e SET
     data_source_id = $1::bigint, type_id = t.type_id, class_ids = t.class_ids::smallint[],
     external_name = t.external_name, external_description = t.external_description,
     hollow = false, excluded_from_search = t.excluded_from_search,
     source_created_at = t.source_created_at::timestamptz,
     source_updated_at = t.source_updated_at::timestamptz,
     status = CASE WHEN NOT is_live(e.status) THEN 1 ELSE e.status END,
     status_updated_at = CASE WHEN NOT is_live(e.status) THEN now() ELSE e.status_updated_at END,
     status_switch_at = CASE WHEN NOT is_live(e.status) THEN NULL ELSE e.status_switch_at END,
     updated_at = now(), last_ingested_at = now(), received_at = $2::timestamptz, batch = $3::text,
     content_hash = decode(t.content_hash, 'hex'), attributes = t.attributes::jsonb
   FROM ${posted} JOIN data_entity held ON held.catrn = t.catrn
   WHERE e.id = held.id
   RETURNING e.id, held.attributes AS old, e.attributes AS new)
   SELECT id, old #> '{data_transformer,inputs}' AS sources,
          old #> '{data_transformer,outputs}' AS targets, old #> '{data_consumer,inputs}' AS inputs
     FROM written
    WHERE old ?| ARRAY['data_transformer', 'data_consumer']
      AND (${links("data_transformer,inputs")} OR ${links("data_transformer,outputs")}
        OR ${links("data_consumer,inputs")})`;

/** $1 ids, $2 received, $3 batch. */
export const touch = statement("ingest-touch-entities")`
  UPDATE data_entity SET last_ingested_at = now(), received_at = $2::timestamptz, batch = $3::text
    WHERE id = ANY($1::bigint[])`;

/** $1 ids that are no longer deleted. Returns those whose edges became live again. */
export const restore = statement("ingest-restore-lineage")`
  SELECT unnest(lineage_set_deleted($1::bigint[], false)) AS id`;
