import { statement } from "#metadata/postgres/statement.ts";

/** $1 datasets: the latest version of each. */
export const latestVersions = statement("ingest-latest-versions")`
  SELECT DISTINCT ON (dataset_id) dataset_id, id, version, hash FROM dataset_version
    WHERE dataset_id = ANY($1::bigint[]) ORDER BY dataset_id, version DESC`;

/** $1 datasets, $2 arrays of fields: the latest version shows its fields in the order posted last. */
export const reorderFields = statement("ingest-reorder-fields")`
  UPDATE dataset_version v SET field_ids = t.field_ids::bigint[]
     FROM unnest($1::bigint[], $2::text[]) AS t (dataset_id, field_ids)
    WHERE v.id = latest_version(t.dataset_id) AND v.field_ids <> t.field_ids::bigint[]`;

/** $1 versions. */
export const fieldsOfVersions = statement("ingest-version-fields")`
  SELECT id, dataset_id, catrn, encode(hash, 'hex') AS hash FROM dataset_field
    WHERE id IN (SELECT unnest(field_ids) FROM dataset_version WHERE id = ANY($1::bigint[]))`;

/** $1 datasets, $2 CATRNs: the newest row of each of these fields, whichever version has it. */
export const earlierFields = statement("ingest-earlier-fields")`
  SELECT DISTINCT ON (f.dataset_id, f.catrn)
         f.id, f.dataset_id, f.catrn, encode(f.hash, 'hex') AS hash
    FROM dataset_field f JOIN unnest($1::bigint[], $2::text[]) AS w (dataset_id, catrn)
      ON f.dataset_id = w.dataset_id AND f.catrn = w.catrn
   WHERE f.dataset_id = ANY($1::bigint[])
   ORDER BY f.dataset_id, f.catrn, f.id DESC`;

/** Draws ids for $1 fields up front, so that dependent rows need no round trip in between. */
export const draw = statement(
  "ingest-draw-field-ids",
)`SELECT ARRAY(SELECT nextval('dataset_field_id_seq') FROM generate_series(1, $1)) AS fields`;

/** $1 datasets, $2 versions, $3 hashes, $4 arrays of fields in order. */
export const insertVersions = statement("ingest-insert-versions")`
  INSERT INTO dataset_version (dataset_id, version, hash, field_ids)
   SELECT dataset_id, version, hash, field_ids::bigint[]
     FROM unnest($1::bigint[], $2::integer[], $3::text[], $4::text[])
       AS t (dataset_id, version, hash, field_ids)`;

const fieldColumns = `id, dataset_id, catrn, name, external_description, parent_catrn,
  reference_catrn, type, logical_type, is_nullable, is_key, is_value, is_primary_key, is_sort_key,
  default_value, hash, stats`;

const selected = (stats: string) =>
  `SELECT t.id, t.dataset_id, t.catrn, t.name, t.external_description, t.parent_catrn,
          t.reference_catrn, t.type, t.logical_type, t.is_nullable, t.is_key, t.is_value,
          t.is_primary_key, t.is_sort_key, t.default_value, decode(t.hash, 'hex'), ${stats}`;

const posted = `unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[],
  $7::text[], $8::text[], $9::text[], $10::boolean[], $11::boolean[], $12::boolean[],
  $13::boolean[], $14::boolean[], $15::text[], $16::text[], $17::text[]`;

/** One array per column. */
export const insertFields = statement("ingest-insert-fields")`
  INSERT INTO dataset_field (${fieldColumns}) OVERRIDING SYSTEM VALUE
   ${selected("t.stats::jsonb")} FROM ${posted}) AS t (${fieldColumns})`;

/** $18 predecessors; keeps their names and descriptions, and their statistics if none were posted. */
export const insertSuccessors = statement("ingest-insert-successors")`
  INSERT INTO dataset_field (${fieldColumns}, internal_name, internal_description)
     OVERRIDING SYSTEM VALUE
   ${selected("coalesce(t.stats::jsonb, old.stats)")}, old.internal_name, old.internal_description
     FROM ${posted}, $18::bigint[]) AS t (${fieldColumns}, predecessor)
     JOIN dataset_field old ON old.id = t.predecessor`;

/** Updates in place what is not part of the hash. $1 fields, then one array per column. */
export const updateFields = statement("ingest-update-fields")`
  UPDATE dataset_field f SET
     external_description = t.external_description, reference_catrn = t.reference_catrn,
     is_sort_key = t.is_sort_key, default_value = t.default_value,
     stats = coalesce(t.stats::jsonb, f.stats)
   FROM unnest($1::bigint[], $2::text[], $3::text[], $4::boolean[], $5::text[], $6::text[])
     AS t (id, external_description, reference_catrn, is_sort_key, default_value, stats)
   WHERE f.id = t.id AND (
     (f.external_description, f.reference_catrn, f.is_sort_key, f.default_value)
       IS DISTINCT FROM (t.external_description, t.reference_catrn, t.is_sort_key, t.default_value)
     OR t.stats IS NOT NULL AND f.stats IS DISTINCT FROM t.stats::jsonb)`;
