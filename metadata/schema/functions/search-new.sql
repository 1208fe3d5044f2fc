-- Search documents of new entities, of which nothing is stored but what was just posted.

-- Writes the documents of entities that this transaction inserted, from words that the caller made
-- (metadata/catalogue/search-vector.ts): `words` are those of each entity, without those of its data source. `tags` and `names`
-- are the tags among them. This transaction refers to these, so they cannot be renamed before it ends; when one was renamed
-- before, nothing is written, and false returned. `stems` are the words of names whose parts are found.
CREATE OR REPLACE FUNCTION insert_search_documents(ids bigint[], words tsvector[], tags bigint[], names text[], stems text[])
  RETURNS boolean
  LANGUAGE plpgsql
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
  SET max_parallel_workers_per_gather = 0 AS $$
BEGIN
  IF EXISTS (SELECT FROM unnest(tags, names) AS w (id, name) LEFT JOIN tag t ON t.id = w.id
              WHERE t.name IS DISTINCT FROM w.name) THEN
    RETURN false;
  END IF;
  PERFORM search_learn(stems);
  WITH source AS MATERIALIZED (
    SELECT s.id,
           setweight(to_tsvector('simple', search_words(search_source_names(s.name, n.name))), 'B') ||
           setweight(to_tsvector('simple', search_words(s.catrn)), 'D') AS vector
      FROM data_source s LEFT JOIN namespace n ON n.id = s.namespace_id
     WHERE s.id IN (SELECT data_source_id FROM data_entity WHERE id = ANY(ids)))
  INSERT INTO search_document (entity_id, data_source_id, namespace_id, type_id, status,
    manually_created, class_ids, cut_bytes, name, names, vector)
  SELECT id, data_source_id, namespace_id, type_id, status, manually_created, class_ids, 0,
         search_name(coalesce(external_name, '')), ts_filter(vector, '{a}'), vector
    FROM (SELECT e.*, w.words || source.vector AS vector
            FROM unnest(ids, words) AS w (id, words) JOIN data_entity e ON e.id = w.id
            JOIN source ON source.id = e.data_source_id
           WHERE NOT e.excluded_from_search OFFSET 0) made;
  RETURN true;
END $$;

-- For the release before, which knows no stems.
CREATE OR REPLACE FUNCTION insert_search_documents(ids bigint[], words tsvector[], tags bigint[], names text[])
  RETURNS boolean
  LANGUAGE sql AS $$
  SELECT insert_search_documents(ids, words, tags, names, ARRAY(SELECT search_stems(ARRAY(
    SELECT l.lexeme FROM unnest(words) AS w (vector), unnest(ts_filter(vector, '{a}')) AS l))))
$$;
