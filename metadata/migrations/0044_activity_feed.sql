-- Who acted: the distinct names are found by leaping from one to the next.
CREATE INDEX activity_actor ON activity (created_by, created_at DESC, id DESC)
  WHERE created_by IS NOT NULL;

-- DataEntityRef of what an event tells of; null when it tells of no entity. One that was purged since
-- is known by its id alone, as deleted.
CREATE FUNCTION json_activity_entity(entity bigint, stale_days integer) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT CASE WHEN entity IS NOT NULL THEN coalesce(
      json_entity_ref(entity, stale_days),
      json_build_object('id', entity, 'catrn', NULL, 'entity_classes', NULL,
        'internal_name', NULL, 'external_name', NULL, 'url', NULL, 'has_alerts', NULL,
        'manually_created', NULL,
        'status', json_build_object('status', status_name(5::smallint),
                                    'status_switch_time', NULL),
        'is_stale', false)) END$$;

-- Activity, but that classes and types in its states are names still.
CREATE FUNCTION json_activity(a activity, stale_days integer) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_build_object('id', a.id, 'event_type', a.event_type,
      'created_at', iso(a.created_at), 'created_by', json_associated_owner(a.created_by),
      'data_entity', json_activity_entity(a.entity_id, stale_days),
      'old_state', a.old_state, 'new_state', a.new_state, 'system_event', a.system_event)$$;
