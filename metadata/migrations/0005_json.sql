-- Pieces of answers as finished JSON text. Hot reads put these together in one statement and send
-- the text as it is. Optional members that are absent are explicit nulls.
--
-- Functions that read no table are single expressions, which the planner inlines into the query;
-- those that read a table cost one indexed look-up a call. Where thousands of rows are answered,
-- join data_source and namespace and use json_data_source(data_source, namespace).

-- Names of codes; equal to contract/entities.ts, which a test holds.
CREATE TABLE entity_class (
  id   smallint PRIMARY KEY,
  name text NOT NULL UNIQUE
);
INSERT INTO entity_class VALUES
  (1, 'DATA_SET'), (2, 'DATA_TRANSFORMER'), (3, 'DATA_TRANSFORMER_RUN'), (4, 'DATA_QUALITY_TEST'),
  (5, 'DATA_QUALITY_TEST_RUN'), (6, 'DATA_CONSUMER'), (7, 'DATA_INPUT'), (8, 'DATA_ENTITY_GROUP'),
  (9, 'DATA_RELATIONSHIP');

CREATE TABLE entity_type (
  id        smallint PRIMARY KEY,
  name      text NOT NULL UNIQUE,
  class_ids smallint[] NOT NULL
);
INSERT INTO entity_type VALUES
  (1, 'TABLE', '{1}'), (2, 'FILE', '{1}'), (3, 'FEATURE_GROUP', '{1}'), (4, 'KAFKA_TOPIC', '{1}'),
  (5, 'JOB', '{2,4}'), (6, 'ML_EXPERIMENT', '{8}'), (7, 'ML_MODEL_TRAINING', '{2}'),
  (8, 'ML_MODEL_INSTANCE', '{2}'), (9, 'DASHBOARD', '{6}'), (10, 'ML_MODEL_ARTIFACT', '{6}'),
  (11, 'VIEW', '{1,2}'), (12, 'JOB_RUN', '{3,5}'), (13, 'MICROSERVICE', '{2}'),
  (16, 'API_CALL', '{7}'), (17, 'DAG', '{8}'), (18, 'GRAPH_NODE', '{1}'),
  (19, 'DATABASE_SERVICE', '{8}'), (20, 'API_SERVICE', '{8}'), (21, 'KAFKA_SERVICE', '{8}'),
  (22, 'DOMAIN', '{8}'), (23, 'VECTOR_STORE', '{1}'), (24, 'LOOKUP_TABLE', '{1}'),
  (25, 'ENTITY_RELATIONSHIP', '{9}'), (26, 'GRAPH_RELATIONSHIP', '{9}'), (27, 'ML_MODEL', '{8}');

CREATE FUNCTION json_named(id bigint, name text) RETURNS json LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT CASE WHEN id IS NOT NULL THEN json_build_object('id', id, 'name', name) END$$;

-- json_type(type_id): DataEntityType. json_class(class_id): DataEntityClass with all its types.
-- json_classes(class_ids): DataEntityClass[] in order of id; an empty array for none.
-- Their texts are constants, written here from the tables above, so that no call reads a table.
DO $make$
DECLARE
  class_cases  text;
  type_cases   text;
  class_pieces text;
BEGIN
  SELECT string_agg(format('WHEN %s THEN %L', t.id, json_named(t.id, t.name)), ' ' ORDER BY t.id)
    INTO type_cases FROM entity_type t;
  WITH class AS (
    SELECT c.id, json_build_object('id', c.id, 'name', c.name, 'types',
             (SELECT json_agg(json_named(t.id, t.name) ORDER BY t.id)
                FROM entity_type t WHERE c.id = ANY (t.class_ids)))::text AS piece
      FROM entity_class c)
  SELECT string_agg(format('WHEN %s THEN %L', id, piece), ' ' ORDER BY id),
         string_agg(format('CASE WHEN %s = ANY (class_ids) THEN %L END', id, piece), ', ' ORDER BY id)
    INTO class_cases, class_pieces FROM class;
  EXECUTE format($f$
    CREATE FUNCTION json_type(type_id smallint) RETURNS json LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
      'SELECT CASE type_id %s END::json';
    CREATE FUNCTION json_class(class_id smallint) RETURNS json LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
      'SELECT CASE class_id %s END::json';
    CREATE FUNCTION json_classes(class_ids smallint[]) RETURNS json LANGUAGE sql STABLE PARALLEL SAFE AS
      %L$f$,
    replace(type_cases, '''', ''''''), replace(class_cases, '''', ''''''),
    'SELECT (''['' || concat_ws('','', ' || class_pieces || ') || '']'')::json');
END $make$;

-- Code to name: DataEntityStatusEnum.
CREATE FUNCTION status_name(status smallint) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
  $$SELECT (ARRAY['UNASSIGNED', 'DRAFT', 'STABLE', 'DEPRECATED', 'DELETED'])[status]$$;

-- DataEntityStatus.
CREATE FUNCTION json_status(e data_entity) RETURNS json LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_build_object('status', status_name(e.status),
                             'status_switch_time', iso(e.status_switch_at))$$;

-- Whether the last batch that named it is older than that many days; never ingested is never stale.
CREATE FUNCTION is_stale(last_ingested_at timestamptz, days integer) RETURNS boolean
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT coalesce(last_ingested_at < now() - make_interval(days => days), false)$$;

-- Namespace, or null.
CREATE FUNCTION json_namespace(n namespace) RETURNS json LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_named(n.id, n.name)$$;
CREATE FUNCTION json_namespace(namespace_id bigint) RETURNS json LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_named(n.id, n.name) FROM namespace n WHERE n.id = namespace_id$$;

-- DataSourceSafe, or null.
CREATE FUNCTION json_data_source_safe(s data_source, n namespace) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT CASE WHEN s.id IS NOT NULL THEN json_build_object('id', s.id,
      'namespace', json_named(n.id, n.name), 'catrn', s.catrn, 'name', s.name,
      'description', s.description) END$$;
CREATE FUNCTION json_data_source_safe(source_id bigint) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_data_source_safe(s, n)
      FROM data_source s LEFT JOIN namespace n ON n.id = s.namespace_id WHERE s.id = source_id$$;

-- DataSource, or null. Its token is always null here: only the data source family shows tokens.
CREATE FUNCTION json_data_source(s data_source, n namespace) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT CASE WHEN s.id IS NOT NULL THEN json_build_object('id', s.id,
      'namespace', json_named(n.id, n.name), 'token', NULL, 'catrn', s.catrn, 'name', s.name,
      'description', s.description) END$$;
CREATE FUNCTION json_data_source(source_id bigint) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_data_source(s, n)
      FROM data_source s LEFT JOIN namespace n ON n.id = s.namespace_id WHERE s.id = source_id$$;

CREATE FUNCTION has_open_alert(entity bigint) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT EXISTS (SELECT FROM alert a WHERE a.entity_id = entity AND a.status = 1)$$;

-- DataEntityRef of a row of data_entity.
CREATE FUNCTION json_entity_ref(e data_entity, stale_days integer) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_build_object('id', e.id, 'catrn', e.catrn, 'entity_classes', json_classes(e.class_ids),
      'internal_name', e.internal_name, 'external_name', e.external_name, 'url', '',
      'has_alerts', has_open_alert(e.id), 'manually_created', e.manually_created,
      'status', json_status(e), 'is_stale', is_stale(e.last_ingested_at, stale_days))$$;

-- Whether lists and searches show the entity.
CREATE FUNCTION is_listed(e data_entity) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
  $$SELECT NOT e.hollow AND NOT e.excluded_from_search AND e.status <> 5$$;

-- DataEntityRef[] of the CATRNs in a JSON array, in its order, deleted ones left out, at most `most`.
CREATE FUNCTION json_refs(catrns jsonb, stale_days integer, most integer) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT coalesce(json_agg(json_entity_ref(e, stale_days) ORDER BY named.place), '[]')
      FROM (SELECT catrn, min(place) AS place
              FROM jsonb_array_elements_text(
                     CASE jsonb_typeof(catrns) WHEN 'array' THEN catrns ELSE '[]' END)
                   WITH ORDINALITY AS item (catrn, place)
             GROUP BY catrn ORDER BY place LIMIT most) named
      JOIN data_entity e ON e.catrn = named.catrn AND e.status <> 5$$;

-- TagList: important ones first. A tag set by hand and by a collector appears once, as external.
CREATE FUNCTION json_tags(entity bigint) RETURNS json LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT coalesce(json_agg(json_build_object('id', t.id, 'name', t.name, 'important', t.important,
             'external', l.external, 'usedCount', NULL) ORDER BY t.important DESC, t.name), '[]')
      FROM (SELECT tag_id, bool_or(origin = 'EXTERNAL') AS external
              FROM entity_tag WHERE entity_id = entity GROUP BY tag_id) l
      JOIN tag t ON t.id = l.tag_id$$;

-- OwnershipList. An owner's roles and user are not shown here.
CREATE FUNCTION json_ownership(entity bigint) RETURNS json LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT coalesce(json_agg(json_build_object('id', o.id, 'owner', json_build_object('id', w.id,
             'name', w.name, 'roles', NULL, 'associated_user', NULL),
             'title', json_named(t.id, t.name)) ORDER BY o.id), '[]')
      FROM ownership o JOIN owner w ON w.id = o.owner_id LEFT JOIN title t ON t.id = o.title_id
     WHERE o.entity_id = entity$$;

-- MetadataFieldValue[], by name.
CREATE FUNCTION json_metadata(entity bigint) RETURNS json LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT coalesce(json_agg(json_build_object('field', json_build_object('id', f.id, 'name', f.name,
             'type', f.type, 'origin', f.origin), 'value', v.value) ORDER BY f.name, f.id), '[]')
      FROM metadata_value v JOIN metadata_field f ON f.id = v.field_id WHERE v.entity_id = entity$$;

-- DataEntityRefList: the live groups that name the entity directly.
CREATE FUNCTION json_groups(entity bigint, stale_days integer) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT coalesce(json_agg(json_entity_ref(g, stale_days) ORDER BY g.id), '[]')
      FROM data_entity g
     WHERE g.id IN (SELECT group_id FROM group_member WHERE member_id = entity)
       AND g.status <> 5 AND NOT g.hollow$$;
