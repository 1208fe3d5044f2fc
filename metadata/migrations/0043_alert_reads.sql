-- Alerts as answers show them, and what the alert router remembers of those it was told of.

-- Digest of what makes a firing alert the same alert (its fingerprint, else its labels); NULL when it
-- has neither, and for alerts that do not come from the router.
ALTER TABLE alert ADD COLUMN fingerprint text COLLATE "C";
CREATE INDEX alert_open_fingerprint ON alert (fingerprint)
  WHERE status = 1 AND fingerprint IS NOT NULL;

-- The lists: of all, of those that are open, of one entity; newest first.
CREATE INDEX alert_open_newest ON alert (last_created_at DESC, id DESC) WHERE status = 1;
DROP INDEX alert_entity;
CREATE INDEX alert_entity ON alert (entity_id, last_created_at DESC, id DESC);

-- Codes to names; equal to contract/alerts.ts, which a test holds.
CREATE FUNCTION alert_type_name(type smallint) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
  $$SELECT (ARRAY['BACKWARDS_INCOMPATIBLE_SCHEMA', 'FAILED_DQ_TEST', 'FAILED_JOB',
                  'DISTRIBUTION_ANOMALY'])[type]$$;
CREATE FUNCTION alert_status_name(status smallint) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
  $$SELECT (ARRAY['OPEN', 'RESOLVED', 'RESOLVED_AUTOMATICALLY'])[status]$$;

-- DataEntityRef of a row of data_entity, for whoever knows already whether it has open alerts.
CREATE FUNCTION json_entity_ref(e data_entity, stale_days integer, has_alerts boolean) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_build_object('id', e.id, 'catrn', e.catrn, 'entity_classes', json_classes(e.class_ids),
      'internal_name', e.internal_name, 'external_name', e.external_name, 'url', '',
      'has_alerts', has_alerts, 'manually_created', e.manually_created,
      'status', json_status(e), 'is_stale', is_stale(e.last_ingested_at, stale_days))$$;
CREATE OR REPLACE FUNCTION json_entity_ref(e data_entity, stale_days integer) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_entity_ref(e, stale_days, has_open_alert(e.id))$$;

-- AssociatedOwner of a user by name, or null. What names users keeps no provider: of several users
-- with one name the first provider's is shown.
CREATE FUNCTION json_associated_owner(who text) RETURNS json LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT CASE WHEN who IS NOT NULL THEN json_build_object(
      'identity', json_build_object('username', who, 'permissions', NULL),
      'owner', (SELECT json_build_object('id', o.id, 'name', o.name, 'roles', NULL,
                         'associated_user', NULL)
                  FROM user_owner u JOIN owner o ON o.id = u.owner_id
                 WHERE u.username = who ORDER BY u.provider LIMIT 1)) END$$;

-- AlertChunk[], newest first, at most `most`.
CREATE FUNCTION json_alert_chunks(alert bigint, most integer) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT coalesce(json_agg(json_build_object('created_at', iso(c.created_at),
             'description', c.description) ORDER BY c.created_at DESC, c.id DESC), '[]')
      FROM (SELECT * FROM alert_chunk WHERE alert_id = alert
             ORDER BY created_at DESC, id DESC LIMIT most) c$$;

-- Alert. Its entity counts as having alerts, whatever this one's status.
CREATE FUNCTION json_alert(a alert, stale_days integer) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_build_object('id', a.id,
      'data_entity', (SELECT json_entity_ref(e, stale_days, true)
                        FROM data_entity e WHERE e.id = a.entity_id),
      'type', alert_type_name(a.type), 'status', alert_status_name(a.status),
      'status_updated_by', json_associated_owner(a.status_updated_by),
      'status_updated_at', iso(a.status_updated_at), 'created_at', iso(a.created_at),
      'last_created_at', iso(a.last_created_at),
      'description', coalesce((SELECT c.description FROM alert_chunk c WHERE c.alert_id = a.id
                                ORDER BY c.created_at DESC, c.id DESC LIMIT 1), ''),
      'alert_chunk_list', json_alert_chunks(a.id, 50))$$;

-- DataEntityAlertConfig of an entity; all null when none was ever set.
CREATE FUNCTION json_alert_config(entity bigint) RETURNS json LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_build_object(
      'failed_job_halt_until', iso(h.failed_job_halt_until),
      'failed_dq_test_halt_until', iso(h.failed_dq_test_halt_until),
      'incompatible_schema_halt_until', iso(h.incompatible_schema_halt_until),
      'distribution_anomaly_halt_until', iso(h.distribution_anomaly_halt_until))
      FROM (SELECT entity) asked LEFT JOIN alert_halt_config h ON h.entity_id = asked.entity$$;

-- As before, and an alert names its entity as well: a hollow one that only an alert knows is kept.
CREATE OR REPLACE FUNCTION entities_referenced(ids bigint[]) RETURNS SETOF bigint
LANGUAGE sql STABLE AS $$
  SELECT unnest(ids)
  INTERSECT (
    SELECT parent_id FROM lineage_edges_touching(ids)
    UNION ALL SELECT child_id FROM lineage_edges_touching(ids)
    UNION ALL SELECT member_id FROM group_member WHERE member_id = ANY(ids)
    UNION ALL SELECT group_id FROM group_member WHERE group_id = ANY(ids)
    UNION ALL SELECT task_id FROM task_run WHERE task_id = ANY(ids)
    UNION ALL SELECT dataset_id FROM test_dataset WHERE dataset_id = ANY(ids)
    UNION ALL SELECT source_id FROM relationship WHERE source_id = ANY(ids)
    UNION ALL SELECT target_id FROM relationship WHERE target_id = ANY(ids)
    UNION ALL SELECT entity_id FROM alert WHERE entity_id = ANY(ids)
    UNION ALL SELECT messenger_id FROM alert WHERE messenger_id = ANY(ids))
$$;
