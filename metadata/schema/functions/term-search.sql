-- What terms are found by.

-- The search documents of these terms. The shares add up to what a vector surely holds.
CREATE OR REPLACE FUNCTION term_documents(ids bigint[])
  RETURNS TABLE (term_id bigint, vector tsvector)
  LANGUAGE sql STABLE AS $$
  SELECT id, setweight(to_tsvector('simple', search_words_within(a, 8000)), 'A') ||
             setweight(to_tsvector('simple', search_words_within(b, 40000)), 'B') ||
             setweight(to_tsvector('simple', search_words_within(definition, 400000)), 'B') ||
             setweight(to_tsvector('simple', search_words_within(c, 20000)), 'C') ||
             setweight(to_tsvector('simple', search_words_within(d, 12000)), 'D')
    FROM (
    SELECT t.id, t.definition, concat_ws(' ', t.name, search_camel(t.name)) AS a,
           concat_ws(' ', n.name, search_camel(n.name), tagged.names, search_camel(tagged.names)) AS b,
           concat_ws(' ', owned.owners, search_camel(owned.owners)) AS c,
           coalesce(owned.titles, '') AS d
      FROM term t JOIN namespace n ON n.id = t.namespace_id
      LEFT JOIN LATERAL (
        SELECT string_agg(g.name, ' ') AS names
          FROM term_tag x JOIN tag g ON g.id = x.tag_id WHERE x.term_id = t.id) tagged ON true
      LEFT JOIN LATERAL (
        SELECT string_agg(w.name, ' ') AS owners, string_agg(title.name, ' ') AS titles
          FROM term_ownership o JOIN owner w ON w.id = o.owner_id
          LEFT JOIN title ON title.id = o.title_id WHERE o.term_id = t.id) owned ON true
     WHERE t.id = ANY(ids)) texts
$$;

-- Rebuilds the documents of these terms; locks the terms in id order first, so that two who refresh one
-- leave the newer document.
CREATE OR REPLACE FUNCTION refresh_term_documents(ids bigint[]) RETURNS void
  LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM term WHERE id = ANY(ids) ORDER BY id FOR NO KEY UPDATE;
  PERFORM search_learn(ARRAY(SELECT search_stems(ARRAY(SELECT name FROM term WHERE id = ANY(ids)))));
  INSERT INTO term_document AS d (term_id, vector)
  SELECT * FROM term_documents(ids)
  ON CONFLICT (term_id) DO UPDATE SET vector = excluded.vector
  WHERE d.vector IS DISTINCT FROM excluded.vector;
END $$;
