-- Assets that people come back to, as finished JSON.

-- Whether a favorite, or what was viewed, is shown: all but deleted entities, which come back when restored.
CREATE OR REPLACE FUNCTION asset_shown(entity bigint) RETURNS boolean
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT entity IS NULL OR
      EXISTS (SELECT FROM data_entity e WHERE e.id = entity AND NOT e.hollow AND is_live(e.status))$$;

-- {asset_kind, data_entity, term, query_example}: of one asset, the others null.
CREATE OR REPLACE FUNCTION json_asset(entity bigint, term_id bigint, example bigint, stale_days integer)
  RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT json_build_object(
    'asset_kind', CASE WHEN entity IS NOT NULL THEN 'DATA_ENTITY'
                       WHEN term_id IS NOT NULL THEN 'TERM' ELSE 'QUERY_EXAMPLE' END,
    'data_entity', json_entity_ref(entity, stale_days),
    'term', (SELECT json_term_ref(t) FROM term t WHERE t.id = json_asset.term_id),
    'query_example', (SELECT json_query_example_ref(q) FROM query_example q WHERE q.id = example))
$$;
