-- Whole entities as finished JSON: list items and details. Only the members of the classes that an
-- entity has are worked out; those of other classes are null.

DROP FUNCTION IF EXISTS entity_shown(bigint, bigint, integer),
  json_entity_base(data_entity, json, json, json, integer),
  json_data_entity(data_entity, json, json, json, json, integer),
  json_data_entity_list(bigint[], bigint, boolean, integer);

-- What is shown of an entity from other tables. A list names it in FROM, where PostgreSQL makes it part of the statement's
-- plan: called for each entity, its parts cost twice as much.
CREATE OR REPLACE FUNCTION entity_shown(entity bigint, source_id bigint, stale_days integer)
  RETURNS TABLE (ownership json, source json, groups json, lookup_table_id bigint)
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT o.ownership, s.source, g.groups, l.lookup_table_id
      FROM ownership_shown(entity) o CROSS JOIN groups_shown(entity, stale_days) g
      LEFT JOIN source_shown(source_id) s ON true LEFT JOIN lookup_table_shown(entity) l ON true$$;

-- DataEntityBaseObject, from what is shown of other tables.
CREATE OR REPLACE FUNCTION json_entity_base(
  e data_entity, ownership json, source json, groups json, lookup_table_id bigint, stale_days integer)
  RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_build_object('id', e.id, 'catrn', e.catrn, 'external_name', e.external_name,
      'internal_name', e.internal_name, 'ownership', ownership,
      'data_source', source, 'lookup_table_id', lookup_table_id,
      'entity_classes', json_classes(e.class_ids), 'type', json_type(e.type_id),
      'data_entity_groups', groups, 'status', json_status(e),
      'source_created_at', iso(e.source_created_at), 'source_updated_at', iso(e.source_updated_at),
      'last_ingested_at', iso(e.last_ingested_at), 'view_count', e.view_count,
      'is_stale', is_stale(e.last_ingested_at, stale_days))$$;

-- DataEntityBaseObject.
CREATE OR REPLACE FUNCTION json_entity_base(e data_entity, stale_days integer) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_entity_base(e, ownership, source, groups, lookup_table_id, stale_days)
      FROM entity_shown(e.id, e.data_source_id, stale_days)$$;

-- DataEntityRun.
CREATE OR REPLACE FUNCTION json_run(r task_run) RETURNS json LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_build_object('id', r.id, 'catrn', r.catrn, 'name', r.name,
      'created_at', iso(r.created_at), 'updated_at', iso(r.updated_at),
      'data_entity_id', r.task_id, 'start_time', iso(r.start_time), 'end_time', iso(r.end_time),
      'status_reason', r.status_reason, 'status', r.status, 'metadata', r.metadata)$$;

-- DataEntityRun of the last run of a transformer or test, or null.
CREATE OR REPLACE FUNCTION json_latest_run(task bigint) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_run(r) FROM task_run r WHERE r.task_id = task
     ORDER BY coalesce(r.end_time, r.start_time) DESC, r.catrn DESC LIMIT 1$$;

-- Live datasets that a test checks.
CREATE OR REPLACE FUNCTION test_datasets(test bigint) RETURNS TABLE (id bigint)
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT d.id FROM test_dataset t JOIN data_entity d ON d.id = t.dataset_id
     WHERE t.test_id = test AND is_live(d.status)$$;

-- {datasets_list, datasets_list_total} of a test.
CREATE OR REPLACE FUNCTION json_dataset_list(test bigint, stale_days integer, most integer)
  RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_build_object(
      'datasets_list', coalesce(json_agg(json_entity_ref(e, stale_days) ORDER BY e.id), '[]'),
      'datasets_list_total', CASE WHEN count(*) < most THEN count(*)
                                  ELSE (SELECT count(*) FROM test_datasets(test)) END)
      FROM (SELECT t.id FROM test_datasets(test) t ORDER BY t.id LIMIT most) shown
      JOIN data_entity e ON e.id = shown.id$$;

-- Live members of a group that carry a payload, each once however it became a member.
CREATE OR REPLACE FUNCTION group_members(parent bigint) RETURNS SETOF data_entity
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT e.* FROM data_entity e
     WHERE e.id IN (SELECT member_id FROM group_member WHERE group_id = parent)
       AND NOT e.hollow AND is_live(e.status)$$;

-- {items_count, entities}: entities are the first `most` members in order of id.
CREATE OR REPLACE FUNCTION json_group_members(parent bigint, stale_days integer, most integer)
  RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_build_object(
      'items_count', (SELECT count(*) FROM group_members(parent)),
      'entities', (SELECT coalesce(json_agg(json_entity_ref(e, stale_days) ORDER BY e.id), '[]')
                     FROM (SELECT m.id FROM group_members(parent) m ORDER BY m.id LIMIT most) shown
                     JOIN data_entity e ON e.id = shown.id))$$;

-- Whether a live member of the group is a group itself.
CREATE OR REPLACE FUNCTION has_child_groups(parent bigint) RETURNS boolean
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT EXISTS (SELECT FROM group_members(parent) m WHERE 8 = ANY (m.class_ids))$$;

-- The members of DataEntity that are lists of references of at most `most`, each with its total; that
-- of a group's members is items_count.
CREATE OR REPLACE FUNCTION json_reference_members(e data_entity, stale_days integer, most integer)
  RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS $$
  -- Most entities are plain datasets, for which parts would be joined in vain.
  SELECT CASE WHEN NOT e.class_ids && '{2,4,6,7,8}' THEN
    '{"source_list": null, "source_list_total": null, "target_list": null, "target_list_total": null, '
    '"input_list": null, "input_list_total": null, "output_list": null, "output_list_total": null, '
    '"datasets_list": null, "datasets_list_total": null, "items_count": null, "entities": null}'
  ELSE json_join(json_join(json_join(json_join(
    CASE WHEN 2 = ANY (e.class_ids) THEN json_join(
      json_ref_list('source_list', e.attributes #> '{data_transformer,inputs}', stale_days, most),
      json_ref_list('target_list', e.attributes #> '{data_transformer,outputs}', stale_days, most))
      ELSE '{"source_list": null, "source_list_total": null, "target_list": null, "target_list_total": null}' END,
    CASE WHEN 6 = ANY (e.class_ids)
      THEN json_ref_list('input_list', e.attributes #> '{data_consumer,inputs}', stale_days, most)
      ELSE '{"input_list": null, "input_list_total": null}' END),
    CASE WHEN 7 = ANY (e.class_ids)
      THEN json_ref_list('output_list', e.attributes #> '{data_input,outputs}', stale_days, most)
      ELSE '{"output_list": null, "output_list_total": null}' END),
    CASE WHEN 4 = ANY (e.class_ids) THEN json_dataset_list(e.id, stale_days, most)
      ELSE '{"datasets_list": null, "datasets_list_total": null}' END),
    CASE WHEN 8 = ANY (e.class_ids) THEN json_group_members(e.id, stale_days, most)
      ELSE '{"items_count": null, "entities": null}' END) END
$$;

-- The members of DataEntity beyond its base that are no references, with the statistics of a dataset.
CREATE OR REPLACE FUNCTION json_own_members(e data_entity, stats json) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT json_build_object(
      'stats', CASE WHEN 1 = ANY (e.class_ids) THEN stats END,
      'suite_name', e.attributes #>> '{data_quality_test,suite_name}',
      'suite_url', e.attributes #>> '{data_quality_test,suite_url}',
      'expectation', CASE WHEN 4 = ANY (e.class_ids)
        THEN json_string_map(e.attributes #> '{data_quality_test,expectation}') END,
      'severity', CASE WHEN 4 = ANY (e.class_ids) THEN test_severity(e.id) END,
      'linked_url_list', CASE WHEN 4 = ANY (e.class_ids)
        THEN coalesce(nullif(e.attributes #> '{data_quality_test,linked_url_list}', 'null'), '[]')
        END,
      'latest_run', CASE WHEN e.class_ids && '{2,4}' THEN json_latest_run(e.id) END)
$$;

-- The members of DataEntity beyond its base, with reference lists of at most `most`.
CREATE OR REPLACE FUNCTION json_class_members(e data_entity, stale_days integer, most integer)
  RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT json_join(json_own_members(e, json_dataset_stats(e)), json_reference_members(e, stale_days, most))
$$;

-- DataEntity as text, from what is shown of other tables.
CREATE OR REPLACE FUNCTION text_data_entity(
  e data_entity, ownership json, source json, groups json, lookup_table_id bigint, stats json,
  stale_days integer) RETURNS text
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT text_join(json_entity_base(e, ownership, source, groups, lookup_table_id, stale_days),
                     json_own_members(e, stats), json_reference_members(e, stale_days, 100))$$;

-- DataEntity: an item of a list.
CREATE OR REPLACE FUNCTION json_data_entity(e data_entity, stale_days integer) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT text_data_entity(e, ownership, source, groups, lookup_table_id, stats, stale_days)::json
      FROM entity_shown(e.id, e.data_source_id, stale_days), stats_shown(e.id, e.attributes)$$;

-- DataEntityList of one page as text, which is not parsed again: the entities of `ids`, in that order, of `total` in all.
-- Planned once a session: planning takes three times as long as running, and finds the same plan for any ids.
CREATE OR REPLACE FUNCTION text_data_entity_list(
  ids bigint[], total bigint, has_next boolean, stale_days integer) RETURNS text
  LANGUAGE sql STABLE PARALLEL SAFE SET plan_cache_mode = force_generic_plan AS
  $$SELECT format('{"items": [%s], "page_info": %s}',
      (SELECT string_agg(text_data_entity(e, ownership, source, groups, lookup_table_id, stats, stale_days),
                         ', ' ORDER BY page.place)
         FROM unnest(ids) WITH ORDINALITY AS page (id, place)
         JOIN data_entity e ON e.id = page.id,
         entity_shown(e.id, e.data_source_id, stale_days), stats_shown(e.id, e.attributes)),
      json_build_object('total', total, 'hasNext', has_next))$$;

-- DataEntityDetails.
CREATE OR REPLACE FUNCTION json_data_entity_details(e data_entity, stale_days integer) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT json_join(json_join(json_join(
      json_entity_base(e, stale_days), json_class_members(e, stale_days, 1000)),
      json_build_object('metadata_field_values', json_metadata(e.id),
        'external_description', e.external_description,
        'internal_description', e.internal_description,
        'terms', json_terms(e.id), 'tags', json_tags(e.id),
        'manually_created', e.manually_created,
        'has_children', CASE WHEN 8 = ANY (e.class_ids) THEN has_child_groups(e.id) END,
        'version_list', CASE WHEN 1 = ANY (e.class_ids) THEN json_versions(e.id) END,
        'version_list_total', CASE WHEN 1 = ANY (e.class_ids)
          THEN (SELECT count(*) FROM dataset_version v WHERE v.dataset_id = e.id) END,
        'usage', json_usage(e), 'renames', json_renames(e, stale_days))),
    json_relationship_members(e, stale_days))
$$;
