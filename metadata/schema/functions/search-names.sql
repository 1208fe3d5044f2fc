-- Names as people write them with what they are in: `hr.orders`, `wh.hr.orders`.

-- What an entity is in, outermost first, as text: its data source, its namespace, and the segments of its CATRN but the last.
CREATE OR REPLACE FUNCTION search_context(entity bigint) RETURNS text
  LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT concat_ws('/', s.name, n.name,
           (SELECT string_agg(search_decoded(segment), '/' ORDER BY place)
              FROM string_to_table(regexp_replace(e.catrn, '/+[^/]*$', ''), '/')
                WITH ORDINALITY AS x (segment, place)))
    FROM data_entity e LEFT JOIN data_source s ON s.id = e.data_source_id
    LEFT JOIN namespace n ON n.id = coalesce(e.namespace_id, s.namespace_id)
   WHERE e.id = entity
$$;

-- Whether these words, as search_plain() has them, are those of a context, in its order; others may be between them.
CREATE OR REPLACE FUNCTION search_leads(words text, context text) RETURNS boolean
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT '  ' || replace(search_plain(context), ' ', '  ') || '  ' LIKE '% ' || replace(words, ' ', ' % ') || ' %'
$$;

-- What is typed before a name that ends it, by words of both; null if the name does not end it.
CREATE OR REPLACE FUNCTION search_before(typed text, name text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN name <> '' AND right(typed, char_length(name) + 1) = ' ' || name
    THEN left(typed, -(char_length(name) + 1)) END
$$;
