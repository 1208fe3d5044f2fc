-- Lookup tables as finished JSON, and what they are found by.

-- DataEntity.lookup_table_id: the lookup table that a dataset is; no row for other entities.
CREATE OR REPLACE FUNCTION lookup_table_shown(entity bigint) RETURNS TABLE (lookup_table_id bigint)
  LANGUAGE sql STABLE PARALLEL SAFE AS
  'SELECT t.id FROM lookup_table t WHERE t.entity_id = entity';

DROP FUNCTION IF EXISTS lookup_table_of(bigint);
DROP FUNCTION IF EXISTS lookup_table_definition_of(bigint);

-- LookupTableField.
CREATE OR REPLACE FUNCTION json_lookup_column(c lookup_column) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_build_object('field_id', c.id, 'dataset_field_id', c.field_id, 'name', c.name,
      'description', c.description, 'field_type', c.type, 'is_primary_key', c.is_primary_key,
      'is_nullable', c.is_nullable, 'is_unique', c.is_unique, 'default_value', c.default_value)$$;

-- LookupTable, its columns in the order in which they were made.
CREATE OR REPLACE FUNCTION json_lookup_table(t lookup_table) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_build_object('table_id', t.id, 'dataset_id', t.entity_id, 'name', t.name,
      'description', t.description,
      'namespace', (SELECT json_named(n.id, n.name) FROM namespace n WHERE n.id = t.namespace_id),
      'fields', (SELECT coalesce(json_agg(json_lookup_column(c) ORDER BY c.id), '[]')
                   FROM lookup_column c WHERE c.table_id = t.id),
      'created_at', iso(t.created_at), 'updated_at', iso(t.updated_at))$$;

-- The search document of a lookup table: its name, its description, the names of its columns.
CREATE OR REPLACE FUNCTION lookup_vector(t lookup_table) RETURNS tsvector
  LANGUAGE sql STABLE AS $$
  SELECT setweight(to_tsvector('simple', search_words_within(
           concat_ws(' ', t.name, search_camel(t.name)), 16000)), 'A') ||
         setweight(to_tsvector('simple', search_words_within(
           coalesce(t.description, ''), 64000)), 'B') ||
         setweight(to_tsvector('simple', search_words_within(coalesce(
           (SELECT string_agg(concat_ws(' ', c.name, search_camel(c.name), c.description), ' ')
              FROM lookup_column c WHERE c.table_id = t.id AND NOT c.is_primary_key), ''), 200000)), 'C')
$$;

-- Rebuilds the documents of these lookup tables.
CREATE OR REPLACE FUNCTION refresh_lookup_documents(ids bigint[]) RETURNS void
  LANGUAGE sql AS $$
  INSERT INTO lookup_document (table_id, vector)
  SELECT t.id, lookup_vector(t)
    FROM (SELECT * FROM lookup_table WHERE id = ANY(ids) ORDER BY id FOR NO KEY UPDATE) t
  ON CONFLICT (table_id) DO UPDATE SET vector = excluded.vector
$$;
