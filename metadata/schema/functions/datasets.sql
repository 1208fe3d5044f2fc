-- Datasets, their fields and metrics as finished JSON.

-- The newest structure version of a dataset, or null.
CREATE OR REPLACE FUNCTION latest_version(dataset bigint) RETURNS bigint
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT id FROM dataset_version WHERE dataset_id = dataset ORDER BY version DESC LIMIT 1$$;

-- DataSetVersion[], newest first, at most 1,000.
CREATE OR REPLACE FUNCTION json_versions(dataset bigint) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT coalesce(json_agg(json_build_object('id', v.id, 'version', v.version,
             'created_at', iso(v.created_at)) ORDER BY v.version DESC), '[]')
      FROM (SELECT * FROM dataset_version WHERE dataset_id = dataset
             ORDER BY version DESC LIMIT 1000) v$$;

-- DataSetStats: rows as the collector counted them (0 when it did not), fields of the newest
-- version, and the distinct entities that live lineage leads to.
CREATE OR REPLACE FUNCTION stats_shown(entity bigint, attributes jsonb) RETURNS TABLE (stats json)
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_build_object(
      'rows_count', coalesce((attributes #>> '{dataset,rows_number}')::numeric, 0),
      'fields_count', coalesce((SELECT cardinality(v.field_ids) FROM dataset_version v
                                 WHERE v.dataset_id = entity ORDER BY v.version DESC LIMIT 1), 0),
      'consumers_count', (SELECT count(DISTINCT child_id) FROM lineage_edge
                           WHERE live AND parent_id = entity AND child_id <> entity))$$;
CREATE OR REPLACE FUNCTION json_dataset_stats(e data_entity) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS 'SELECT stats FROM stats_shown(e.id, e.attributes)';

-- The fields of structure versions, as rows: ordinal counts from 1. Ask it by version.
CREATE OR REPLACE VIEW dataset_version_field AS
  SELECT v.id AS version_id, f.field_id, f.ordinal
    FROM dataset_version v, unnest(v.field_ids) WITH ORDINALITY AS f (field_id, ordinal);

-- The fields of the newest structure version of each of these datasets.
CREATE OR REPLACE FUNCTION latest_fields(datasets bigint[]) RETURNS TABLE (field_id bigint)
  LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT unnest(field_ids) FROM (
    SELECT DISTINCT ON (dataset_id) field_ids FROM dataset_version
     WHERE dataset_id = ANY(datasets) ORDER BY dataset_id, version DESC) latest
$$;

-- The fields of a structure version with those that they name. All at once: a dataset may have
-- thousands of fields, and each may name another.
CREATE OR REPLACE FUNCTION fields_of_version(version bigint)
  RETURNS TABLE (field dataset_field, ordinal bigint, parent_id bigint, reference_id bigint)
  LANGUAGE sql STABLE PARALLEL SAFE AS $$
  WITH shown AS MATERIALIZED (
    SELECT f, x.ordinal FROM dataset_version_field x JOIN dataset_field f ON f.id = x.field_id
     WHERE x.version_id = version)
  SELECT s.f, s.ordinal, (parent.f).id, (reference.f).id
    FROM shown s
    LEFT JOIN shown parent ON (parent.f).catrn = (s.f).parent_catrn
    LEFT JOIN shown reference ON (reference.f).catrn = (s.f).reference_catrn
$$;

-- DataSetFieldType.
CREATE OR REPLACE FUNCTION json_field_type(f dataset_field) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_build_object('type', f.type, 'logical_type', f.logical_type,
                             'is_nullable', f.is_nullable)$$;

-- DataSetFieldStat, or null; the tags that come with posted statistics are tags of the field.
CREATE OR REPLACE FUNCTION json_field_stats(f dataset_field) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT CASE jsonb_typeof(f.stats) WHEN 'object' THEN json_build_object(
      'boolean_stats', f.stats -> 'boolean_stats', 'integer_stats', f.stats -> 'integer_stats',
      'number_stats', f.stats -> 'number_stats', 'string_stats', f.stats -> 'string_stats',
      'binary_stats', f.stats -> 'binary_stats', 'datetime_stats', f.stats -> 'datetime_stats',
      'complex_stats', f.stats -> 'complex_stats') END$$;

-- TagList of a field: external when a collector or its statistics set it.
CREATE OR REPLACE FUNCTION json_field_tags(field bigint) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT coalesce(json_agg(json_tag(t, l.external, NULL) ORDER BY t.important DESC, t.name), '[]')
      FROM (SELECT tag_id, bool_or(origin <> 'INTERNAL') AS external
              FROM field_tag WHERE field_id = field GROUP BY tag_id) l
      JOIN tag t ON t.id = l.tag_id$$;

-- What a structure shows beside the rows of its fields: the tags, metadata and terms of each, with their order, the column
-- of a lookup table that it is, and a row without an item for each enum value. Of all fields at once, since there may be
-- thousands; nothing is joined with the fields, so that no plan for few is slow for many.
CREATE OR REPLACE FUNCTION field_items(fields bigint[])
  RETURNS TABLE (field_id bigint, kind text, item json, first text, second text)
  LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT l.field_id, 'tag', json_tag(t, l.external, NULL), CASE WHEN t.important THEN '0' ELSE '1' END,
         t.name
    FROM (SELECT x.field_id, x.tag_id, bool_or(x.origin <> 'INTERNAL') AS external
            FROM field_tag x WHERE x.field_id = ANY (fields) GROUP BY 1, 2) l
    JOIN tag t ON t.id = l.tag_id
  UNION ALL
  SELECT v.field_id, 'metadata', json_metadata_value(m, v.value), m.name, lpad(m.id::text, 20, '0')
    FROM field_metadata_value v JOIN metadata_field m ON m.id = v.metadata_field_id
   WHERE v.field_id = ANY (fields)
  UNION ALL
  SELECT l.field_id, 'term', json_linked_term(t, n, l.mentioned), n.name, t.name
    FROM field_linked_term l JOIN term t ON t.id = l.term_id JOIN namespace n ON n.id = t.namespace_id
   WHERE l.field_id = ANY (fields)
  UNION ALL
  SELECT c.field_id, 'lookup', to_json(c.id), NULL, NULL FROM lookup_column c
   WHERE c.field_id = ANY (fields)
  UNION ALL
  SELECT v.field_id, 'enum', NULL, NULL, NULL FROM enum_value v WHERE v.field_id = ANY (fields)
$$;

-- DataSetField[] of a structure version.
CREATE OR REPLACE FUNCTION json_fields(wanted bigint) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS $$
  WITH piece AS (
    SELECT (f.field).id AS field_id, 'field' AS kind, NULL::json AS item, NULL AS first, NULL AS second,
           f.field, f.ordinal, f.parent_id, f.reference_id
      FROM fields_of_version(wanted) f
    UNION ALL
    SELECT i.field_id, i.kind, i.item, i.first COLLATE "C", i.second COLLATE "C", NULL, NULL, NULL, NULL
      FROM dataset_version v, field_items(v.field_ids) i WHERE v.id = wanted
  ), whole AS (
    SELECT (array_agg(field) FILTER (WHERE kind = 'field'))[1] AS f, max(ordinal) AS ordinal,
           max(parent_id) AS parent_id, max(reference_id) AS reference_id,
           coalesce(json_agg(item ORDER BY first, second) FILTER (WHERE kind = 'tag'), '[]') AS tags,
           coalesce(json_agg(item ORDER BY first, second) FILTER (WHERE kind = 'metadata'), '[]')
             AS metadata,
           coalesce(json_agg(item ORDER BY first, second) FILTER (WHERE kind = 'term'), '[]') AS terms,
           (array_agg(item) FILTER (WHERE kind = 'lookup'))[1] AS lookup,
           count(*) FILTER (WHERE kind = 'enum') AS enums
      FROM piece GROUP BY field_id)
  SELECT coalesce(json_agg(json_build_object('id', (f).id,
      'parent_field_id', parent_id,
      'lookup_table_definition_id', lookup,
      'reference_field_id', reference_id,
      'catrn', (f).catrn, 'name', (f).name, 'internal_name', (f).internal_name,
      'type', json_field_type(f), 'stats', json_field_stats(f), 'is_key', (f).is_key,
      'is_value', (f).is_value, 'is_primary_key', (f).is_primary_key,
      'is_sort_key', (f).is_sort_key, 'default_value', (f).default_value,
      'external_description', (f).external_description,
      'internal_description', (f).internal_description, 'tags', tags,
      'enum_value_count', enums, 'metadata', metadata, 'terms', terms) ORDER BY ordinal), '[]')
    FROM whole
$$;

-- DataSetFieldDiffState: the field as it stands in a structure version in which this is its parent.
CREATE OR REPLACE FUNCTION json_field_state(f dataset_field, parent_id bigint) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT json_build_object('id', f.id,
    'parent_field_id', parent_id,
    'name', f.name, 'internal_name', f.internal_name, 'type', json_field_type(f),
    'is_key', f.is_key, 'is_value', f.is_value, 'is_primary_key', f.is_primary_key)
$$;

-- MetricSet of an entity or a field, by CATRN: the latest point of every series.
CREATE OR REPLACE FUNCTION json_metrics(named text) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT json_build_object('metric_families', coalesce(json_agg(json_build_object(
      'id', f.id, 'name', f.name, 'type', f.type, 'unit', f.unit, 'description', f.description,
      'metrics', s.metrics) ORDER BY f.name, f.id), '[]'))
    FROM (SELECT family_id, json_agg(json_build_object('labels', labels,
              'metric_point', json_build_object('timestamp', iso(point_time),
                'gauge_value', point -> 'gauge_value', 'counter_value', point -> 'counter_value',
                'histogram_value', point -> 'histogram_value',
                'summary_value', point -> 'summary_value')) ORDER BY id) AS metrics
            FROM metric_series WHERE catrn = named GROUP BY family_id) s
    JOIN metric_family f ON f.id = s.family_id
$$;
