-- Alerts as answers show them.

-- AlertChunk[], newest first, at most `most`.
CREATE OR REPLACE FUNCTION json_alert_chunks(alert bigint, most integer) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT coalesce(json_agg(json_build_object('created_at', iso(c.created_at),
             'description', c.description) ORDER BY c.created_at DESC, c.id DESC), '[]')
      FROM (SELECT * FROM alert_chunk WHERE alert_id = alert
             ORDER BY created_at DESC, id DESC LIMIT most) c$$;

-- Alert. Its entity counts as having alerts, whatever this one's status.
CREATE OR REPLACE FUNCTION json_alert(a alert, stale_days integer) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_build_object('id', a.id,
      'data_entity', (SELECT json_entity_ref(e, stale_days, true)
                        FROM data_entity e WHERE e.id = a.entity_id),
      'data_source', json_data_source_safe(a.data_source_id),
      'type', alert_type_name(a.type), 'status', alert_status_name(a.status),
      'status_updated_by',
        json_associated_owner(a.status_updated_by, a.status_updated_by_provider),
      'status_updated_at', iso(a.status_updated_at), 'created_at', iso(a.created_at),
      'last_created_at', iso(a.last_created_at),
      'description', coalesce((SELECT c.description FROM alert_chunk c WHERE c.alert_id = a.id
                                ORDER BY c.created_at DESC, c.id DESC LIMIT 1), ''),
      'alert_chunk_list', json_alert_chunks(a.id, 50),
      'alert_chunk_total', (SELECT count(*) FROM alert_chunk c WHERE c.alert_id = a.id))$$;

-- DataEntityAlertConfig of an entity; all null when none was ever set.
CREATE OR REPLACE FUNCTION json_alert_config(entity bigint) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_build_object(
      'failed_job_halt_until', iso(h.failed_job_halt_until),
      'failed_dq_test_halt_until', iso(h.failed_dq_test_halt_until),
      'incompatible_schema_halt_until', iso(h.incompatible_schema_halt_until),
      'distribution_anomaly_halt_until', iso(h.distribution_anomaly_halt_until))
      FROM (SELECT entity) asked LEFT JOIN alert_halt_config h ON h.entity_id = asked.entity$$;
