import { plannedEachTime, statement } from "#metadata/postgres/statement.ts";

/**
 * $1 data source CATRN, $2 batch, $3 part: the source's id, whether an alert about it is open, and the
 * earlier outcome of the chunk.
 */
export const sourceState = statement("ingest-standing")`
  SELECT s.id AS source_id,
          EXISTS (SELECT FROM alert a WHERE a.status = 1 AND a.data_source_id = s.id) AS "hasOpenAlert",
          (SELECT outcome FROM applied_batch WHERE batch = $2 AND part = $3) AS outcome
     FROM (VALUES (1)) AS one LEFT JOIN data_source s ON s.catrn = $1`;

/** $1 CATRNs. */
export const stored = plannedEachTime("ingest-held")`
  SELECT id, catrn, data_source_id, hollow, NOT is_live(status) AS deleted, status_updated_at AS status_at,
          received_at, batch,
          encode(content_hash, 'hex') AS hash
     FROM data_entity WHERE catrn = ANY($1::text[])`;

/**
 * $1 CATRN of a data source, $2 ids of others: those of the same system, which is what their CATRNs begin with, and those
 * of OpenLineage events, of which every system that lists its own assets knows more.
 */
export const siblingSources = statement("ingest-kin")`
  SELECT id FROM data_source
   WHERE id = ANY($2::bigint[]) AND (
           starts_with(catrn, substring($1 FROM '^//[^/]*/')) OR starts_with(catrn, '//openlineage/'))`;

// Concurrent batches insert shared rows in one order. An insert waits for rows of another
// transaction instead of failing; such rows are missing from the result, so the caller repeats the
// statement.

/**
 * $1 names: finds the rows of these names, or makes them; names that differ only in case or Unicode normal form are one. Of
 * several rows with spellings of one name the one spelled like that comes first.
 */
const ensure = (table: "tag" | "owner" | "title") =>
  plannedEachTime<{ id: number; name: string }>(`ingest-ensure-${table}s`)`
  WITH wanted AS MATERIALIZED (
     SELECT name, name_key(name) AS key, place FROM unnest($1::text[]) WITH ORDINALITY AS w (name, place)),
   made AS (
     INSERT INTO ${table} (name, folded)
     SELECT DISTINCT ON (key) name, key FROM wanted w
      WHERE NOT EXISTS (SELECT FROM ${table} t WHERE t.folded = w.key)
     ORDER BY key, place
     ON CONFLICT DO NOTHING
     RETURNING id, folded)
   SELECT t.id, w.name FROM wanted w CROSS JOIN LATERAL (
     SELECT id FROM ${table} t WHERE t.folded = w.key
      ORDER BY t.name = w.name DESC, t.is_duplicate, t.id LIMIT 1) t
   UNION ALL SELECT m.id, w.name FROM made m JOIN wanted w ON w.key = m.folded`;

export const ensureTags = ensure("tag");
export const ensureOwners = ensure("owner");
export const ensureTitles = ensure("title");

/** $1 names, $2 types of metadata fields. */
export const ensureFields = plannedEachTime("ingest-ensure-fields")`
  WITH wanted AS (
     SELECT DISTINCT name COLLATE "C" AS name, type FROM unnest($1::text[], $2::text[]) AS w (name, type)),
   made AS (
     INSERT INTO metadata_field (name, type, origin)
     SELECT name, type, 'EXTERNAL' FROM wanted w WHERE NOT EXISTS (
       SELECT FROM metadata_field f WHERE (f.name, f.type, f.origin) = (w.name, w.type, 'EXTERNAL'))
     ORDER BY name, type
     ON CONFLICT (name, type, origin) DO NOTHING
     RETURNING id, name, type)
   SELECT f.id, f.name, f.type
     FROM metadata_field f JOIN wanted w ON (f.name, f.type) = (w.name, w.type)
     WHERE f.origin = 'EXTERNAL'
   UNION ALL SELECT id, name, type FROM made`;
