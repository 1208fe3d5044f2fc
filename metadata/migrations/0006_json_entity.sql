-- Whole entities as finished JSON: list items and details. Only the members of the classes that an
-- entity has are worked out; those of other classes are null.

-- Lists and counts of what lists show, in order of id.
CREATE INDEX data_entity_listed ON data_entity (id)
  WHERE NOT hollow AND NOT excluded_from_search AND status <> 5;

-- The members of two objects in one.
CREATE FUNCTION json_join(a json, b json) RETURNS json LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
  $$SELECT (left(a::text, -1) || ', ' || substr(b::text, 2))::json$$;

-- DataEntityRef of an id, or null.
CREATE FUNCTION json_entity_ref(entity bigint, stale_days integer) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_entity_ref(e, stale_days) FROM data_entity e WHERE e.id = entity$$;

-- DataEntityBaseObject.
CREATE FUNCTION json_entity_base(e data_entity, stale_days integer) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_build_object('id', e.id, 'catrn', e.catrn, 'external_name', e.external_name,
      'internal_name', e.internal_name, 'ownership', json_ownership(e.id),
      'data_source', json_data_source_safe(e.data_source_id), 'lookup_table_id', NULL,
      'entity_classes', json_classes(e.class_ids), 'type', json_type(e.type_id),
      'data_entity_groups', json_groups(e.id, stale_days), 'status', json_status(e),
      'source_created_at', iso(e.source_created_at), 'source_updated_at', iso(e.source_updated_at),
      'last_ingested_at', iso(e.last_ingested_at), 'view_count', e.view_count,
      'is_stale', is_stale(e.last_ingested_at, stale_days))$$;

-- The newest structure version of a dataset, or null.
CREATE FUNCTION latest_version(dataset bigint) RETURNS bigint LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT id FROM dataset_version WHERE dataset_id = dataset ORDER BY version DESC LIMIT 1$$;

-- DataSetStats: rows as the collector counted them (0 when it did not), fields of the newest
-- version, and the distinct entities that live lineage leads to.
CREATE FUNCTION json_dataset_stats(e data_entity) RETURNS json LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_build_object(
      'rows_count', coalesce((e.attributes #>> '{dataset,rows_number}')::numeric, 0),
      'fields_count', (SELECT count(*) FROM dataset_version_field
                        WHERE version_id = latest_version(e.id)),
      'consumers_count', (SELECT count(DISTINCT child_id) FROM lineage_edge
                           WHERE live AND parent_id = e.id AND child_id <> e.id))$$;

-- DataEntityRun.
CREATE FUNCTION json_run(r task_run) RETURNS json LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_build_object('id', r.id, 'catrn', r.catrn, 'name', r.name,
      'created_at', iso(r.created_at), 'updated_at', iso(r.updated_at),
      'data_entity_id', r.task_id, 'start_time', iso(r.start_time), 'end_time', iso(r.end_time),
      'status_reason', r.status_reason, 'status', r.status)$$;

-- DataEntityRun of the last run of a transformer or test, or null.
CREATE FUNCTION json_latest_run(task bigint) RETURNS json LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_run(r) FROM task_run r WHERE r.task_id = task
     ORDER BY coalesce(r.end_time, r.start_time) DESC, r.catrn DESC LIMIT 1$$;

-- DataEntityRef[] of the datasets that a test checks.
CREATE FUNCTION json_test_datasets(test bigint, stale_days integer, most integer) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT coalesce(json_agg(json_entity_ref(e, stale_days) ORDER BY e.id), '[]')
      FROM (SELECT d.* FROM test_dataset t JOIN data_entity d ON d.id = t.dataset_id
             WHERE t.test_id = test AND d.status <> 5 ORDER BY d.id LIMIT most) e$$;

-- A map of strings: what is not a string becomes its JSON text.
CREATE FUNCTION json_string_map(object jsonb) RETURNS json LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT coalesce(json_object_agg(key, value ORDER BY key), '{}')
      FROM jsonb_each_text(CASE jsonb_typeof(object) WHEN 'object' THEN object ELSE '{}' END)$$;

-- Live members of a group that carry a payload, each once however it became a member.
CREATE FUNCTION group_members(parent bigint) RETURNS SETOF data_entity
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT e.* FROM data_entity e
     WHERE e.id IN (SELECT member_id FROM group_member WHERE group_id = parent)
       AND NOT e.hollow AND e.status <> 5$$;

-- {items_count, entities}: entities are the first `most` members in order of id.
CREATE FUNCTION json_group_members(parent bigint, stale_days integer, most integer) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_build_object(
      'items_count', (SELECT count(*) FROM group_members(parent)),
      'entities', (SELECT coalesce(json_agg(json_entity_ref(e, stale_days) ORDER BY e.id), '[]')
                     FROM (SELECT m.id FROM group_members(parent) m ORDER BY m.id LIMIT most) shown
                     JOIN data_entity e ON e.id = shown.id))$$;

-- Whether a live member of the group is a group itself.
CREATE FUNCTION has_child_groups(parent bigint) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT EXISTS (SELECT FROM group_members(parent) m WHERE 8 = ANY (m.class_ids))$$;

-- The members of DataEntity beyond its base, with reference lists of at most `most`.
CREATE FUNCTION json_class_members(e data_entity, stale_days integer, most integer) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT json_join(
    json_build_object(
      'stats', CASE WHEN 1 = ANY (e.class_ids) THEN json_dataset_stats(e) END,
      'source_list', CASE WHEN 2 = ANY (e.class_ids)
        THEN json_refs(e.attributes #> '{data_transformer,inputs}', stale_days, most) END,
      'target_list', CASE WHEN 2 = ANY (e.class_ids)
        THEN json_refs(e.attributes #> '{data_transformer,outputs}', stale_days, most) END,
      'input_list', CASE WHEN 6 = ANY (e.class_ids)
        THEN json_refs(e.attributes #> '{data_consumer,inputs}', stale_days, most) END,
      'output_list', CASE WHEN 7 = ANY (e.class_ids)
        THEN json_refs(e.attributes #> '{data_input,outputs}', stale_days, most) END,
      'suite_name', e.attributes #>> '{data_quality_test,suite_name}',
      'suite_url', e.attributes #>> '{data_quality_test,suite_url}',
      'expectation', CASE WHEN 4 = ANY (e.class_ids)
        THEN json_string_map(e.attributes #> '{data_quality_test,expectation}') END,
      'severity', NULL,
      'datasets_list', CASE WHEN 4 = ANY (e.class_ids)
        THEN json_test_datasets(e.id, stale_days, most) END,
      'linked_url_list', CASE WHEN 4 = ANY (e.class_ids)
        THEN coalesce(nullif(e.attributes #> '{data_quality_test,linked_url_list}', 'null'), '[]')
        END,
      'latest_run', CASE WHEN e.class_ids && '{2,4}' THEN json_latest_run(e.id) END),
    CASE WHEN 8 = ANY (e.class_ids) THEN json_group_members(e.id, stale_days, most)
         ELSE '{"items_count": null, "entities": null}' END)
$$;

-- DataEntity: an item of a list.
CREATE FUNCTION json_data_entity(e data_entity, stale_days integer) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_join(json_entity_base(e, stale_days), json_class_members(e, stale_days, 100))$$;

-- DataEntityList of one page: the entities of `ids`, in that order, of `total` in all.
CREATE FUNCTION json_data_entity_list(
  ids bigint[], total bigint, has_next boolean, stale_days integer) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_build_object(
      'items', (SELECT coalesce(json_agg(json_data_entity(e, stale_days) ORDER BY page.place), '[]')
                  FROM unnest(ids) WITH ORDINALITY AS page (id, place)
                  JOIN data_entity e ON e.id = page.id),
      'page_info', json_build_object('total', total, 'hasNext', has_next))$$;

-- DataSetVersion[], newest first, at most 1,000.
CREATE FUNCTION json_versions(dataset bigint) RETURNS json LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT coalesce(json_agg(json_build_object('id', v.id, 'version', v.version,
             'created_at', iso(v.created_at)) ORDER BY v.version DESC), '[]')
      FROM (SELECT * FROM dataset_version WHERE dataset_id = dataset
             ORDER BY version DESC LIMIT 1000) v$$;
