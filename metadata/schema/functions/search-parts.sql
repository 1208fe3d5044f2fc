-- Datasets with more names of columns than a vector holds are found by several vectors, each of a part of their words.

-- The words of such a dataset: those of its document, and those of all its columns, each once, in vectors of 480 kB of words
-- at most. Sorted, so that parts stay as they are in whatever order columns were read. A word of more than 2,046 bytes is in
-- no vector of PostgreSQL, so of what is far longer a beginning will do.
CREATE OR REPLACE FUNCTION search_parts(document tsvector, named text)
  RETURNS TABLE (part integer, vector tsvector)
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT 0, strip(document)
   UNION ALL
  SELECT 1 + portion, strip(to_tsvector('simple', string_agg(word, ' ')))
    FROM (SELECT word, (sum(octet_length(word) + 1) OVER (ORDER BY word) / 380000)::integer AS portion
            FROM (SELECT DISTINCT left(word, 25000) COLLATE "C" AS word
                    FROM unnest(string_to_array(search_words(named), ' ')) AS word) each_once) words
   GROUP BY portion
$$;

-- The datasets in whose parts all is found that is typed, wherever each word stands; they are found by `search_query` too
-- if their document has all of it.
CREATE OR REPLACE FUNCTION search_in_parts(typed text) RETURNS bigint[]
  LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM search_document_part) THEN
    RETURN '{}';
  END IF;
  RETURN (
    WITH wanted AS MATERIALIZED (
      SELECT t.n, t.quoted, way.n AS way, cardinality(way.lexemes) AS size, way.lexemes
        FROM search_typed(typed) t, LATERAL (VALUES (1, t.whole), (2, t.parts)) AS way (n, lexemes)
       WHERE t.whole <> '{}' AND way.lexemes <> '{}'),
    around AS MATERIALIZED (SELECT search_around(typed) AS words),
    found AS MATERIALIZED (
      SELECT DISTINCT l.lexeme, l.quoted, p.entity_id
        FROM (SELECT DISTINCT unnest(lexemes) AS lexeme, quoted FROM wanted) l CROSS JOIN around
        JOIN search_document_part p ON p.vector @@ search_lexeme(l.lexeme, l.quoted, around.words)::tsquery),
    word AS (
      SELECT DISTINCT n, entity_id FROM (
        SELECT w.n, w.way, f.entity_id
          FROM wanted w CROSS JOIN LATERAL unnest(w.lexemes) AS l (lexeme) JOIN found f USING (lexeme, quoted)
         GROUP BY w.n, w.way, w.size, f.entity_id HAVING count(*) = w.size) ways)
    SELECT coalesce(array_agg(entity_id), '{}') FROM (
      SELECT entity_id FROM word GROUP BY entity_id
      HAVING count(*) = (SELECT count(DISTINCT n) FROM wanted)) whole);
END $$;

-- The columns of a dataset among which matches of what is typed are shown: the first of them, of 500 kB of text, and of the
-- others the hundred with most of the words in their shown names. `words`: how many are in it. Only of those that may be
-- among the hundred is it asked whether one of the words begins there, since names are taken apart for it.
CREATE OR REPLACE FUNCTION search_columns(dataset bigint, typed text)
  RETURNS TABLE (field_id bigint, ordinal bigint, words bigint)
  LANGUAGE sql STABLE PARALLEL SAFE AS $$
  WITH word AS MATERIALIZED (
    SELECT (SELECT array_agg('%' || l || '%') FROM unnest(whole) l) AS whole,
           (SELECT array_agg('%' || l || '%') FROM unnest(parts) l) AS parts
      FROM search_typed(typed)),
  begun AS MATERIALIZED (
    SELECT string_agg(quote_literal(l) || ':*', ' | ')::tsquery AS query
      FROM (SELECT unnest(whole || parts) AS l FROM search_typed(typed)) lexeme),
  shown AS MATERIALIZED (
    SELECT f.id, x.ordinal, coalesce(f.internal_name, f.name) AS name,
           sum(octet_length(concat(f.name, f.internal_description, f.external_description)))
             OVER (ORDER BY x.ordinal) AS reach
      FROM dataset_version_field x JOIN dataset_field f ON f.id = x.field_id
     WHERE x.version_id = latest_version(dataset)),
  weighed AS MATERIALIZED (
    SELECT *, (SELECT count(*) FROM word WHERE low LIKE ALL (whole) OR low LIKE ALL (parts)) AS words
      FROM (SELECT *, search_words(name) AS low FROM shown OFFSET 0) lowered)
  SELECT id, ordinal, words FROM weighed WHERE reach <= 500000
   UNION ALL
  (SELECT id, ordinal, words
     FROM (SELECT * FROM weighed WHERE reach > 500000 AND words > 0 ORDER BY words DESC, ordinal OFFSET 0) others
    WHERE to_tsvector('simple', search_words(concat_ws(' ', name, search_camel(name)))) @@ (SELECT query FROM begun)
    LIMIT 100)
$$;
