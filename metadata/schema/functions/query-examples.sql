-- Query examples as finished JSON.

-- QueryExampleRef.
CREATE OR REPLACE FUNCTION json_query_example_ref(q query_example) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_build_object('id', q.id, 'definition', q.definition, 'query', q.query)$$;
