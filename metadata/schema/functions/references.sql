-- What refers to an entity by its name, and what stands beside it, as pieces of finished JSON. Those
-- that read a table cost one indexed look-up a call. Where thousands of rows are answered, join
-- data_source and namespace and use json_data_source(data_source, namespace).

-- DataEntityStatus.
CREATE OR REPLACE FUNCTION json_status(e data_entity) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_build_object('status', status_name(e.status),
                             'status_switch_time', iso(e.status_switch_at))$$;

-- Namespace, or null.
CREATE OR REPLACE FUNCTION json_namespace(n namespace) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_named(n.id, n.name)$$;
CREATE OR REPLACE FUNCTION json_namespace(namespace_id bigint) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_named(n.id, n.name) FROM namespace n WHERE n.id = namespace_id$$;

-- DataSourceSafe, or null.
CREATE OR REPLACE FUNCTION json_data_source_safe(s data_source, n namespace) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT CASE WHEN s.id IS NOT NULL THEN json_build_object('id', s.id,
      'namespace', json_named(n.id, n.name), 'catrn', s.catrn, 'name', s.name,
      'description', s.description) END$$;
CREATE OR REPLACE FUNCTION source_shown(source_id bigint) RETURNS TABLE (source json)
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_data_source_safe(s, n)
      FROM data_source s LEFT JOIN namespace n ON n.id = s.namespace_id WHERE s.id = source_id$$;
CREATE OR REPLACE FUNCTION json_data_source_safe(source_id bigint) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS 'SELECT source FROM source_shown(source_id)';

-- DataSource, or null. Its token is always null here: only the data source family shows tokens.
CREATE OR REPLACE FUNCTION json_data_source(s data_source, n namespace) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT CASE WHEN s.id IS NOT NULL THEN json_build_object('id', s.id,
      'namespace', json_named(n.id, n.name), 'token', NULL, 'catrn', s.catrn, 'name', s.name,
      'description', s.description) END$$;
CREATE OR REPLACE FUNCTION json_data_source(source_id bigint) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_data_source(s, n)
      FROM data_source s LEFT JOIN namespace n ON n.id = s.namespace_id WHERE s.id = source_id$$;

-- Whether an entity has an open alert, for statements that name it in FROM.
CREATE OR REPLACE FUNCTION open_alert_shown(entity bigint) RETURNS TABLE (open boolean)
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT EXISTS (SELECT FROM alert a WHERE a.entity_id = entity AND a.status = 1)$$;
CREATE OR REPLACE FUNCTION has_open_alert(entity bigint) RETURNS boolean
  LANGUAGE sql STABLE PARALLEL SAFE AS 'SELECT open FROM open_alert_shown(entity)';

-- DataEntityRef of a row of data_entity, for whoever knows already whether it has open alerts.
CREATE OR REPLACE FUNCTION json_entity_ref(e data_entity, stale_days integer, has_alerts boolean)
  RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_build_object('id', e.id, 'catrn', e.catrn, 'entity_classes', json_classes(e.class_ids),
      'internal_name', e.internal_name, 'external_name', e.external_name, 'url', '',
      'has_alerts', has_alerts, 'manually_created', e.manually_created,
      'status', json_status(e), 'is_stale', is_stale(e.last_ingested_at, stale_days))$$;

-- DataEntityRef of a row of data_entity.
CREATE OR REPLACE FUNCTION json_entity_ref(e data_entity, stale_days integer) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_entity_ref(e, stale_days, has_open_alert(e.id))$$;

-- DataEntityRef of an id, or null.
CREATE OR REPLACE FUNCTION json_entity_ref(entity bigint, stale_days integer) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_entity_ref(e, stale_days) FROM data_entity e WHERE e.id = entity$$;

-- Whether lists and searches show the entity.
CREATE OR REPLACE FUNCTION is_listed(e data_entity) RETURNS boolean
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
  $$SELECT NOT e.hollow AND NOT e.excluded_from_search AND is_live(e.status)$$;

-- Live entities that a JSON array of CATRNs names, each at the first place where it is named.
CREATE OR REPLACE FUNCTION named_entities(catrns jsonb) RETURNS TABLE (id bigint, place bigint)
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT e.id, named.place
      FROM (SELECT catrn, min(place) AS place
              FROM jsonb_array_elements_text(
                     CASE jsonb_typeof(catrns) WHEN 'array' THEN catrns ELSE '[]' END)
                   WITH ORDINALITY AS item (catrn, place)
             GROUP BY catrn ORDER BY place) named
      JOIN data_entity e ON e.catrn = named.catrn AND is_live(e.status)$$;

-- {<name>, <name>_total}: DataEntityRef[] of the CATRNs in a JSON array, in its order, at most `most`,
-- and how many there are, counted only where there may be more.
CREATE OR REPLACE FUNCTION json_ref_list(
  name text, catrns jsonb, stale_days integer, most integer) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_build_object(
      name, coalesce(json_agg(json_entity_ref(e, stale_days) ORDER BY shown.place), '[]'),
      name || '_total', CASE WHEN count(*) < most THEN count(*)
                             ELSE (SELECT count(*) FROM named_entities(catrns)) END)
      FROM (SELECT n.id, n.place FROM named_entities(catrns) n ORDER BY n.place LIMIT most) shown
      JOIN data_entity e ON e.id = shown.id$$;

-- Tag. `external`: a collector sets it; `used`: how often, null where that is not told.
CREATE OR REPLACE FUNCTION json_tag(t tag, external boolean, used bigint) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_build_object('id', t.id, 'name', t.name, 'important', t.important,
      'external', external, 'usedCount', used)$$;

-- TagList: important ones first. A tag set by hand and by a collector appears once, as external.
CREATE OR REPLACE FUNCTION json_tags(entity bigint) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT coalesce(json_agg(json_tag(t, l.external, NULL) ORDER BY t.important DESC, t.name), '[]')
      FROM (SELECT tag_id, bool_or(origin = 'EXTERNAL') AS external
              FROM entity_tag WHERE entity_id = entity GROUP BY tag_id) l
      JOIN tag t ON t.id = l.tag_id$$;

-- MetadataField, and MetadataFieldValue.
CREATE OR REPLACE FUNCTION json_metadata_field(f metadata_field) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_build_object('id', f.id, 'name', f.name, 'type', f.type, 'origin', f.origin)$$;
CREATE OR REPLACE FUNCTION json_metadata_value(f metadata_field, value text) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_build_object('field', json_metadata_field(f), 'value', value)$$;

-- MetadataFieldValue[], by name.
CREATE OR REPLACE FUNCTION json_metadata(entity bigint) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT coalesce(json_agg(json_metadata_value(f, v.value) ORDER BY f.name, f.id), '[]')
      FROM metadata_value v JOIN metadata_field f ON f.id = v.field_id WHERE v.entity_id = entity$$;

-- DataEntityRefList: the live groups that name the entity directly.
CREATE OR REPLACE FUNCTION groups_shown(entity bigint, stale_days integer) RETURNS TABLE (groups json)
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT coalesce(json_agg(json_entity_ref(g, stale_days, a.open) ORDER BY g.id), '[]')
      FROM data_entity g, open_alert_shown(g.id) a
     WHERE g.id IN (SELECT group_id FROM group_member WHERE member_id = entity)
       AND is_live(g.status) AND NOT g.hollow$$;
DROP FUNCTION IF EXISTS json_groups(bigint, integer);
