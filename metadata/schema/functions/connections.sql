-- ConnectionRun. What a run has not found yet is empty, or 0.
CREATE OR REPLACE FUNCTION json_connection_run(r connection_run) RETURNS json
LANGUAGE sql STABLE AS $$
  SELECT json_build_object(
    'id', r.id, 'connection_id', r.connection_id, 'kind', r.kind, 'state', r.state,
    'requested_by', r.requested_by, 'requested_at', iso(r.requested_at),
    'started_at', iso(r.started_at), 'finished_at', iso(r.finished_at),
    'counts', '{"read": 0, "added": 0, "changed": 0, "unchanged": 0, "removed": 0, "skipped": 0}'::jsonb
              || r.counts,
    'checks', coalesce(r.result -> 'checks', '[]'), 'preview', coalesce(r.result -> 'preview', '[]'),
    'problems', coalesce(r.result -> 'problems', '[]'),
    'error', nullif(r.result -> 'error', 'null'))$$;

-- Connection. Of secrets it tells which are set and how, never what they are.
CREATE OR REPLACE FUNCTION json_connection(c connection) RETURNS json
LANGUAGE sql STABLE AS $$
  SELECT json_build_object(
    'id', c.id, 'name', c.name, 'connector', c.connector, 'settings', c.settings,
    'secrets', coalesce((
       SELECT json_agg(json_build_object('name', s.key, 'kind', CASE WHEN s.value ? 'sealed' THEN 'STORED'
                WHEN s.value ? 'env' THEN 'ENV' ELSE 'FILE' END) ORDER BY s.key)
         FROM jsonb_each(c.secrets) s), '[]'),
    'data_source_catrn', c.source_catrn,
    'data_source_id', (SELECT id FROM data_source WHERE catrn = c.source_catrn), 'schedule_minutes', c.schedule_minutes, 'paused', c.paused,
    'next_run_at', CASE WHEN NOT c.paused THEN iso(c.next_run_at) END,
    'last_run', (SELECT json_connection_run(r) FROM connection_run r
                  WHERE r.connection_id = c.id AND r.kind = 'RUN' ORDER BY r.id DESC LIMIT 1),
    'created_at', iso(c.created_at), 'updated_at', iso(c.updated_at))$$;
