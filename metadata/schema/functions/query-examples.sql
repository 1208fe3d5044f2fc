-- Query examples: finished JSON, and the documents by which they are found.

-- QueryExampleRef.
CREATE OR REPLACE FUNCTION json_query_example_ref(q query_example) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_build_object('id', q.id, 'definition', q.definition, 'query', q.query)$$;

-- Data entities that a query example is attached to and that lists show.
CREATE OR REPLACE FUNCTION query_example_entities(example bigint) RETURNS SETOF data_entity
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT e.* FROM entity_query_example l JOIN data_entity e ON e.id = l.entity_id
     WHERE l.example_id = example
       AND NOT e.hollow AND NOT e.excluded_from_search AND is_live(e.status)$$;

-- LinkedTermList of a query example, by name: all of them.
CREATE OR REPLACE FUNCTION json_query_example_terms(example bigint) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT json_build_object(
      'items', coalesce(json_agg(json_linked_term(t, n, false) ORDER BY n.name, t.name), '[]'),
      'page_info', json_build_object('total', count(*), 'hasNext', false))
    FROM term_query_example l JOIN term t ON t.id = l.term_id
    JOIN namespace n ON n.id = t.namespace_id
   WHERE l.example_id = example
$$;

-- QueryExample.
CREATE OR REPLACE FUNCTION json_query_example(q query_example, stale_days integer) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT json_build_object('id', q.id, 'definition', q.definition, 'query', q.query,
    'linked_entities', (SELECT coalesce(json_agg(json_entity_ref(e, stale_days) ORDER BY e.id), '[]')
                          FROM query_example_entities(q.id) e),
    'linked_terms', json_query_example_terms(q.id))
$$;

-- QueryExampleDetails.
CREATE OR REPLACE FUNCTION json_query_example_details(q query_example, stale_days integer) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT json_build_object('id', q.id, 'definition', q.definition, 'query', q.query,
    'linked_entities', text_data_entity_list(shown.ids, cardinality(shown.ids), false, stale_days)::json,
    'linked_terms', json_query_example_terms(q.id),
    'created_at', iso(q.created_at), 'updated_at', iso(q.updated_at))
    FROM (SELECT coalesce(array_agg(e.id ORDER BY e.id), '{}') AS ids
            FROM query_example_entities(q.id) e) shown
$$;

-- Rebuilds the documents of these query examples: what each is for (A), its query and the internal names of its
-- data entities (B), their external names (C). Locks the examples in id order first, so that of two who
-- refresh one the newer document stays. 480 kB of words are a vector below 1 MB.
CREATE OR REPLACE FUNCTION refresh_query_example_documents(ids bigint[]) RETURNS void
  LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM query_example WHERE id = ANY(ids) ORDER BY id FOR NO KEY UPDATE;
  PERFORM search_learn(ARRAY(SELECT search_stems(ARRAY(
    SELECT left(query, 100000) FROM query_example WHERE id = ANY(ids)))));
  INSERT INTO query_example_document AS d (example_id, vector)
  SELECT q.id,
         setweight(to_tsvector('simple', search_words_within(q.definition, 64000)), 'A') ||
         setweight(to_tsvector('simple', search_cut(search_words(concat_ws(' ', search_cut(named.internal, 64000),
           search_cut(concat_ws(' ', q.query, search_camel(q.query)), 252000))), 316000)), 'B') ||
         setweight(to_tsvector('simple', search_words_within(named.external, 100000)), 'C')
    FROM query_example q CROSS JOIN LATERAL (
      SELECT coalesce(string_agg(concat_ws(' ', e.internal_name, search_camel(e.internal_name)), ' '), '')
               AS internal,
             coalesce(string_agg(concat_ws(' ', e.external_name, search_camel(e.external_name)), ' '), '')
               AS external
        FROM entity_query_example l JOIN data_entity e ON e.id = l.entity_id
       WHERE l.example_id = q.id) named
   WHERE q.id = ANY(ids)
  ON CONFLICT (example_id) DO UPDATE SET vector = excluded.vector
    WHERE d.vector IS DISTINCT FROM excluded.vector;
END $$;

-- Done by the tables themselves, so that neither a purge nor any other way of changing them forgets it.
CREATE OR REPLACE FUNCTION refresh_changed_query_example() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM refresh_query_example_documents(ARRAY[NEW.id]);
  RETURN NULL;
END $$;
CREATE OR REPLACE FUNCTION refresh_linked_query_examples() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM refresh_query_example_documents(ARRAY(SELECT DISTINCT example_id FROM changed));
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER query_example_texts AFTER INSERT OR UPDATE OF definition, query ON query_example
  FOR EACH ROW EXECUTE FUNCTION refresh_changed_query_example();
CREATE OR REPLACE TRIGGER query_example_linked AFTER INSERT ON entity_query_example
  REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION refresh_linked_query_examples();
CREATE OR REPLACE TRIGGER query_example_left AFTER DELETE ON entity_query_example
  REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION refresh_linked_query_examples();

-- A batch may rename many entities at once, so the documents of their examples follow soon after. A hollow
-- entity has none.
CREATE OR REPLACE FUNCTION queue_query_examples() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM entity_query_example WHERE entity_id = NEW.id) THEN
    INSERT INTO search_refresh_queue (kind, subject_id, document)
    VALUES (TG_TABLE_NAME, NEW.id, 'query_example')
    ON CONFLICT (kind, subject_id, document)
    DO UPDATE SET id = DEFAULT, after_id = 0, queued_at = now();
    NOTIFY search_refresh;
  END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER query_example_named AFTER UPDATE OF internal_name, external_name ON data_entity
  FOR EACH ROW WHEN (NOT OLD.hollow AND (OLD.internal_name IS DISTINCT FROM NEW.internal_name
                                         OR OLD.external_name IS DISTINCT FROM NEW.external_name))
  EXECUTE FUNCTION queue_query_examples();
