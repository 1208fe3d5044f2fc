-- Pieces of the answers of the administrative operations, as finished JSON.

-- Token, or null. `shown` is its value where it has just been made; nobody else has it.
CREATE OR REPLACE FUNCTION json_token(t token, shown text) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT CASE WHEN t.id IS NOT NULL THEN json_build_object('id', t.id,
      'value', coalesce(shown, '****** (shown only when it was made)'), 'hint', t.hint,
      'created_by', t.created_by, 'created_at', iso(t.created_at),
      'updated_by', t.updated_by, 'updated_at', iso(t.updated_at)) END$$;

-- DataSource with its token.
CREATE OR REPLACE FUNCTION json_data_source_with_token(source_id bigint, shown text) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_build_object('id', s.id, 'namespace', json_named(n.id, n.name),
      'token', json_token(t, shown), 'catrn', s.catrn, 'name', s.name, 'description', s.description)
      FROM data_source s LEFT JOIN namespace n ON n.id = s.namespace_id
           LEFT JOIN token t ON t.id = s.token_id
     WHERE s.id = source_id$$;

-- Collector with its token.
CREATE OR REPLACE FUNCTION json_collector(collector_id bigint, shown text) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_build_object('id', c.id, 'namespace', json_named(n.id, n.name),
      'token', json_token(t, shown), 'name', c.name, 'description', c.description)
      FROM collector c LEFT JOIN namespace n ON n.id = c.namespace_id
           JOIN token t ON t.id = c.token_id
     WHERE c.id = collector_id$$;

-- PersonalToken; `shown` is its value, in the answer that made it.
CREATE OR REPLACE FUNCTION json_personal_token(t personal_token, shown text) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_build_object('id', t.id, 'name', t.name, 'value', shown, 'hint', t.hint,
      'scope', t.scope, 'created_at', iso(t.created_at), 'expires_at', iso(t.expires_at),
      'last_used_at', iso(t.last_used_at))$$;
